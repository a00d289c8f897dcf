import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WatchedCamera } from '../../../contract/bridge/bridge-protocol.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { makeEvent, openNeighborhood, type Neighborhood } from '../../support/home.ts'
import type { Socket } from '../../support/socket.ts'
import { SECOND_MS } from '../../../contract/time-units.ts'

let town: Neighborhood
let socket: Socket
let camera = ''
let at = 0
beforeAll(async () => {
  town = await openNeighborhood()
})
afterAll(() => town.close())

let count = 0
beforeEach(async () => {
  camera = `watched_${(count += 1)}`
  await town.a.bridge.register(camera)
  at = Date.now() - 50 * SECOND_MS
})

/**
 * Connects a bridge with one camera, which the home then records as awake since `at`. `isEarlier`: the bridge is an
 * earlier version that does not report detection coverage.
 */
async function connect(isEarlier = false): Promise<void> {
  socket = await town.a.bridge.control()
  const reportedCamera = { device_id: camera, state: 'awake', reason: '', since: at }
  socket.send({ type: 'hello', version: '9', cameras: [reportedCamera], ...(!isEarlier && { tells_watched: true }) })
  await socket.receive((message) => message.type === 'welcome')
  await socket.ping()
  // The home starts a state run when it learns of the state, so the test moves the start of the run back to `at`.
  const storage = await town.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
  await storage.exec(`DELETE FROM camera_state_runs WHERE device_id = '${camera}'`)
  await storage.exec(`INSERT INTO camera_state_runs VALUES ('${camera}', ${at}, 'awake', '')`)
}
type Span = WatchedCamera['spans'][number]
/** Converts seconds after `at` to a timestamp, ms. */
const instant = (seconds: number) => at + Math.round(seconds * SECOND_MS)
async function reportSpans(spans: [number, number, Span[2]?][], waiting: [number, number][] = []): Promise<void> {
  const shifted = spans.map(([from, to, kind = 'watched']) => [instant(from), instant(to), kind])
  const waits = waiting.map(([from, to]) => [instant(from), instant(to)])
  socket.send({ type: 'watched', cameras: [{ device_id: camera, spans: shifted, waiting: waits }] })
  await socket.ping()
}
/** Returns the timeline for the first `seconds` seconds after `at` as `[from, to, state, reason]`, in seconds. */
async function runs(seconds: number): Promise<[number, number, string, string][]> {
  const range = { device_ids: [camera], begin_time: at, end_time: instant(seconds) }
  const { body } = await town.call(town.a, timeline, range)
  return (body.data.devices[0].runs as TimelineRun[]).map(([from, to, state, reason]) => [
    (from - at) / SECOND_MS,
    (to - at) / SECOND_MS,
    state,
    reason,
  ])
}
const QUIET = expect.stringContaining('nothing moved')
const NOBODY = expect.stringContaining('nobody looked')
const UNTOLD = expect.stringContaining('not said')

