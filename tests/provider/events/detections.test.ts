import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { BOXES_MAX, type DetectionTrack } from '../../../contract/events/detections.ts'
import { eventHistory } from '../../../contract/events/events.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { deleteEvents } from '../../../contract/events/timeline.ts'
import { getEvent, replayArchive, replayLive } from '../../../contract/events/event-calls.ts'
import { makeEvent, openNeighborhood, type Household, type Neighborhood, RECENT } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

const T = RECENT
const TRACKS: DetectionTrack[] = [
  {
    kind: 'person',
    boxes: [
      [100, 10, 20, 30, 40],
      [250, 60, 20, 30, 40],
    ],
  },
]
const at = (n: number) => T + n * 60_000
const resource = (n: number) => ({
  begin_time: at(n),
  end_time: at(n) + 9000,
  resource_version: 1,
  resource_type: 's3' as const,
})

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a')
})
afterAll(() => town.close())

async function post(event_id: string, n: number, found?: DetectionTrack[]) {
  const clip_object = await town.a.bridge.upload('door_a', 'clip', event_id, Buffer.from('clip'))
  const event = makeEvent('door_a', event_id, { event_ts: at(n), event_resources: [resource(n)], clip_object })
  return town.a.bridge.post({ ...event, ...(found && { found }) })
}
const replay = (n: number, as: Household = town.a, call = replayArchive, live = 'false') =>
  town.call(as, call, {
    device_id: 'door_a',
    product_model: 'PL-CAM-V1',
    start_time: String(at(n)),
    end_time: String(at(n) + 9000),
    resource_version: '1',
    resource_type: 's3',
    is_live: live,
  })

describe('detections of a clip', () => {
  test('come with the clip URL, whichever call replays it', async () => {
    await post('seen', 0, TRACKS)
    for (const answer of [await replay(0), await replay(0, town.a, replayLive, 'true')]) {
      expect(answer.status).toBe(200)
      expect(answer.body.data.found).toEqual(TRACKS)
    }
  })

  test('are omitted if unknown: earlier bridge versions and motion-only cameras', async () => {
    await post('plain', 1)
    const { status, body } = await replay(1)
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(['mime', 'replay_url'])
  })

  test('are in no event list, single event or feed message, which many pages hold', async () => {
    const { body: ticket } = await town.call(town.a, feedTicket)
    const socket = await openSocket(ticket.data.url, { origin: town.stage.env.PORTAL_ORIGIN })
    await post('told', 2, TRACKS)
    const news = await socket.receive((message) => message.type === 'event')
    expect(news.event).toMatchObject({ event_id: 'told' })
    expect(news.event).not.toHaveProperty('found')
    await socket.close()
    const details = await town.call(town.a, getEvent, { device_id: 'door_a', event_id: 'told' })
    const list = await town.call(town.a, eventHistory, {
      begin_time: T,
      end_time: at(5),
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
    await town.a.bridge.post(makeEvent('door_a', 'early', { event_ts: at(3), clip_state: 'uploading' }))
    await post('early', 3, TRACKS)
    expect((await replay(3)).body.data.found).toEqual(TRACKS)
  })

  test('are not returned to other accounts or for deleted events', async () => {
    expect((await replay(0, town.b)).status).toBe(404)
    await town.call(town.a, deleteEvents, { event_ids: ['told'] })
    expect((await replay(2)).body.data).toBeUndefined()
  })

  test('are rejected above the maximum per clip or outside the frame', async () => {
    const many: DetectionTrack = {
      kind: 'pet',
      boxes: Array.from({ length: BOXES_MAX + 1 }, (_, i) => [i, 0, 0, 1, 1]),
    }
    const outside = { kind: 'pet', boxes: [[0, 0, 0, 1001, 1]] }
    for (const track of [many, outside]) {
      const event = { ...makeEvent('door_a', 'wrong', { event_ts: at(4) }), found: [track] }
      expect((await town.a.bridge.send('POST', BRIDGE_PATHS.events, { event })).status).toBe(400)
    }
  })
})
