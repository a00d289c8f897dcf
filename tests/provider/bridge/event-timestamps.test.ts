import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { deliverClip } from '../../../bridge/recording/deliver-recording.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { createMotionEvent } from '../../../bridge/recording/recorded-clip.ts'
import { ProviderClient } from '../../../bridge/uplink/provider-client.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { eventHistory, type Event } from '../../../contract/events/events.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { createBridgeEvent, openNeighborhood, TestBridge, type Neighborhood } from '../../support/home.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { MINUTE_MS } from '../../../contract/time-units.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
})
afterAll(async () => {
  vi.restoreAllMocks()
  await neighborhood.close()
})

async function listEventIds(): Promise<string[]> {
  const rest = { count: 10_000, device_id_list: [], event_tag_list: [], event_value_list: [], order_by: 2 }
  const range = { begin_time: Date.now() - MINUTE_MS, end_time: Date.now() + 60 * MINUTE_MS }
  const { body } = await neighborhood.call(neighborhood.a, eventHistory, { ...rest, ...range })
  return body.data.event_list.map((event: Event) => event.event_id)
}

test.each([
  ['ten minutes in the future', Date.now() + 10 * MINUTE_MS, /is dated 20\d\d-.* The hub’s clock was wrong/],
  ['in the year 2200', Date.UTC(2200, 0), /dated 2200-01-01T/],
  ['in 1970', 1, /dated 1970-01-01T/],
])('an event %s is rejected with a reason, alone and in a history', async (_when, event_ts, reason) => {
  const event = createBridgeEvent('door_a', 'odd', { event_ts })
  const history = { device_id: 'door_a', events: [createBridgeEvent('door_a', 'right'), event] }
  const answers = [
    await neighborhood.a.bridge.postEvent(event),
    await neighborhood.a.bridge.send('POST', BRIDGE_PATHS.history, history),
  ]
  for (const { status, body } of answers) expect([status, body.msg]).toEqual([422, expect.stringMatching(reason)])
  expect(await listEventIds()).toEqual([])
})

test('an event of a bridge whose clock is two minutes ahead is accepted', async () => {
  expect(
    (
      await neighborhood.a.bridge.postEvent(
        createBridgeEvent('door_a', 'ahead', { event_ts: Date.now() + 2 * MINUTE_MS }),
      )
    ).status,
  ).toBe(200)
  expect(await listEventIds()).toEqual(['ahead'])
})

test('a bridge sets aside a recording made under a wrong clock, with one report, and delivers the others', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'event-times-'))
  const key = Buffer.alloc(32, 3)
  const { id, keyHash, origin } = new TestBridge(neighborhood.a.bridge.origin, 'bridge_odd', key)
  await storeBridge(neighborhood.bindings, id, { key_hash: keyHash, name: 'Odd', homes: ['home_a'] }, Date.now())
  const client = new ProviderClient(origin, { bridgeId: id, key })
  await new TestBridge(origin, id, key).register('odd_a')
  const lines: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  const post = vi.spyOn(client, 'postEvent')
  const queue: RecordingQueue = new RecordingQueue(
    dataFolder,
    (entry) => ('kind' in entry ? deliverClip(client, queue, entry) : Promise.reject(new Error('no clip'))),
    { reserve: 0 },
  )
  await queue.open()
  const [wrong, right] = [createMotionEvent('odd_a', Date.UTC(2000, 0)), createMotionEvent('odd_a', Date.now())]
  for (const event of [wrong, right]) await queue.add(event.event_id, { kind: 'clip', event, clip: null, thumb: false })
  await vi.waitUntil(async () => (await queue.listWaiting()).length === 0, WAIT_OPTIONS)
  queue.retryNow()
  expect(await readdir(join(dataFolder, 'queue', 'refused'))).toEqual([`${wrong.event_id}.json`])
  expect(post.mock.calls.map(([event]) => event.event_id).sort()).toEqual([wrong.event_id, right.event_id].sort())
  expect(
    lines.filter((line) => /^bridge: ! A recording was moved to .*The hub’s clock was wrong/.test(line)),
  ).toHaveLength(1)
  expect(await listEventIds()).toContain(right.event_id)
  queue.stop()
  await rm(dataFolder, { recursive: true, force: true })
})
