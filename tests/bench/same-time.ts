import type { Page } from 'playwright'
import { openVisits } from '../support/visits.ts'
import { openBrowser, signedIn } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const VISITS = 3
const WATCH_MS = 12_000
/** Sampling interval, ms. */
const EVERY_MS = 50
/**
 * Maximum age of a frame that is compared, ms. An older frame means that all players wait for one of them, or that its
 * clip has ended.
 */
const STANDS_MS = 150

/**
 * Measures how far apart in recording time the frames are that synced playback displays together. The times come from
 * the browser's frame callbacks, not from the code that syncs the clips. The measurement starts when three clips play
 * and includes the initial catch-up.
 */
export async function measureSameTime(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { page } = await signedIn(browser, system.origin, '/events')
  const { events, visits } = await openVisits(page, `${system.origin}/events`)
  const begins = Object.fromEntries(
    events.map(({ event_id, event_resources }) => [event_id, event_resources[0]?.begin_time ?? 0]),
  )
  const spreads: number[] = []
  for (const { event, at } of visits.slice(0, VISITS)) {
    await page.goto(`${system.origin}/events?event=${event.event_id}&camera=${event.device_id}&at=${at}`)
    spreads.push(...(await measureSpreads(page, begins)))
  }
  await browser.close()
  const sorted = spreads.toSorted((a, b) => a - b)
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  const figure = (name: string, part: number): Figure => ({
    ...{ what: `same time: pictures of 3 cameras and more apart, ${name}`, value: share(part) },
    ...{ unit: 'ms', goal: 100, bound: 'max' },
  })
  return [figure('median', 0.5), figure('p95', 0.95)]
}

async function measureSpreads(page: Page, begins: Record<string, number>): Promise<number[]> {
  await page.locator('.same-time-picture video').first().waitFor()
  return page.evaluate(watchSpread, { begins, ms: WATCH_MS, every: EVERY_MS, stands: STANDS_MS })
}

/** Runs in the page: samples the difference between displayed frames, ms. */
function watchSpread({
  begins,
  ms,
  every,
  stands,
}: {
  begins: Record<string, number>
  ms: number
  every: number
  stands: number
}): Promise<number[]> {
  const frameOffsets = new Map<HTMLVideoElement, { off: number; at: number }>()
  const watchVideo = (video: HTMLVideoElement) => {
    const begin = begins[video.poster.split('/').at(-1) ?? '']
    if (begin === undefined || frameOffsets.has(video)) return
    frameOffsets.set(video, { off: 0, at: -1 })
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, expectedDisplayTime }) => {
      frameOffsets.set(video, { off: begin + mediaTime * 1000 - expectedDisplayTime, at: expectedDisplayTime })
      video.requestVideoFrameCallback(onFrame)
    }
    video.requestVideoFrameCallback(onFrame)
  }
  return new Promise((resolve) => {
    const spreads: number[] = []
    let startedAt = 0
    const sampleSpread = () => {
      document.querySelectorAll('video').forEach(watchVideo)
      const now = performance.now()
      const offs = [...frameOffsets].flatMap(([video, { off, at }]) =>
        video.isConnected && !video.paused && now - at < stands ? [off] : [],
      )
      if (offs.length >= 3) {
        startedAt ||= now
        spreads.push(Math.max(...offs) - Math.min(...offs))
      }
      if (startedAt > 0 && now - startedAt > ms) resolve(spreads)
      else setTimeout(sampleSpread, every)
    }
    sampleSpread()
  })
}
