import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { gatewayPath } from '../../contract/call.ts'
import { getHomes } from '../../contract/devices.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { signIn } from '../support/edge.ts'
import { batchOf, handOn, keptEvent, rawEvent, sendBatch } from '../support/measured.ts'
import { Visitor } from '../support/visitor.ts'
import { untilQuiet } from './quiet.ts'
import { startSystem } from './system.ts'

const EVENTS_A_SECOND = 1000
const BATCHES_A_SECOND = 10
const CALLS_A_SECOND = 10
/** A call beside the events may take so much longer than a quiet one, ms of the 95th of 100. */
const SLOWER_MS = 50
const SETTLE_MS = 3000

/** What was asked beside each other for the same time; times in ms. */
interface Look {
  readonly calls: readonly number[]
  readonly batches: readonly number[]
}

/** 1,000 events a second for `seconds` beside calls of a signed-in page; answers a table, and whether nothing was lost or held up. */
export async function measureSinks(root: string, seconds: number): Promise<{ table: string; holds: boolean }> {
  const data = mkdtempSync(join(tmpdir(), 'porchlight-sinks-'))
  const system = await startSystem(root, data, ['--fresh'])
  try {
    const visitor = new Visitor(system.origin)
    await signIn(visitor)
    await untilQuiet()
    const at = Date.now()
    const size = EVENTS_A_SECOND / BATCHES_A_SECOND
    const numbers = (n: number) => Array.from({ length: size }, (_, i) => n * size + i)
    const call = () => visitor.get(gatewayPath(getHomes))
    const batch = (n: number) => sendBatch(visitor, batchOf(...numbers(n).map((one) => rawEvent(one, at))))
    const quiet: Look = { calls: await paced(seconds, CALLS_A_SECOND, call), batches: [] }
    const [calls, batches] = await Promise.all([
      paced(seconds, CALLS_A_SECOND, call),
      paced(seconds, BATCHES_A_SECOND, batch),
    ])
    const env = parseEnv(readFileSync(join(data, 'run.env'), 'utf8')) as unknown as RunEnvironment
    // What was answered is still on its way to the provider.
    await sleep(SETTLE_MS)
    let lost = 0
    for (let n = 0; n < seconds * BATCHES_A_SECOND; n++) lost += await missing(env, numbers(n), at)
    return conclude(quiet, { calls, batches }, lost)
  } finally {
    await system.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

/** Asks at an even pace, whether or not the last one is answered; answers how long each took. Throws at one that fails. */
async function paced(seconds: number, aSecond: number, ask: (n: number) => Promise<Response>): Promise<number[]> {
  const begin = performance.now()
  const asked = Array.from({ length: seconds * aSecond }, async (_, n) => {
    await sleep((n * 1000) / aSecond - (performance.now() - begin))
    const sent = performance.now()
    const answer = await ask(n)
    await answer.text()
    if (answer.status !== 200) throw new Error(`The ${n + 1}th was answered ${answer.status}.`)
    return performance.now() - sent
  })
  return Promise.all(asked)
}

/** How many of the events are not kept: only those are added when the provider is handed all of them again. */
async function missing(env: RunEnvironment, numbers: readonly number[], at: number): Promise<number> {
  const answer = await handOn(env, { events: numbers.map((one) => keptEvent(one, at)) })
  return ((await answer.json()) as { data: { added: number } }).data.added
}

function conclude(quiet: Look, busy: Look, lost: number): { table: string; holds: boolean } {
  const slower = percentile(busy.calls, 0.95) - percentile(quiet.calls, 0.95)
  const row = (name: string, times: readonly number[]) =>
    `| ${name} | ${times.length} | ${percentile(times, 0.5).toFixed(1)} | ${percentile(times, 0.95).toFixed(1)} | ${Math.max(...times).toFixed(1)} |`
  const events = `${EVENTS_A_SECOND} events a second`
  const table = [
    '| | asked | p50, ms | p95, ms | longest, ms |',
    '|---|---|---|---|---|',
    row('calls, quiet', quiet.calls),
    row(`calls beside ${events}`, busy.calls),
    row(`batches of ${EVENTS_A_SECOND / BATCHES_A_SECOND}`, busy.batches),
    '',
    `${lost} events were lost. Calls may be ${SLOWER_MS} ms slower at p95.`,
  ].join('\n')
  return { table, holds: lost === 0 && slower <= SLOWER_MS }
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}
