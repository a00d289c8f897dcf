import type { Page } from 'playwright'
import { openPageWithSharedMoments } from '../support/shared-moments.ts'
import { openBrowser, openSignedInPage } from './browser.ts'
import type { Figure } from './figure.ts'
import type { System } from './system.ts'

const VISIT_COUNT = 3
const OBSERVATION_MS = 12_000
const SAMPLE_INTERVAL_MS = 50
/**
 * Maximum age of a compared frame, ms. An older frame means that its clip has ended, or that synced playback is waiting
 * for one of its players.
 */
const MAX_FRAME_AGE_MS = 150

/**
 * Measures the difference in recording time between frames that synced playback displays together. Starts as soon as
 * three clips play, so the result includes the time in which late players catch up.
 */
export async function measureSyncedPlayback(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { page } = await openSignedInPage(browser, system.origin, '/events')
  const { events, moments: visits } = await openPageWithSharedMoments(page, `${system.origin}/events`)
  const clipStartTimes = Object.fromEntries(
    events.map(({ event_id, event_resources }) => [event_id, event_resources[0]?.begin_time ?? 0]),
  )
  const spreads: number[] = []
  for (const { event, at } of visits.slice(0, VISIT_COUNT)) {
    await page.goto(`${system.origin}/events?event=${event.event_id}&camera=${event.device_id}&at=${at}`)
    spreads.push(...(await measurePlaybackSpreads(page, clipStartTimes)))
  }
  await browser.close()
  const sorted = spreads.toSorted((a, b) => a - b)
  const percentile = (fraction: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
  const createFigure = (name: string, fraction: number): Figure => ({
    label: `synced playback: time difference between frames of 3 or more cameras, ${name}`,
    value: percentile(fraction),
    unit: 'ms',
    goal: 100,
    bound: 'max',
  })
  return [createFigure('median', 0.5), createFigure('p95', 0.95)]
}

async function measurePlaybackSpreads(page: Page, clipStartTimes: Record<string, number>): Promise<number[]> {
  await page.locator('.same-time-picture video').first().waitFor()
  return page.evaluate(samplePlaybackSpreads, {
    clipStartTimes,
    ms: OBSERVATION_MS,
    every: SAMPLE_INTERVAL_MS,
    stands: MAX_FRAME_AGE_MS,
  })
}

/** Runs in the page: samples the largest difference in recording time between the displayed frames, ms. */
function samplePlaybackSpreads({
  clipStartTimes,
  ms: durationMs,
  every: intervalMs,
  stands: maxFrameAgeMs,
}: {
  clipStartTimes: Record<string, number>
  ms: number
  every: number
  stands: number
}): Promise<number[]> {
  const frameOffsets = new Map<HTMLVideoElement, { offsetMs: number; at: number }>()
  const watchVideo = (video: HTMLVideoElement) => {
    const begin = clipStartTimes[video.poster.split('/').at(-1) ?? '']
    if (begin === undefined || frameOffsets.has(video)) return
    frameOffsets.set(video, { offsetMs: 0, at: -1 })
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, expectedDisplayTime }) => {
      frameOffsets.set(video, { offsetMs: begin + mediaTime * 1000 - expectedDisplayTime, at: expectedDisplayTime })
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
      const offsets = [...frameOffsets].flatMap(([video, { offsetMs, at }]) =>
        video.isConnected && !video.paused && now - at < maxFrameAgeMs ? [offsetMs] : [],
      )
      if (offsets.length >= 3) {
        startedAt ||= now
        spreads.push(Math.max(...offsets) - Math.min(...offsets))
      }
      if (startedAt > 0 && now - startedAt > durationMs) resolve(spreads)
      else setTimeout(sampleSpread, intervalMs)
    }
    sampleSpread()
  })
}
