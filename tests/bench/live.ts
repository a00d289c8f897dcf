import type { Page } from 'playwright'
import { median, openBrowser, signedIn } from './browser.ts'
import type { Figure } from './main.ts'
import type { System } from './system.ts'

const RUNS = 9
/** Between two visits: what the one before has left is cleared away by then. */
const REST_MS = 1000
const TILES = 4
const WATCH_MS = 20_000
const FRAME_RATE = 15

interface Seen {
  /** Milliseconds from navigation start to the first frame on screen. */
  first: number
  frames: number
  /** Longest time between two frames, ms. */
  gap: number
  last: number
}

/** Runs in the page: notes every frame of every tile's picture; second lenses aside. */
function watchVideos(): void {
  const seen: Seen[] = ((globalThis as { seenVideos?: Seen[] }).seenVideos = [])
  const known = new WeakSet<HTMLVideoElement>()
  const follow = (video: HTMLVideoElement) => {
    known.add(video)
    let entry: Seen | null = null
    const onFrame = (now: number) => {
      if (!entry) seen.push((entry = { first: now, frames: 0, gap: 0, last: now }))
      entry.frames += 1
      entry.gap = Math.max(entry.gap, now - entry.last)
      entry.last = now
      video.requestVideoFrameCallback(onFrame)
    }
    video.requestVideoFrameCallback(onFrame)
  }
  const scan = () =>
    document
      .querySelectorAll<HTMLVideoElement>('.live-picture > video')
      .forEach((video) => known.has(video) || follow(video))
  new MutationObserver(scan).observe(document, { childList: true, subtree: true })
}

const videosOf = (page: Page) => page.evaluate(() => (globalThis as { seenVideos?: Seen[] }).seenVideos ?? [])

export async function measureLive(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await signedIn(browser, system.origin, '/live')
  await context.addInitScript(watchVideos)
  const firsts: number[] = []
  const fours: number[] = []
  for (let run = -1; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(REST_MS)
    await page.goto(`${system.origin}/live`)
    await page.waitForFunction(
      (count) => ((globalThis as { seenVideos?: unknown[] }).seenVideos ?? []).length >= count,
      TILES,
    )
    const times = (await videosOf(page)).map((video) => video.first).sort((a, b) => a - b)
    // The first visit fills the browser's caches: the figures are those of a warm session.
    if (run < 0) continue
    firsts.push(times[0] ?? Number.NaN)
    fours.push(times[TILES - 1] ?? Number.NaN)
  }
  const playing = await measurePlaying(page, system)
  await browser.close()
  return [
    {
      what: 'live: navigation to first tile playing, median',
      value: median(firsts),
      unit: 'ms',
      goal: 400,
      bound: 'max',
    },
    { what: 'live: navigation to 4 tiles playing, median', value: median(fours), unit: 'ms', goal: 600, bound: 'max' },
    ...playing,
  ]
}

/** Watches the page that plays: frame rate of the slowest of the first tiles, longest gap, CPU of all our processes. */
async function measurePlaying(page: Page, system: System): Promise<Figure[]> {
  const before = await videosOf(page)
  const [cpu, started] = [system.cpuSeconds(), performance.now()]
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), WATCH_MS)
  const seconds = (performance.now() - started) / 1000
  const after = (await videosOf(page)).slice(0, Math.max(TILES, before.length))
  const rates = after.map((video, at) => (video.frames - (before[at]?.frames ?? 0)) / seconds)
  return [
    {
      what: `live: frame rate of the slowest of ${rates.length} tiles, of ${FRAME_RATE}`,
      value: Math.min(...rates),
      unit: 'fps',
      goal: 14,
      bound: 'min',
    },
    {
      what: `live: all processes while ${rates.length} tiles play, Chromium aside`,
      value: ((system.cpuSeconds() - cpu) / seconds) * 100,
      unit: '% of a core',
      goal: 100,
      bound: 'max',
    },
  ]
}
