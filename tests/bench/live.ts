import type { Page } from 'playwright'
import { median, openBrowser, openSignedInPage } from './browser.ts'
import { measureTileBaseline } from './floors.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const RUNS = 9
/** Pause between two visits, ms. The previous page releases its resources in this time. */
const PAUSE_MS = 1000
const TILE_COUNT = 4
const MANY_TILE_COUNT = 8
const OBSERVATION_MS = 20_000
const MANY_TILES_OBSERVATION_MS = 30_000
const MAX_FRAME_GAP_MS = 500
const FRAME_RATE = 15

interface VideoStats {
  first: number
  frames: number
  /** Longest time between two frames, ms. */
  gap: number
  last: number
}

/** Runs in the page: records the frames of each tile's main video. Ignores the video of a second lens. */
export function recordVideoFrames(): void {
  const seen: VideoStats[] = ((globalThis as { seenVideos?: VideoStats[] }).seenVideos = [])
  const watchedVideos = new WeakSet<HTMLVideoElement>()
  const watchVideo = (video: HTMLVideoElement) => {
    watchedVideos.add(video)
    let entry: VideoStats | null = null
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

const readSeenVideos = (page: Page) =>
  page.evaluate(() => (globalThis as { seenVideos?: VideoStats[] }).seenVideos ?? [])

/**
 * Measures the live page with the demo cameras: the time from navigation until the tiles play, then the frame rate and
 * the CPU load while they play.
 */
export async function measureLive(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/live')
  await context.addInitScript(recordVideoFrames)
  const { first, all } = await measureTileStarts(page, system, TILE_COUNT)
  const baseline = await measureTileBaseline(context, system.origin, 1)
  const playing = await measurePlaying(page, system)
  await browser.close()
  return [
    {
      label: 'live: navigation to first tile playing, median',
      value: first,
      unit: 'ms',
      goal: 400,
      bound: 'max',
      baseline,
    },
    { label: 'live: navigation to 4 tiles playing, median', value: all, unit: 'ms', goal: 600, bound: 'max' },
    ...playing,
  ]
}

/**
 * Measures eight visible playing tiles. `system` must run nine cameras (`npm start -- --virtual 9`), because a camera
 * may be asleep.
 */
export async function measureEightTiles(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { context, page } = await openSignedInPage(browser, system.origin, '/live')
  // The toolbar is ready for clicks once it contains the filter button.
  await page.getByRole('button', { name: 'Filter cameras' }).waitFor()
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  await context.addInitScript(recordVideoFrames)
  await page.goto('about:blank')
  const baseline = await measureTileBaseline(context, system.origin, MANY_TILE_COUNT)
  const { all } = await measureTileStarts(page, system, MANY_TILE_COUNT)
  const { rates, gap } = await measureFrameRates(page, MANY_TILES_OBSERVATION_MS, MANY_TILE_COUNT)
  await browser.close()
  return [
    { label: 'live: navigation to 8 tiles playing, median', value: all, unit: 'ms', goal: 600, bound: 'max', baseline },
    {
      label: `live: frame rate of the slowest of 8 tiles (${FRAME_RATE} sent)`,
      value: Math.min(...rates),
      unit: 'fps',
      goal: 14,
      bound: 'min',
    },
    {
      label: 'live: longest time without a new frame, 8 tiles for half a minute',
      value: gap,
      unit: 'ms',
      goal: MAX_FRAME_GAP_MS,
      bound: 'max',
    },
  ]
}

/** Returns the median times from navigation to the first frame of the first tile and of the `count`th tile, ms. */
async function measureTileStarts(page: Page, system: System, count: number): Promise<{ first: number; all: number }> {
  const firstTimes: number[] = []
  const allTimes: number[] = []
  for (let run = -1; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(PAUSE_MS)
    await page.goto(`${system.origin}/live`)
    // Polling runs code in the page and could delay frames, so it starts after the first frames should have arrived.
    await page.waitForTimeout(PAUSE_MS)
    await page.waitForFunction(
      (minCount) => ((globalThis as { seenVideos?: unknown[] }).seenVideos ?? []).length >= minCount,
      count,
    )
    const times = (await readSeenVideos(page)).map((video) => video.first).sort((a, b) => a - b)
    // The first visit only fills the browser's caches, because the figures describe a warm session.
    if (run < 0) continue
    firstTimes.push(times[0] ?? Number.NaN)
    allTimes.push(times[count - 1] ?? Number.NaN)
  }
  return { first: median(firstTimes), all: median(allTimes) }
}

/** Observes the tiles for `ms`. Returns the frame rate of each tile, and the longest gap between two frames, ms. */
export async function measureFrameRates(
  page: Page,
  ms: number,
  count: number,
): Promise<{ rates: number[]; gap: number }> {
  const before = await readSeenVideos(page)
  await page.evaluate(() => {
    for (const seen of (globalThis as { seenVideos?: VideoStats[] }).seenVideos ?? []) seen.gap = 0
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

async function measurePlaying(page: Page, system: System): Promise<Figure[]> {
  const [cpuAtStart, started] = [system.cpuSeconds(), performance.now()]
  const { rates } = await measureFrameRates(page, OBSERVATION_MS, TILE_COUNT)
  const seconds = (performance.now() - started) / 1000
  return [
    {
      label: `live: frame rate of the slowest of ${rates.length} tiles (${FRAME_RATE} sent)`,
      value: Math.min(...rates),
      unit: 'fps',
      goal: 14,
      bound: 'min',
    },
    {
      label: `live: CPU of all Porchlight processes while ${rates.length} tiles play`,
      value: ((system.cpuSeconds() - cpuAtStart) / seconds) * 100,
      unit: '% of a core',
      goal: 100,
      bound: 'max',
    },
  ]
}
