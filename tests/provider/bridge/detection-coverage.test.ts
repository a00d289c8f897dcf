import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CameraCoverage } from '../../../contract/bridge/detection-coverage.ts'
import { timeline, type TimelineRun } from '../../../contract/events/timeline.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../support/home.ts'
import type { TestSocket } from '../../support/socket.ts'
import { SECOND_MS } from '../../../contract/time-units.ts'

let neighborhood: Neighborhood
let socket: TestSocket
let camera = ''
let startTime = 0
beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(() => neighborhood.close())

let cameraCount = 0
beforeEach(async () => {
  camera = `watched_${(cameraCount += 1)}`
  await neighborhood.a.bridge.register(camera)
  startTime = Date.now() - 50 * SECOND_MS
})

/**
 * Connects a bridge with one camera, which the home then records as awake since `startTime`. `isEarlier`: the bridge is
 * an earlier version that does not report detection coverage.
 */
async function connectBridge(isEarlier = false): Promise<void> {
  socket = await neighborhood.a.bridge.openControlSocket()
  const reportedCamera = { device_id: camera, state: 'awake', reason: '', since: startTime }
  socket.send({ type: 'hello', version: '9', cameras: [reportedCamera], ...(!isEarlier && { tells_watched: true }) })
  await socket.receive((message) => message.type === 'welcome')
  await socket.ping()
  // The home starts a state run when it receives the state. Move the start of the run back to `startTime`.
  const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
  await storage.exec(`DELETE FROM camera_state_runs WHERE device_id = '${camera}'`)
  await storage.exec(`INSERT INTO camera_state_runs VALUES ('${camera}', ${startTime}, 'awake', '')`)
}
type Span = CameraCoverage['spans'][number]
/** Converts seconds after `startTime` to a timestamp, ms. */
const toTimestamp = (seconds: number) => startTime + Math.round(seconds * SECOND_MS)
async function reportSpans(spans: [number, number, Span[2]?][], waiting: [number, number][] = []): Promise<void> {
  const shifted = spans.map(([from, to, kind = 'watched']) => [toTimestamp(from), toTimestamp(to), kind])
  const waits = waiting.map(([from, to]) => [toTimestamp(from), toTimestamp(to)])
  socket.send({ type: 'watched', cameras: [{ device_id: camera, spans: shifted, waiting: waits }] })
  await socket.ping()
}
/** Returns the timeline from `startTime` on as `[from, to, state, reason]`, all times in seconds after `startTime`. */
async function readTimeline(seconds: number): Promise<[number, number, string, string][]> {
  const range = { device_ids: [camera], begin_time: startTime, end_time: toTimestamp(seconds) }
  const { body } = await neighborhood.call(neighborhood.a, timeline, range)
  return (body.data.devices[0].runs as TimelineRun[]).map(([from, to, state, reason]) => [
    (from - startTime) / SECOND_MS,
    (to - startTime) / SECOND_MS,
    state,
    reason,
  ])
}
const NO_MOTION = expect.stringContaining('nothing moved')
const NOT_COVERED = expect.stringContaining('wasn’t monitored')
const NOT_REPORTED = expect.stringContaining('hasn’t sent data')