describe('the timeline of a bridge that reports detection coverage', () => {
  test('reports no motion up to the covered time, and unknown after it', async () => {
    await connect()
    await reportSpans([[0, 20]])
    expect(await runs(40)).toEqual([
      [0, 20, 'live_only', QUIET],
      [20, 40, 'not_indexed', UNTOLD],
    ])
    await reportSpans([[0, 30]])
    expect(await runs(40)).toEqual([
      [0, 30, 'live_only', QUIET],
      [30, 40, 'not_indexed', UNTOLD],
    ])
  })

  test('shows a recording that waits at the bridge until its event arrives with the clip', async () => {
    await connect()
    await reportSpans([[0, 40]], [[10, 20]])
    const waits = [10, 20, 'not_indexed', expect.stringContaining('waits')]
    const quiet = (from: number, to: number) => [from, to, 'live_only', QUIET]
    expect(await runs(40)).toEqual([quiet(0, 10), waits, quiet(20, 40)])
    const [begin_time, end_time] = [at + 10 * SECOND_MS, at + 20 * SECOND_MS]
    const clip_object = await town.a.bridge.upload(camera, 'clip', `clip_${camera}`, Buffer.from('clip'))
    const event_resources = [{ begin_time, end_time, resource_version: 1, resource_type: 's3' as const }]
    const event = { event_ts: begin_time, event_resources, clip_object }
    expect((await town.a.bridge.post(makeEvent(camera, `clip_${camera}`, event))).status).toBe(200)
    expect(await runs(40)).toEqual([quiet(0, 10), [10, 20, 'recorded', ''], quiet(20, 40)])
  })

  test('keeps coverage gaps and spans for which the owner turned motion events off', async () => {
    await connect()
    await reportSpans([[0, 9]])
    // The bridge slept from 10 s to 30 s. After waking, it reports the exact end of its coverage (10 s), which is later
    // than its last report said (9 s).
    await reportSpans([[0, 10], [30, 31]]) // prettier-ignore
    await reportSpans([[0, 10], [30, 32], [32, 33, 'motion_off']]) // prettier-ignore
    const off = expect.stringContaining('switched off')
    const first = [
      [0, 10, 'live_only', QUIET],
      [10, 30, 'not_watched', NOBODY],
      [30, 32, 'live_only', QUIET],
    ]
    expect(await runs(33)).toEqual([...first, [32, 33, 'not_watched', off]])
    await reportSpans([[30, 32], [32, 36, 'motion_off'], [36, 40]]) // prettier-ignore
    const all = [...first, [32, 36, 'not_watched', off], [36, 40, 'live_only', QUIET]]
    expect(await runs(40)).toEqual(all)
    // A restarted bridge knows nothing about the time before its start, so 40 s to 42 s become a coverage gap.
    await reportSpans([[42, 43]])
    expect(await runs(43)).toEqual([...all, [40, 42, 'not_watched', NOBODY], [42, 43, 'live_only', QUIET]])
  })

  test('claims nothing after the last coverage of a bridge that is still connected', async () => {
    at -= 100 * SECOND_MS
    await connect()
    await reportSpans([[0, 20]])
    const [, rest] = await runs(100)
    expect(rest).toEqual([20, 100, 'not_watched', UNTOLD])
  })

  test('keeps coverage after a disconnect or provider restart, and discards it if a bridge reports none', async () => {
    await connect()
    await reportSpans([[0, 20]], [[25, 30]])
    await socket.close()
    await town.stage.provider.getWorker().evictDurableObject('Bridge', { name: 'bridge_a' })
    const expected = [
      [0, 20, 'live_only', QUIET],
      [20, 25, 'not_indexed', UNTOLD],
      [25, 30, 'not_indexed', expect.stringContaining('waits in the box at home')],
    ]
    expect(await runs(30)).toEqual(expected)
    await connect(true)
    expect(await runs(30)).toEqual([[0, 30, 'live_only', QUIET]])
  })

  test('does not accept coverage of the future or of another home’s camera', async () => {
    await connect()
    await town.b.bridge.register(`${camera}_b`)
    await reportSpans([[0, 3600]])
    const bridge = town.bindings.BRIDGES.getByName('bridge_a')
    const [coverage] = await bridge.watched([camera])
    expect(coverage?.present[1]).toBeLessThanOrEqual(Date.now())
    const spans = [[at, at + SECOND_MS, 'watched']]
    socket.send({ type: 'watched', cameras: [{ device_id: `${camera}_b`, spans, waiting: [] }, { device_id: 7 }] })
    await socket.ping()
    expect(await bridge.watched([`${camera}_b`])).toEqual([])
  })

  test('claims nothing before a bridge’s first report, nor for what that report does not cover', async () => {
    await connect()
    const untold = await town.bindings.BRIDGES.getByName('bridge_a').watched([camera])
    const [[came] = [0]] = untold.map(({ present }) => present as [number, number, string])
    expect(came).toBeGreaterThan(at)
    const seconds = (came - at) / SECOND_MS
    const later = (came + 4 - at) / SECOND_MS
    await reportSpans([[later, (came + 8 - at) / SECOND_MS]])
    expect(await runs(later)).toEqual([
      [0, seconds, 'live_only', QUIET],
      [seconds, later, 'not_watched', NOBODY],
    ])
  })
})
