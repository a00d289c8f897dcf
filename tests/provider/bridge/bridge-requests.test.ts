import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS, BRIDGE_TIME_WINDOW_MS } from '../../../contract/bridge/bridge-protocol.ts'
import { eventHistory, type Event } from '../../../contract/events/events.ts'
import { getEvent } from '../../../contract/events/event-calls.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { cameraStates } from '../../../contract/events/timeline.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  TestBridge,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../support/home.ts'
import { openSocket } from '../../support/socket.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const EVENT_TIME = RECENT_TIME_MS
const signedBody = JSON.stringify({ event: createBridgeEvent('door_a', 'signed') })
const post = (headers: Record<string, string>, content = signedBody, path: string = BRIDGE_PATHS.events) =>
  fetch(neighborhood.stage.env.PROVIDER_ORIGIN + path, { method: 'POST', headers, body: content })

async function listEventIds(): Promise<string[]> {
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
  return body.data.event_list.map((event: Event) => event.event_id)
}

describe('bridge request', () => {
  test('is accepted if signed, and the response carries the provider time', async () => {
    const before = Date.now()
    const response = await post(neighborhood.a.bridge.headers('POST', BRIDGE_PATHS.events, signedBody))
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('x-provider-time'))).toBeGreaterThanOrEqual(before)
    expect(await listEventIds()).toContain('signed')
  })

  test('with a changed byte, path, method, time or key returns 401 with the provider time', async () => {
    const { bridge } = neighborhood.a
    const validHeaders = bridge.headers('POST', BRIDGE_PATHS.events, signedBody)
    const stranger = new TestBridge(bridge.origin, bridge.id)
    const unknown = new TestBridge(bridge.origin, 'bridge_unknown')
    const rejections = await Promise.all([
      post(validHeaders, signedBody.replace('signed', 'forged')),
      post(bridge.headers('POST', BRIDGE_PATHS.history, signedBody)),
      post(bridge.headers('PUT', BRIDGE_PATHS.events, signedBody)),
      post(validHeaders, signedBody, `${BRIDGE_PATHS.events}?x=1`),
      post({ ...validHeaders, 'x-bridge-time': String(Date.now() - 1000) }),
      post({ ...validHeaders, 'x-bridge-signature': '' }),
      post({ ...validHeaders, authorization: `Bridge ${neighborhood.b.bridge.id}` }),
      post(stranger.headers('POST', BRIDGE_PATHS.events, signedBody)),
      post(unknown.headers('POST', BRIDGE_PATHS.events, signedBody)),
      post({}),
    ])
    expect(rejections.map((response) => response.status)).toEqual(rejections.map(() => 401))
    expect(rejections.every((response) => Number(response.headers.get('x-provider-time')) > EVENT_TIME)).toBe(true)
    expect(await listEventIds()).not.toContain('forged')
  })

  test('with a time more than 60 s off returns 401', async () => {
    const postAt = (time: number) => post(neighborhood.a.bridge.headers('POST', BRIDGE_PATHS.events, signedBody, time))
    const [old, early, near] = await Promise.all([
      postAt(Date.now() - BRIDGE_TIME_WINDOW_MS - 5000),
      postAt(Date.now() + BRIDGE_TIME_WINDOW_MS + 5000),
      postAt(Date.now() - BRIDGE_TIME_WINDOW_MS + 20_000),
    ])
    expect([old.status, early.status, near.status]).toEqual([401, 401, 200])
  })

  test('for the control socket is rejected without a signature', async () => {
    const socketUrl = neighborhood.a.bridge.origin.replace('http', 'ws') + BRIDGE_PATHS.control
    await expect(openSocket(socketUrl)).rejects.toThrow('401')
  })

  test('for the control socket with a changed byte, path, time, key or bridge name returns 401', async () => {
    const { bridge } = neighborhood.a
    const socketUrl = bridge.origin.replace('http', 'ws') + BRIDGE_PATHS.control
    const validHeaders = bridge.headers('GET', BRIDGE_PATHS.control)
    const signature = validHeaders['x-bridge-signature'] ?? ''
    const changed = signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0')
    const old = Date.now() - BRIDGE_TIME_WINDOW_MS - 5000
    const invalidRequests: [string, Record<string, string>][] = [
      [socketUrl, { ...validHeaders, 'x-bridge-signature': changed }],
      [socketUrl, { ...validHeaders, 'x-bridge-time': String(Number(validHeaders['x-bridge-time']) - 1) }],
      [socketUrl, { ...validHeaders, authorization: `Bridge ${neighborhood.b.bridge.id}` }],
      [socketUrl, bridge.headers('GET', BRIDGE_PATHS.control, '', old)],
      [socketUrl, bridge.headers('GET', BRIDGE_PATHS.events)],
      [socketUrl, new TestBridge(bridge.origin, bridge.id).headers('GET', BRIDGE_PATHS.control)],
      [`${socketUrl}?x=1`, validHeaders],
    ]
    for (const [to, headers] of invalidRequests) await expect(openSocket(to, { headers })).rejects.toThrow('401')
    await (await openSocket(socketUrl, { headers: validHeaders })).close()
  })
})

