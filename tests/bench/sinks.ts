import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { Page } from 'playwright'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { formatGatewayPath } from '../../contract/wire/call.ts'
import { getHomes } from '../../contract/cameras/devices.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { signInThroughEdge } from '../support/edge.ts'
import { createBatch, sendSignedBatch, createStoredEvent, createRawEvent, sendBatch } from '../support/measured.ts'
import { Visitor } from '../support/visitor.ts'
import { openBrowser, openSignedInPage } from './browser.ts'
import { computePercentile } from './figure.ts'
import { measureFrameRates, recordVideoFrames } from './live.ts'
import { waitForIdleCpu } from './idle-cpu.ts'
import { startSystem } from './system.ts'

/** Number of batches per second, and events per batch. Large and small batches add up to 1,000 events per second. */
const LARGE_BATCHES = { perSecond: 6, size: 150 } as const
const SMALL_BATCHES = { perSecond: 10, size: 10 } as const
const EVENTS_PER_SECOND = LARGE_BATCHES.perSecond * LARGE_BATCHES.size + SMALL_BATCHES.perSecond * SMALL_BATCHES.size
const CALLS_PER_SECOND = 10
/** Analytics report requests per second. Each fetches the last 30 days, as an operator does. */
const REPORTS_PER_SECOND = 1
/** Maximum duration, s. A longer run would exceed the rate limit of one IP address or the daily storage limit. */
const MAX_SECONDS = 15
/** Maximum increase of the 95th percentile of call durations while events are sent, ms. */
const MAX_EXTRA_LATENCY_MS = 50
const TILE_COUNT = 4
/** Maximum decrease of the slowest tile's frame rate while the events are sent, frames per second. */
const MAX_FPS_LOSS = 1
const PAUSE_AFTER_LOAD_MS = 3000

/** Durations of calls, ms, and measurements of the live view from the same period. */
interface LoadMeasurement {
  readonly calls: readonly number[]
  readonly live: Awaited<ReturnType<typeof measureFrameRates>>
}
interface TelemetryDurations {
  readonly large: readonly number[]
  readonly small: readonly number[]
  readonly reports: readonly number[]
}
type SendRequest = (n: number) => Promise<Response>

/**
 * Measures calls and a live view for `seconds` without telemetry, then again for `seconds` with 1,000 events per second
 * and report requests. `holds`: no event was lost, and calls and video stayed within their limits.
 */
