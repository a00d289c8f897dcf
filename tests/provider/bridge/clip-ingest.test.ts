import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS, type PostClipRequest } from '../../../contract/bridge/bridge-protocol.ts'
import { eventHistory, type Event } from '../../../contract/events/events.ts'
import { getEvent, replayArchive } from '../../../contract/events/event-calls.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood, RECENT_TIME_MS } from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

const EVENT_TIME = RECENT_TIME_MS
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const resource = {
  begin_time: EVENT_TIME,
  end_time: EVENT_TIME + 9000,
  resource_version: 1,
  resource_type: 's3' as const,
}
const attachClip = (event_id: string, change: Partial<PostClipRequest> = {}) =>
  neighborhood.a.bridge.send('POST', BRIDGE_PATHS.clip, {
    device_id: 'door_a',
    event_id,
    clip_object: null,
    thumb_object: null,
    event_resources: [],
    ...change,
  })
const postEarlyEvent = (event_id: string) =>
  neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', event_id, { event_ts: EVENT_TIME, clip_state: 'uploading' }),
  )
const readEvent = async (event_id: string): Promise<Event> =>
  (await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id })).body.data
async function findListedEvent(event_id: string): Promise<Event> {
  const query = {
    begin_time: EVENT_TIME - 1000,
    end_time: EVENT_TIME + 1000,
    count: 10_000,
    device_id_list: [],
    event_tag_list: [],
    event_value_list: [],
    order_by: 2,
  }
  const { body } = await neighborhood.call(neighborhood.a, eventHistory, query)
  return body.data.event_list.find((event: Event) => event.event_id === event_id)
}
const openFeed = async () =>
  openSocket((await neighborhood.call(neighborhood.a, feedTicket)).body.data.url, {
    origin: neighborhood.stage.env.PORTAL_ORIGIN,
  })

describe('event listed before its clip', () => {
  test('is marked as uploading, gets its clip once stored, and notifies the open page of both', async () => {
    const socket = await openFeed()
    await postEarlyEvent('first')
    const notification = await socket.receive((message) => message.type === 'event')
    expect(notification.event).toMatchObject({ event_id: 'first', clip_state: 'uploading' })
    expect([await readEvent('first'), await findListedEvent('first')]).toMatchObject([
      { clip_state: 'uploading', event_resources: [] },
      { clip_state: 'uploading', tags: ['101'] },
    ])
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'first', Buffer.from('clip'))
    const clip = { clip_object, event_resources: [resource] }
    expect((await attachClip('first', clip)).status).toBe(200)
    expect(await socket.receive((message) => message.type === 'clip')).toEqual({
      type: 'clip',
      event_id: 'first',
      resource,
    })
    expect(await findListedEvent('first')).toMatchObject({ event_resources: [resource] })
    expect(await findListedEvent('first')).not.toHaveProperty('clip_state')
    await socket.close()
  })

  test('keeps its existing clip when a clip is sent again', async () => {
    expect((await attachClip('first')).status).toBe(200)
    expect((await readEvent('first')).event_resources).toEqual([resource])
    const replay = {
      device_id: 'door_a',
      product_model: 'PL-CAM-V1',
      start_time: String(EVENT_TIME),
      end_time: String(EVENT_TIME + 9000),
      resource_version: '1',
      resource_type: 's3',
      is_live: 'false',
    }
    const { body } = await neighborhood.call(neighborhood.a, replayArchive, replay)
    expect(await (await fetch(body.data.replay_url)).text()).toBe('clip')
  })

  test('stops waiting when its clip is lost', async () => {
    await postEarlyEvent('lost')
    expect((await attachClip('lost')).status).toBe(200)
    expect(await readEvent('lost')).not.toHaveProperty('clip_state')
  })

  test('rejects a clip that is not stored, belongs to another home or names an unknown event', async () => {
    await postEarlyEvent('empty')
    const theirs = await neighborhood.b.bridge.upload('door_b', 'clip', 'theirs', Buffer.from('clip'))
    const answers = [
      await attachClip('empty', { clip_object: 'h/home_a/clip/nothing.mp4', event_resources: [resource] }),
      await attachClip('empty', { clip_object: theirs, event_resources: [resource] }),
      await attachClip('unknown'),
      await attachClip('empty', { device_id: 'door_b' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([409, 403, 404, 404])
    expect(await readEvent('empty')).toMatchObject({ clip_state: 'uploading' })
  })
})

test('without a paid plan, only free event types are listed, returned, played and published', async () => {
  const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'face', Buffer.from('face'))
  await neighborhood.bindings.DB.prepare("UPDATE subscriptions SET status = 'cancelled', renews_at = 0").run()
  const socket = await openFeed()
  const event = { event_ts: EVENT_TIME, tags: ['12'], clip_object, event_resources: [resource] }
  await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'face', event))
  await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'person', { event_ts: EVENT_TIME }))
  expect((await socket.receive((message) => message.type === 'event')).event.event_id).toBe('person')
  const response = await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id: 'face' })
  expect([await findListedEvent('face'), response.status]).toEqual([undefined, 404])
  await neighborhood.bindings.DB.prepare("UPDATE subscriptions SET status = 'active'").run()
  expect((await findListedEvent('face')).event_id).toBe('face')
  await socket.close()
})

test('a client network that guesses enrollment codes is rate limited', async () => {
  const guess = () =>
    fetch(neighborhood.stage.env.PROVIDER_ORIGIN + BRIDGE_PATHS.enrol, {
      method: 'POST',
      body: JSON.stringify({ code: '0000-0000', name: 'Thief' }),
    })
  const answers = []
  for (let turn = 0; turn < 11; turn += 1) answers.push(await guess())
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 404), 429])
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
})