describe('the timeline of a bridge that reports detection coverage', () => {
  test('reports no motion up to the covered time, and unknown after it', async () => {
    await connectBridge()
    await reportSpans([[0, 20]])
    expect(await readTimeline(40)).toEqual([
      [0, 20, 'live_only', NO_MOTION],
      [20, 40, 'not_indexed', NOT_REPORTED],
    ])
    await reportSpans([[0, 30]])
    expect(await readTimeline(40)).toEqual([
      [0, 30, 'live_only', NO_MOTION],
      [30, 40, 'not_indexed', NOT_REPORTED],
    ])
  })

  test('shows a recording that waits at the bridge until its event arrives with the clip', async () => {
    await connectBridge()
    await reportSpans([[0, 40]], [[10, 20]])
    const waits = [10, 20, 'not_indexed', expect.stringContaining('waiting to upload')]
    const noMotion = (from: number, to: number) => [from, to, 'live_only', NO_MOTION]
    expect(await readTimeline(40)).toEqual([noMotion(0, 10), waits, noMotion(20, 40)])
    const [begin_time, end_time] = [startTime + 10 * SECOND_MS, startTime + 20 * SECOND_MS]
    const clip_object = await neighborhood.a.bridge.upload(camera, 'clip', `clip_${camera}`, Buffer.from('clip'))
    const event_resources = [{ begin_time, end_time, resource_version: 1, resource_type: 's3' as const }]
    const event = { event_ts: begin_time, event_resources, clip_object }
    expect((await neighborhood.a.bridge.postEvent(createBridgeEvent(camera, `clip_${camera}`, event))).status).toBe(200)
    expect(await readTimeline(40)).toEqual([noMotion(0, 10), [10, 20, 'recorded', ''], noMotion(20, 40)])
  })

  test('keeps coverage gaps and spans for which the owner turned motion events off', async () => {
    await connectBridge()
    await reportSpans([[0, 9]])
    // The bridge slept from 10 s to 30 s. After waking, it reports the exact end of its coverage (10 s), which is later
    // than its last report said (9 s).
    await reportSpans([[0, 10], [30, 31]]) // prettier-ignore
    await reportSpans([[0, 10], [30, 32], [32, 33, 'motion_off']]) // prettier-ignore
    const off = expect.stringContaining('was off')
    const first = [
      [0, 10, 'live_only', NO_MOTION],
      [10, 30, 'not_watched', NOT_COVERED],
      [30, 32, 'live_only', NO_MOTION],
    ]
    expect(await readTimeline(33)).toEqual([...first, [32, 33, 'not_watched', off]])
    await reportSpans([[30, 32], [32, 36, 'motion_off'], [36, 40]]) // prettier-ignore
    const all = [...first, [32, 36, 'not_watched', off], [36, 40, 'live_only', NO_MOTION]]
    expect(await readTimeline(40)).toEqual(all)
    // A restarted bridge reports no coverage before its start, so the time from 40 s to 42 s becomes a coverage gap.
    await reportSpans([[42, 43]])
    expect(await readTimeline(43)).toEqual([
      ...all,
      [40, 42, 'not_watched', NOT_COVERED],
      [42, 43, 'live_only', NO_MOTION],
    ])
  })

  test('claims nothing after the last coverage of a bridge that is still connected', async () => {
    startTime -= 100 * SECOND_MS
    await connectBridge()
    await reportSpans([[0, 20]])
    const [, rest] = await readTimeline(100)
    expect(rest).toEqual([20, 100, 'not_watched', NOT_REPORTED])
  })

  test('keeps coverage after a disconnect or provider restart, and discards it if a bridge reports none', async () => {
    await connectBridge()
    await reportSpans([[0, 20]], [[25, 30]])
    await socket.close()
    await neighborhood.stage.provider.getWorker().evictDurableObject('Bridge', { name: 'bridge_a' })
    const expected = [
      [0, 20, 'live_only', NO_MOTION],
      [20, 25, 'not_indexed', NOT_REPORTED],
      [25, 30, 'not_indexed', expect.stringContaining('waiting to upload')],
    ]
    expect(await readTimeline(30)).toEqual(expected)
    await connectBridge(true)
    expect(await readTimeline(30)).toEqual([[0, 30, 'live_only', NO_MOTION]])
  })

  test('does not accept coverage of the future or of another home’s camera', async () => {
    await connectBridge()
    await neighborhood.b.bridge.register(`${camera}_b`)
    await reportSpans([[0, 3600]])
    const bridge = neighborhood.bindings.BRIDGES.getByName('bridge_a')
    const [coverage] = await bridge.getDetectionCoverage([camera])
    expect(coverage?.present[1]).toBeLessThanOrEqual(Date.now())
    const spans = [[startTime, startTime + SECOND_MS, 'watched']]
    socket.send({ type: 'watched', cameras: [{ device_id: `${camera}_b`, spans, waiting: [] }, { device_id: 7 }] })
    await socket.ping()
    expect(await bridge.getDetectionCoverage([`${camera}_b`])).toEqual([])
  })

  test('claims nothing before a bridge’s first report, nor for what that report does not cover', async () => {
    await connectBridge()
    const coverage = await neighborhood.bindings.BRIDGES.getByName('bridge_a').getDetectionCoverage([camera])
    const [[presentFrom] = [0]] = coverage.map(({ present }) => present as [number, number, string])
    expect(presentFrom).toBeGreaterThan(startTime)
    const seconds = (presentFrom - startTime) / SECOND_MS
    const later = (presentFrom + 4 - startTime) / SECOND_MS
    await reportSpans([[later, (presentFrom + 8 - startTime) / SECOND_MS]])
    expect(await readTimeline(later)).toEqual([
      [0, seconds, 'live_only', NO_MOTION],
      [seconds, later, 'not_watched', NOT_COVERED],
    ])
  })
})
