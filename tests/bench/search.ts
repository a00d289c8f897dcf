import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS, type BridgeEvent } from '../../contract/bridge/bridge-protocol.ts'
import { SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import { onboardingRegister, search } from '../../contract/search/search-calls.ts'
import { callOperator, type OperatorCredentials } from '../../scripts/lib/operator.ts'
import { signInThroughEdge } from '../support/edge.ts'
import { TestBridge } from '../support/home.ts'
import { Visitor } from '../support/visitor.ts'
import type { Figure } from './figure.ts'
import { GRADED_QUERIES } from './search-queries.ts'
import { buildSceneEvents } from './search-quality.ts'
import type { System } from './system.ts'
import { DAY_MS } from '../../contract/time-units.ts'

const CLIP_COUNT = 100_000
const BATCH_SIZE = 500
const ROUNDS = 4
const CLIP_SPAN_DAYS = 13
const PLATE_COUNT = 5000

/** Measures the end-to-end time of a search request in a home with 100,000 described clips. */
export async function measureSearch(system: System, dataFolder: string): Promise<Figure[]> {
  const now = Date.now()
  await postClips(parseEnv(readFileSync(join(dataFolder, 'run.env'), 'utf8')) as unknown as OperatorCredentials, now)
  const visitor = new Visitor(system.origin)
  await signInThroughEdge(visitor)
  await timeCall(visitor, onboardingRegister, {})
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++)
    for (const { query } of GRADED_QUERIES) {
      const ms = await timeCall(visitor, search, {
        device_macs_to_include: [],
        event_tags_to_include: [],
        limit: SEARCH_LIMIT,
        query,
        start_ts: now - CLIP_SPAN_DAYS * DAY_MS,
        end_ts: now,
      })
      /* The first round only loads the index into memory and is not measured. */
      if (round > 0) times.push(ms)
    }
  times.sort((a, b) => a - b)
  const createFigure = (share: number, goal: number): Figure => ({
    label: `search: ${CLIP_COUNT.toLocaleString('en')} clips in one home, end to end, p${share * 100}`,
    value: times[Math.floor(times.length * share)] ?? Number.NaN,
    unit: 'ms',
    goal,
    bound: 'max',
  })
  return [createFigure(0.5, 30), createFigure(0.95, 80)]
}

/** Returns the duration of the call, ms. If the portal or the provider limits the rate, waits and retries. */
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
    const { data } = (await answer.json()) as { data?: { retry_after: number } }
    const seconds = data?.retry_after ?? Number(answer.headers.get('retry-after'))
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    return timeCall(visitor, call, input)
  }
  throw new Error(`${call.path} returned ${answer.status}: ${await answer.text()}`)
}

async function postClips(env: OperatorCredentials, now: number): Promise<void> {
  const bridge = new TestBridge(env.PROVIDER_ORIGIN, 'bridge_bench_search')
  const enrollment = { key_hash: bridge.keyHash, name: 'Bench', homes: [DEMO_HOMES.owner] }
  await callOperator(env, 'PUT', `${ADMIN_PATHS.bridges}/${bridge.id}`, enrollment)
  const scenes = await buildSceneEvents()
  for (const { device_id, name } of scenes.cameras)
    await bridge.register(`bench_${device_id}`, { nickname: name, device_order: 99 })
  const intervalMs = (CLIP_SPAN_DAYS * DAY_MS) / CLIP_COUNT
  const clips = Array.from({ length: CLIP_COUNT }, (_, n) =>
    buildClipEvent(scenes.events, n, Math.round(now - n * intervalMs)),
  )
  for (const [device_id, events] of Map.groupBy(clips, (clip) => clip.device_id))
    for (let at = 0; at < events.length; at += BATCH_SIZE) {
      const batch = { device_id, events: events.slice(at, at + BATCH_SIZE) }
      const { status } = await bridge.send('POST', BRIDGE_PATHS.history, batch)
      if (status !== 200) throw new Error(`Posting the history returned ${status}.`)
    }
}

function buildClipEvent(events: readonly BridgeEvent[], n: number, event_ts: number): BridgeEvent {
  const event = events[Math.floor(Math.random() * events.length)]
  if (!event) throw new Error('The scenes contain no action.')
  const moments = event.moments?.map(({ at_s, text }) => ({
    at_s,
    text: `${text} Plate ${Math.floor(Math.random() * PLATE_COUNT)}.`,
  }))
  return {
    ...event,
    event_id: `bench_search_${n}`,
    device_id: `bench_${event.device_id}`,
    event_ts,
    event_resources: [],
    ...(moments ? { moments } : {}),
  }
}