describe('bridge cameras', () => {
  test('of another home reject registration, changes, removal and posts', async () => {
    const { bridge } = neighborhood.b
    const answers = await Promise.all([
      bridge.register('door_a'),
      bridge.register('new_b', { home_id: 'home_a' }),
      bridge.send('DELETE', `${BRIDGE_PATHS.cameras}/door_a`),
      bridge.postEvent(createBridgeEvent('door_a', 'intruder')),
      bridge.send('POST', BRIDGE_PATHS.uploads, {
        device_id: 'door_a',
        objects: [{ kind: 'clip', name: 'x', type: 'video/mp4', length: 1 }],
      }),
    ])
    // 200: removing a camera that the home does not have counts as done.
    expect(answers.map(({ status }) => status)).toEqual([409, 403, 200, 404, 404])
    expect(
      (await neighborhood.call(neighborhood.a, getStreams, { device_list: [{ device_id: 'door_a' }] })).status,
    ).toBe(200)
    expect(await listEventIds()).not.toContain('intruder')
  })

  test('that are unknown return 404, removing them succeeds, and malformed registrations return 400', async () => {
    const { bridge } = neighborhood.b
    expect((await bridge.postEvent(createBridgeEvent('nowhere', 'x'))).status).toBe(404)
    expect((await bridge.send('DELETE', `${BRIDGE_PATHS.cameras}/nowhere`)).status).toBe(200)
    expect((await bridge.register('door-b')).status).toBe(400)
    expect((await bridge.send('PUT', `${BRIDGE_PATHS.cameras}/door_b`, { nickname: 5 })).status).toBe(400)
  })
})

describe('posted events', () => {
  test('are stored once and pushed once when posted twice', async () => {
    const ticket = await neighborhood.call(neighborhood.a, feedTicket)
    const feed = await openSocket(ticket.body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    const answers = []
    for (const title of ['First', 'Second'])
      answers.push(await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'twice', { title })))
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'last'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const pushed = [
      await feed.receive((message) => message.type === 'event'),
      await feed.receive((message) => message.type === 'event'),
    ]
    expect(pushed.map(({ event }) => [event.event_id, event.title])).toEqual([
      ['twice', 'First'],
      ['last', 'Person'],
    ])
    expect((await listEventIds()).filter((id) => id === 'twice')).toHaveLength(1)
    await feed.close()
  })

  test('without a clip accept one later, and the open page is notified', async () => {
    const ticket = await neighborhood.call(neighborhood.a, feedTicket)
    const feed = await openSocket(ticket.body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'later'))
    const resource = {
      begin_time: EVENT_TIME,
      end_time: EVENT_TIME + 1000,
      resource_version: 1,
      resource_type: 's3' as const,
    }
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'later', Buffer.from('clip'))
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'later', { event_resources: [resource], clip_object }),
    )
    expect(await feed.receive((message) => message.type === 'clip')).toEqual({
      type: 'clip',
      event_id: 'later',
      resource,
    })
    const { body } = await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id: 'later' })
    expect(body.data.event_resources).toEqual([resource])
    await feed.close()
  })

  test('are not acknowledged while a named object is missing or not of their home', async () => {
    const { bridge } = neighborhood.a
    const postWithClip = (clip_object: string) =>
      bridge.postEvent(createBridgeEvent('door_a', 'named', { clip_object }))
    const missing = await postWithClip('h/home_a/clip/missing.mp4')
    const foreign = await Promise.all(
      ['h/home_b/clip/x.mp4', 'h/home_a/thumb/x.jpg', 'h/home_a2/clip/x.mp4'].map(postWithClip),
    )
    expect([missing.status, ...foreign.map(({ status }) => status)]).toEqual([409, 403, 403, 403])
    expect(await listEventIds()).not.toContain('named')
  })
})

describe('history backfill', () => {
  const postHistory = (events: unknown[], deviceId = 'door_a', bridge = neighborhood.a.bridge) =>
    bridge.send('POST', BRIDGE_PATHS.history, { device_id: deviceId, events })

  test('leaves known events unchanged and pushes nothing', async () => {
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'known', { title: 'As it was' }))
    const ticket = await neighborhood.call(neighborhood.a, feedTicket)
    const feed = await openSocket(ticket.body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    const { body } = await postHistory([
      createBridgeEvent('door_a', 'known', { title: 'Changed' }),
      createBridgeEvent('door_a', 'past'),
    ])
    expect(body.data).toEqual({ added: 1 })
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'present'))
    expect((await feed.receive((message) => message.type !== 'hello')).event.event_id).toBe('present')
    const existing = await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id: 'known' })
    expect(existing.body.data.title).toBe('As it was')
    await feed.close()
  })

  test('dates the camera back to its first event', async () => {
    await neighborhood.a.bridge.register('past_a')
    const first = Date.now() - 86_400_000
    const event = (id: string, at: number) => createBridgeEvent('past_a', id, { event_ts: at, event_resources: [] })
    await postHistory([event('first', first), event('second', first + 60_000)], 'past_a')
    const { body } = await neighborhood.call(neighborhood.a, cameraStates, {
      device_id: 'past_a',
      begin_time: first - 1000,
      end_time: first + 120_000,
    })
    expect(body.data.runs).toEqual([{ from: first, to: first + 120_000, state: 'awake', reason: '' }])
  })

  test('is rejected for a home without demo data, and if it contains another camera', async () => {
    const real = await postHistory([createBridgeEvent('door_b', 'invented')], 'door_b', neighborhood.b.bridge)
    const mixed = await postHistory([createBridgeEvent('door_a', 'a'), createBridgeEvent('door_b', 'b')])
    expect([real.status, mixed.status]).toEqual([403, 400])
  })
})
