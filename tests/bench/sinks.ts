import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { Page } from 'playwright'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { gatewayPath } from '../../contract/wire/call.ts'
import { getHomes } from '../../contract/cameras/devices.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { signIn } from '../support/edge.ts'
import { makeBatch, handOn, keptEvent, rawEvent, sendBatch } from '../support/measured.ts'
import { Visitor } from '../support/visitor.ts'
import { openBrowser, signedIn } from './browser.ts'
import { watch, watchVideos } from './live.ts'
import { untilQuiet } from './quiet.ts'
import { startSystem } from './system.ts'

/**
 * Batches per second and events per batch. A few large batches and many small batches add up to 1,000 events per
 * second.
 */
const LARGE = { aSecond: 6, size: 150 } as const
const SMALL = { aSecond: 10, size: 10 } as const
const EVENTS_A_SECOND = LARGE.aSecond * LARGE.size + SMALL.aSecond * SMALL.size
const CALLS_A_SECOND = 10
/** Report requests per second. Each request fetches the last 30 days, as an operator does. */
const REPORTS_A_SECOND = 1
/**
 * Maximum duration, s. A longer run would exceed the batches per minute of one IP address, or the events stored per
 * day.
 */
const SECONDS_MAX = 15
/** Maximum increase of the calls' 95th percentile duration while the events are sent, ms. */
const SLOWER_MS = 50
const TILES = 4
/** Maximum decrease of the slowest tile's frame rate while the events are sent, frames per second. */
const FEWER = 1
const SETTLE_MS = 3000

/** Durations of calls, ms, and measurements of the live view, from the same period. */
interface Look {
  readonly calls: readonly number[]
  readonly live: Awaited<ReturnType<typeof watch>>
}
interface Flood {
  readonly large: readonly number[]
  readonly small: readonly number[]
  readonly reports: readonly number[]
}
type Ask = (n: number) => Promise<Response>

/**
 * Measures calls of a signed-in page and a live view for `seconds`: first alone, then beside 1,000 events per second
 * and report requests. Returns a table; `holds`: no event was lost, and calls and video stayed within the limits.
 */
export async function measureSinks(root: string, seconds: number): Promise<{ table: string; holds: boolean }> {
  if (seconds > SECONDS_MAX) throw new Error(`Measure ${SECONDS_MAX} seconds at most.`)
  const data = mkdtempSync(join(tmpdir(), 'porchlight-sinks-'))
  const system = await startSystem(root, data, ['--fresh'])
  const browser = await openBrowser()
  try {
    const env = parseEnv(readFileSync(join(data, 'run.env'), 'utf8')) as unknown as RunEnvironment
    const visitor = new Visitor(system.origin)
    await signIn(visitor)
    const { context, page } = await signedIn(browser, system.origin, '/live')
    await context.addInitScript(watchVideos)
    await play(page, system.origin)
    await untilQuiet()
    const at = Date.now()
    const measureLoad = async (): Promise<Look> => {
      const [calls, live] = await Promise.all([
        paced(seconds, CALLS_A_SECOND, () => visitor.get(gatewayPath(getHomes))),
        watch(page, seconds * 1000, TILES),
      ])
      return { calls, live }
    }
    const quiet = await measureLoad()
    const [busy, flood] = await Promise.all([measureLoad(), flow(seconds, visitor, env, at)])
    // Acknowledged events are still on their way to the provider.
    await sleep(SETTLE_MS)
    return conclude(quiet, busy, flood, await missing(env, seconds * EVENTS_A_SECOND, at))
  } finally {
    await browser.close()
    await system.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function play(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/live`)
  await page.waitForFunction(
    (minCount) => ((globalThis as { seenVideos?: unknown[] }).seenVideos ?? []).length >= minCount,
    TILES,
  )
}

/** Sends the events and fetches reports in parallel. Events are numbered from 0, the large batches first. */
async function flow(seconds: number, visitor: Visitor, env: RunEnvironment, at: number): Promise<Flood> {
  const first = seconds * LARGE.aSecond * LARGE.size
  const batch =
    (from: number, size: number): Ask =>
    (n) =>
      sendBatch(visitor, makeBatch(...Array.from({ length: size }, (_, i) => rawEvent(from + n * size + i, at))))
  const headers = { authorization: `Admin ${env.ADMIN_KEY}` }
  const report = () => fetch(`${env.PROVIDER_ORIGIN}${ADMIN_PATHS.insights}?days=30`, { headers })
  const [large, small, reports] = await Promise.all([
    paced(seconds, LARGE.aSecond, batch(0, LARGE.size)),
    paced(seconds, SMALL.aSecond, batch(first, SMALL.size)),
    paced(seconds, REPORTS_A_SECOND, report),
  ])
  return { large, small, reports }
}

/**
 * Sends requests at a fixed rate without waiting for earlier responses. Returns their durations, ms. Throws if one
 * fails.
 */
async function paced(seconds: number, aSecond: number, ask: Ask): Promise<number[]> {
  const begin = performance.now()
  const calls = Array.from({ length: seconds * aSecond }, async (_, n) => {
    await sleep((n * 1000) / aSecond - (performance.now() - begin))
    const sent = performance.now()
    const answer = await ask(n)
    await answer.text()
    if (answer.status !== 200) throw new Error(`The ${n + 1}th was answered ${answer.status}.`)
    return performance.now() - sent
  })
  return Promise.all(calls)
}

/**
 * Returns the number of lost events. Sends all events again: the provider adds only those that it has not stored yet.
 */
async function missing(env: RunEnvironment, count: number, at: number): Promise<number> {
  const size = 100
  let lost = 0
  for (let from = 0; from < count; from += size) {
    const events = Array.from({ length: Math.min(size, count - from) }, (_, i) => keptEvent(from + i, at))
    const answer = await handOn(env, { events })
    lost += ((await answer.json()) as { data: { added: number } }).data.added
  }
  return lost
}

function conclude(quiet: Look, busy: Look, flood: Flood, lost: number): { table: string; holds: boolean } {
  const slower = percentile(busy.calls, 0.95) - percentile(quiet.calls, 0.95)
  const slowest = ({ live }: Look) => Math.min(...live.rates)
  const row = (name: string, times: readonly number[]) =>
    `| ${name} | ${times.length} | ${percentile(times, 0.5).toFixed(1)} | ${percentile(times, 0.95).toFixed(1)} | ${Math.max(...times).toFixed(1)} |`
  const view = (name: string, look: Look) =>
    `| ${name} | ${look.live.rates.length} | ${slowest(look).toFixed(2)} | ${look.live.gap.toFixed(0)} |`
  const events = `${EVENTS_A_SECOND} events a second`
  const table = [
    '| | asked | p50, ms | p95, ms | longest, ms |',
    '|---|---|---|---|---|',
    row('calls, quiet', quiet.calls),
    row(`calls beside ${events} and a report each second`, busy.calls),
    row(`batches of ${LARGE.size}`, flood.large),
    row(`batches of ${SMALL.size}`, flood.small),
    row('reports of 30 days', flood.reports),
    '',
    '| live view | tiles | slowest, pictures a second | longest without one, ms |',
    '|---|---|---|---|',
    view('quiet', quiet),
    view(`beside ${events} and a report each second`, busy),
    '',
    `${lost} events were lost. Calls may be ${SLOWER_MS} ms slower at p95; the slowest tile may lose ${FEWER} picture a second.`,
  ].join('\n')
  return { table, holds: lost === 0 && slower <= SLOWER_MS && slowest(quiet) - slowest(busy) <= FEWER }
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}
