import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { BOXES_MAX, type DetectionTrack } from '../../../contract/events/detections.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { deleteEvents } from '../../../contract/events/timeline.ts'
import { getEvent, replayArchive, replayLive } from '../../../contract/events/event-calls.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  type Household,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

const EVENT_TIME = RECENT_TIME_MS
const TRACKS: DetectionTrack[] = [
  {
    kind: 'person',
    boxes: [
      [100, 10, 20, 30, 40],
      [250, 60, 20, 30, 40],
    ],
  },
]
const timeAt = (n: number) => EVENT_TIME + n * 60_000
const buildResource = (n: number) => ({
  begin_time: timeAt(n),
  end_time: timeAt(n) + 9000,
  resource_version: 1,
  resource_type: 's3' as const,
})

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
})
afterAll(() => neighborhood.close())

async function postEvent(event_id: string, n: number, tracks?: DetectionTrack[]) {
  const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', event_id, Buffer.from('clip'))
  const event = createBridgeEvent('door_a', event_id, {
    event_ts: timeAt(n),
    event_resources: [buildResource(n)],
    clip_object,
  })
  return neighborhood.a.bridge.postEvent({ ...event, ...(tracks && { found: tracks }) })
}
const replay = (n: number, household: Household = neighborhood.a, call = replayArchive, live = 'false') =>
  neighborhood.call(household, call, {
    device_id: 'door_a',
    product_model: 'PL-CAM-V1',
    start_time: String(timeAt(n)),
    end_time: String(timeAt(n) + 9000),
    resource_version: '1',
    resource_type: 's3',
    is_live: live,
  })

describe('detections of a clip', () => {
  test('come with the clip URL, whichever call replays it', async () => {
    await postEvent('seen', 0, TRACKS)
    for (const answer of [await replay(0), await replay(0, neighborhood.a, replayLive, 'true')]) {
      expect(answer.status).toBe(200)
      expect(answer.body.data.found).toEqual(TRACKS)
    }
  })

  test('are omitted if unknown: earlier bridge versions and motion-only cameras', async () => {
    await postEvent('plain', 1)
    const { status, body } = await replay(1)
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(['mime', 'replay_url'])
  })

  test('are in no event list, single event or feed message, which many pages hold', async () => {
    const { body: ticket } = await neighborhood.call(neighborhood.a, feedTicket)
    const socket = await openSocket(ticket.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    await postEvent('told', 2, TRACKS)
    const notification = await socket.receive((message) => message.type === 'event')
    expect(notification.event).toMatchObject({ event_id: 'told' })
    expect(notification.event).not.toHaveProperty('found')
    await socket.close()
    const details = await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id: 'told' })
    const list = await neighborhood.call(neighborhood.a, eventHistory, {
      begin_time: EVENT_TIME,
      end_time: timeAt(5),
      count: 10_000,
      device_id_list: [],
      event_tag_list: [],
      event_value_list: [],
      order_by: 2,
    })
    expect(list.body.data.event_list.length).toBeGreaterThan(2)
    expect(JSON.stringify([details.body, list.body])).not.toContain('found')
  })

  test('come with the clip of an event that was first listed without them', async () => {
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'early', { event_ts: timeAt(3), clip_state: 'uploading' }),
    )
    await postEvent('early', 3, TRACKS)
    expect((await replay(3)).body.data.found).toEqual(TRACKS)
  })

  test('are not returned to other accounts or for deleted events', async () => {
    expect((await replay(0, neighborhood.b)).status).toBe(404)
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['told'] })
    expect((await replay(2)).body.data).toBeUndefined()
  })

  test('are rejected above the maximum per clip or outside the frame', async () => {
    const many: DetectionTrack = {
      kind: 'pet',
      boxes: Array.from({ length: BOXES_MAX + 1 }, (_, i) => [i, 0, 0, 1, 1]),
    }
    const outside = { kind: 'pet', boxes: [[0, 0, 0, 1001, 1]] }
    for (const track of [many, outside]) {
      const event = { ...createBridgeEvent('door_a', 'wrong', { event_ts: timeAt(4) }), found: [track] }
      expect((await neighborhood.a.bridge.send('POST', BRIDGE_PATHS.events, { event })).status).toBe(400)
    }
  })
})
