import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS, type BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import { SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import { onboardingRegister, search } from '../../contract/search/search-calls.ts'
import { callOperator, type Operator } from '../../scripts/lib/operator.ts'
import { signIn } from '../support/edge.ts'
import { TestBridge } from '../support/home.ts'
import { Visitor } from '../support/visitor.ts'
import type { Figure } from './figure.ts'
import { ASKED } from './search-queries.ts'
import { sceneEvents } from './search-quality.ts'
import type { System } from './system.ts'
import { DAY_MS } from '../../contract/time-units.ts'

const CLIPS = 100_000
const BATCH = 500
const ROUNDS = 4
const DAYS = 13
const PLATES = 5000

/**
 * Measures the time of a search in a home of 100,000 described clips, from the client: edge, provider, home and back.
 */
export async function measureSearch(system: System, data: string): Promise<Figure[]> {
  const now = Date.now()
  await fill(parseEnv(readFileSync(join(data, 'run.env'), 'utf8')) as unknown as Operator, now)
  const visitor = new Visitor(system.origin)
  await signIn(visitor)
  await timeCall(visitor, onboardingRegister, {})
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++)
    for (const { query } of ASKED) {
      const ms = await timeCall(visitor, search, {
        ...{ device_macs_to_include: [], event_tags_to_include: [], limit: SEARCH_LIMIT, query },
        ...{ start_ts: now - DAYS * DAY_MS, end_ts: now },
      })
      /* The first round loads the index into memory. */
      if (round > 0) times.push(ms)
    }
  times.sort((a, b) => a - b)
  const at = (share: number, goal: number): Figure => ({
    what: `search: ${CLIPS.toLocaleString('en')} clips in one home, end to end, p${share * 100}`,
    ...{ value: times[Math.floor(times.length * share)] ?? Number.NaN, unit: 'ms', goal, bound: 'max' },
  })
  return [at(0.5, 30), at(0.95, 80)]
}

/** Returns the duration of the call, ms. If it is rate limited, waits as long as the response says and retries. */
async function timeCall(
  visitor: Visitor,
  call: typeof search | typeof onboardingRegister,
  input: object,
): Promise<number> {
  const started = performance.now()
  const answer = await visitor.post(`/api/p/${call.group}${call.path}`, input)
  const ms = performance.now() - started
  if (answer.status === 200) return ms
  if (answer.status === 429) {
    const { data } = (await answer.json()) as { data: { retry_after: number } }
    await new Promise((resolve) => setTimeout(resolve, data.retry_after * 1000))
    return timeCall(visitor, call, input)
  }
  throw new Error(`${call.path} was answered with ${answer.status}: ${await answer.text()}`)
}

async function fill(env: Operator, now: number): Promise<void> {
  const bridge = new TestBridge(env.PROVIDER_ORIGIN, 'bridge_bench_search')
  const enrolled = { key_hash: bridge.keyHash, name: 'Bench', homes: [DEMO_HOMES.owner] }
  await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrolled)
  const scenes = await sceneEvents()
  for (const { device_id, name } of scenes.cameras)
    await bridge.register(`bench_${device_id}`, { nickname: name, device_order: 99 })
  const step = (DAYS * DAY_MS) / CLIPS
  const clips = Array.from({ length: CLIPS }, (_, n) => buildClipEvent(scenes.events, n, Math.round(now - n * step)))
  for (const [device_id, events] of Map.groupBy(clips, (clip) => clip.device_id))
    for (let at = 0; at < events.length; at += BATCH) {
      const batch = { device_id, events: events.slice(at, at + BATCH) }
      const { status } = await bridge.send('POST', BRIDGE_PATHS.history, batch)
      if (status !== 200) throw new Error(`The history was answered with ${status}.`)
    }
}

function buildClipEvent(events: readonly BridgeEvent[], n: number, event_ts: number): BridgeEvent {
  const event = events[Math.floor(Math.random() * events.length)]
  if (!event) throw new Error('The scenes hold no action.')
  const moments = event.moments?.map(({ at_s, text }) => ({
    at_s,
    text: `${text} Plate ${Math.floor(Math.random() * PLATES)}.`,
  }))
  return {
    ...event,
    ...{ event_id: `bench_search_${n}`, device_id: `bench_${event.device_id}`, event_ts, event_resources: [] },
    ...(moments ? { moments } : {}),
  }
}