export async function measureTelemetryLoad(root: string, seconds: number): Promise<{ table: string; holds: boolean }> {
  if (seconds > MAX_SECONDS) throw new Error(`Measure ${MAX_SECONDS} seconds at most.`)
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-sinks-'))
  const system = await startSystem(root, dataFolder, ['--fresh'])
  const browser = await openBrowser()
  try {
    const env = parseEnv(readFileSync(join(dataFolder, 'run.env'), 'utf8')) as unknown as RunEnvironment
    const visitor = new Visitor(system.origin)
    await signInThroughEdge(visitor)
    const { context, page } = await openSignedInPage(browser, system.origin, '/live')
    await context.addInitScript(recordVideoFrames)
    await openLivePage(page, system.origin)
    await waitForIdleCpu()
    const at = Date.now()
    const measureLoad = async (): Promise<LoadMeasurement> => {
      const [calls, live] = await Promise.all([
        sendAtRate(seconds, CALLS_PER_SECOND, () => visitor.get(formatGatewayPath(getHomes))),
        measureFrameRates(page, seconds * 1000, TILE_COUNT),
      ])
      return { calls, live }
    }
    const quiet = await measureLoad()
    const [busy, durations] = await Promise.all([measureLoad(), sendTelemetry(seconds, visitor, env, at)])
    // Waits because the edge forwards acknowledged events to the provider with a delay.
    await sleep(PAUSE_AFTER_LOAD_MS)
    return formatResult(quiet, busy, durations, await countLostEvents(env, seconds * EVENTS_PER_SECOND, at))
  } finally {
    await browser.close()
    await system.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

async function openLivePage(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/live`)
  await page.waitForFunction(
    (minCount) => ((globalThis as { seenVideos?: unknown[] }).seenVideos ?? []).length >= minCount,
    TILE_COUNT,
  )
}

/**
 * Sends events and fetches reports in parallel. Event numbers start at 0 in the large batches and continue in the small
 * ones.
 */
async function sendTelemetry(
  seconds: number,
  visitor: Visitor,
  env: RunEnvironment,
  at: number,
): Promise<TelemetryDurations> {
  const first = seconds * LARGE_BATCHES.perSecond * LARGE_BATCHES.size
  const batch =
    (from: number, size: number): SendRequest =>
    (n) =>
      sendBatch(
        visitor,
        createBatch(...Array.from({ length: size }, (_, i) => createRawEvent(from + n * size + i, at))),
      )
  const headers = { authorization: `Admin ${env.ADMIN_KEY}` }
  const report = () => fetch(`${env.PROVIDER_ORIGIN}${ADMIN_PATHS.insights}?days=30`, { headers })
  const [large, small, reports] = await Promise.all([
    sendAtRate(seconds, LARGE_BATCHES.perSecond, batch(0, LARGE_BATCHES.size)),
    sendAtRate(seconds, SMALL_BATCHES.perSecond, batch(first, SMALL_BATCHES.size)),
    sendAtRate(seconds, REPORTS_PER_SECOND, report),
  ])
  return { large, small, reports }
}

/**
 * Sends requests at a fixed rate without waiting for earlier responses. Returns the durations of the requests, ms.
 * Throws unless every response has status 200.
 */
async function sendAtRate(seconds: number, perSecond: number, sendRequest: SendRequest): Promise<number[]> {
  const begin = performance.now()
  const calls = Array.from({ length: seconds * perSecond }, async (_, n) => {
    await sleep((n * 1000) / perSecond - (performance.now() - begin))
    const sent = performance.now()
    const answer = await sendRequest(n)
    await answer.text()
    if (answer.status !== 200) throw new Error(`The ${n + 1}th was answered ${answer.status}.`)
    return performance.now() - sent
  })
  return Promise.all(calls)
}

/** Sends all events again and returns how many the provider adds: these events were lost the first time. */
async function countLostEvents(env: RunEnvironment, count: number, at: number): Promise<number> {
  const size = 100
  let lostCount = 0
  for (let from = 0; from < count; from += size) {
    const events = Array.from({ length: Math.min(size, count - from) }, (_, i) => createStoredEvent(from + i, at))
    const answer = await sendSignedBatch(env, { events })
    lostCount += ((await answer.json()) as { data: { added: number } }).data.added
  }
  return lostCount
}

function formatResult(
  quiet: LoadMeasurement,
  busy: LoadMeasurement,
  durations: TelemetryDurations,
  lostCount: number,
): { table: string; holds: boolean } {
  const slower = computePercentile(busy.calls, 0.95) - computePercentile(quiet.calls, 0.95)
  const slowest = ({ live }: LoadMeasurement) => Math.min(...live.rates)
  const formatRow = (name: string, times: readonly number[]) =>
    `| ${name} | ${times.length} | ${computePercentile(times, 0.5).toFixed(1)} | ${computePercentile(times, 0.95).toFixed(1)} | ${Math.max(...times).toFixed(1)} |`
  const formatLiveRow = (name: string, measurement: LoadMeasurement) =>
    `| ${name} | ${measurement.live.rates.length} | ${slowest(measurement).toFixed(2)} | ${measurement.live.gap.toFixed(0)} |`
  const events = `${EVENTS_PER_SECOND} events a second`
  const table = [
    '| | requests | p50, ms | p95, ms | longest, ms |',
    '|---|---|---|---|---|',
    formatRow('calls, no telemetry', quiet.calls),
    formatRow(`calls beside ${events} and a report each second`, busy.calls),
    formatRow(`batches of ${LARGE_BATCHES.size}`, durations.large),
    formatRow(`batches of ${SMALL_BATCHES.size}`, durations.small),
    formatRow('reports of 30 days', durations.reports),
    '',
    '| live view | tiles | slowest tile, fps | longest gap between frames, ms |',
    '|---|---|---|---|',
    formatLiveRow('no telemetry', quiet),
    formatLiveRow(`beside ${events} and a report each second`, busy),
    '',
    `${lostCount} events were lost. Calls may be ${MAX_EXTRA_LATENCY_MS} ms slower at p95; the slowest tile may lose ${MAX_FPS_LOSS} picture a second.`,
  ].join('\n')
  return {
    table,
    holds: lostCount === 0 && slower <= MAX_EXTRA_LATENCY_MS && slowest(quiet) - slowest(busy) <= MAX_FPS_LOSS,
  }
}
