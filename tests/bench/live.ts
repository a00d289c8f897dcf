import type { Page } from 'playwright'
import { median, openBrowser, signedIn } from './browser.ts'
import { floorOfTiles } from './floors.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const RUNS = 9
/** Delay between two visits, ms, in which the previous page releases its resources. */
const REST_MS = 1000
const TILES = 4
const MANY = 8
const WATCH_MS = 20_000
const WATCH_MANY_MS = 60_000
/** Time without a new frame that counts as a freeze, ms. */
const FREEZE_MS = 500
const FRAME_RATE = 15

interface Seen {
  first: number
  frames: number
  /** Longest time between two frames, ms. */
  gap: number
  last: number
}

/** Runs in the page: records every frame of every tile's main video; ignores second lenses. */
export function watchVideos(): void {
  const seen: Seen[] = ((globalThis as { seenVideos?: Seen[] }).seenVideos = [])
  const watchedVideos = new WeakSet<HTMLVideoElement>()
  const watchVideo = (video: HTMLVideoElement) => {
    watchedVideos.add(video)
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
      .forEach((video) => watchedVideos.has(video) || watchVideo(video))
  new MutationObserver(scan).observe(document, { childList: true, subtree: true })
}

const readSeenVideos = (page: Page) => page.evaluate(() => (globalThis as { seenVideos?: Seen[] }).seenVideos ?? [])

/**
 * Measures the live page with the demo cameras: the time from navigation until the tiles play, then the frame rate and
 * the CPU load while they play.
 */
export async function measureLive(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await signedIn(browser, system.origin, '/live')
  await context.addInitScript(watchVideos)
  const { first, all } = await arrivals(page, system, TILES)
  const floor = await floorOfTiles(context, system.origin, 1)
  const playing = await measurePlaying(page, system)
  await browser.close()
  return [
    {
      what: 'live: navigation to first tile playing, median',
      value: first,
      unit: 'ms',
      goal: 400,
      bound: 'max',
      floor,
    },
    { what: 'live: navigation to 4 tiles playing, median', value: all, unit: 'ms', goal: 600, bound: 'max' },
    ...playing,
  ]
}

/**
 * Measures eight playing tiles, all in view. `system` runs nine cameras (`npm start -- --virtual 9`), because one may
 * sleep.
 */
export async function measureEight(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await signedIn(browser, system.origin, '/live')
  // The toolbar is ready for clicks once it contains the filter button.
  await page.getByRole('button', { name: 'Filter cameras' }).waitFor()
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  await context.addInitScript(watchVideos)
  await page.goto('about:blank')
  const floor = await floorOfTiles(context, system.origin, MANY)
  const { all } = await arrivals(page, system, MANY)
  const { rates, gap } = await watch(page, WATCH_MANY_MS, MANY)
  await browser.close()
  return [
    { what: 'live: navigation to 8 tiles playing, median', value: all, unit: 'ms', goal: 900, bound: 'max', floor },
    {
      what: `live: frame rate of the slowest of 8 tiles, of ${FRAME_RATE}`,
      value: Math.min(...rates),
      unit: 'fps',
      goal: 14,
      bound: 'min',
    },
    {
      what: 'live: longest time without a new picture in a minute of 8 tiles',
      value: gap,
      unit: 'ms',
      goal: FREEZE_MS,
      bound: 'max',
    },
  ]
}

/**
 * Returns median ms from navigation to the first frame of the first tile and of the `count`th tile, over several
 * visits.
 */
async function arrivals(page: Page, system: System, count: number): Promise<{ first: number; all: number }> {
  const firsts: number[] = []
  const alls: number[] = []
  for (let run = -1; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(REST_MS)
    await page.goto(`${system.origin}/live`)
    // Polling runs code in the page and could delay the frames, so polling starts only after the frames should have
    // arrived.
    await page.waitForTimeout(REST_MS)
    await page.waitForFunction(
      (minCount) => ((globalThis as { seenVideos?: unknown[] }).seenVideos ?? []).length >= minCount,
      count,
    )
    const times = (await readSeenVideos(page)).map((video) => video.first).sort((a, b) => a - b)
    // The first visit fills the browser's caches: the figures describe a warm session.
    if (run < 0) continue
    firsts.push(times[0] ?? Number.NaN)
    alls.push(times[count - 1] ?? Number.NaN)
  }
  return { first: median(firsts), all: median(alls) }
}

/** Watches for `ms`. Returns each tile's frames per second and the longest time without a new frame in any tile, ms. */
export async function watch(page: Page, ms: number, count: number): Promise<{ rates: number[]; gap: number }> {
  const before = await readSeenVideos(page)
  await page.evaluate(() => {
    for (const seen of (globalThis as { seenVideos?: Seen[] }).seenVideos ?? []) seen.gap = 0
  })
  const started = performance.now()
  await page.evaluate((time) => new Promise((resolve) => setTimeout(resolve, time)), ms)
  const seconds = (performance.now() - started) / 1000
  const after = (await readSeenVideos(page)).slice(0, Math.max(count, before.length))
  return {
    rates: after.map((video, at) => (video.frames - (before[at]?.frames ?? 0)) / seconds),
    gap: Math.max(...after.map((video) => video.gap)),
  }
}

/** Measures the playing page: frame rate of the slowest tile, and CPU of all Porchlight processes. */
async function measurePlaying(page: Page, system: System): Promise<Figure[]> {
  const [cpu, started] = [system.cpuSeconds(), performance.now()]
  const { rates } = await watch(page, WATCH_MS, TILES)
  const seconds = (performance.now() - started) / 1000
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
