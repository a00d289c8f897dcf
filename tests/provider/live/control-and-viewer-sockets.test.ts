import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { decodePayload, encodePayload } from '../../../contract/live/signaling.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { closeUserSockets } from '../../../provider/homes/feed/close-user-sockets.ts'
import { openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'
import { openSocket, type Socket } from '../../support/socket.ts'

const SERVERS = [{ urls: ['turn:turn.example:3478'], username: 'u', credential: 'c' }]

let town: Neighborhood
let control: Socket
beforeAll(async () => {
  town = await openNeighborhood({ change: () => ({ ICE_SERVERS: JSON.stringify(SERVERS) }) })
  await town.a.bridge.register('door_a')
  await town.b.bridge.register('door_b')
  control = await connect(town.a, 'door_a')
})
afterAll(() => town.close())

async function connect(household: Household, device: string): Promise<Socket> {
  const socket = await household.bridge.control()
  socket.send({ type: 'hello', version: '1', cameras: [{ device_id: device, state: 'awake', reason: '' }] })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}

async function address(as: Household, device: string): Promise<string> {
  const { body } = await town.call(as, getStreams, { device_list: [{ device_id: device }] })
  return body.data.streams[0].signalling_url
}

/** Clears the inbox of `control` and opens a viewer socket. Returns the socket and the viewer's id at the bridge. */
async function watch(): Promise<{ viewer: Socket; viewer_id: string }> {
  control.clearInbox()
  const viewer = await openSocket(await address(town.a, 'door_a'), { origin: town.stage.env.PORTAL_ORIGIN })
  const { viewer_id } = await control.receive((message) => message.event === 'open' && message.device_id === 'door_a')
  return { viewer, viewer_id }
}

async function leave(viewer: Socket, viewer_id: string): Promise<void> {
  await viewer.close()
  await control.receive((message) => message.event === 'close' && message.viewer_id === viewer_id)
}

const decodeState = (message: { messagePayload: string }) => decodePayload(message.messagePayload)
const isState = (message: { messageType: string }) => message.messageType === 'CAMERA_STATE'
const offer = (text: string) => ({ action: 'SDP_OFFER', messagePayload: encodePayload({ type: 'offer', sdp: text }) })

const unchosen = { power: true, rendition: null, pip: false, settings: DEFAULT_CAMERA_SETTINGS }

describe('control socket', () => {
  test('answers hello with the time and the homes and cameras that the bridge serves', async () => {
    await town.b.bridge.register('yard_b', { device_order: 2, nickname: 'Yard' })
    const socket = await town.b.bridge.control()
    socket.send({ type: 'hello', version: '1', cameras: [] })
    const welcome = await socket.receive((message) => message.type === 'welcome')
    expect(welcome.now).toBeTypeOf('number')
    expect(welcome.homes).toEqual([
      {
        home_id: 'home_b',
        demo: false,
        cameras: [
          { device_id: 'door_b', nickname: 'Front door', last_event_ts: null, ...unchosen },
          { device_id: 'yard_b', nickname: 'Yard', last_event_ts: null, ...unchosen },
        ],
      },
    ])
    await socket.close()
  })

  test('the bridge and viewers receive the configured ICE servers', async () => {
    const socket = await town.b.bridge.control()
    socket.send({ type: 'hello', version: '1', cameras: [] })
    const { ice_servers } = await socket.receive((message) => message.type === 'welcome')
    const { body } = await town.call(town.b, getStreams, { device_list: [{ device_id: 'door_b' }] })
    expect([ice_servers, body.data.streams[0].ice_servers]).toEqual([SERVERS, SERVERS])
    await socket.close()
  })

  test('answers a ping with a pong and the time', async () => {
    control.send({ type: 'ping' })
    expect((await control.receive((message) => message.type === 'pong')).now).toBeTypeOf('number')
  })

  test('the newest connection of a bridge replaces the former, and viewers continue through it', async () => {
    const { viewer, viewer_id } = await watch()
    const former = control
    control = await connect(town.a, 'door_a')
    expect(await former.closed).toBe(4001)
    expect(await control.receive((message) => message.type === 'viewer' && message.event === 'open')).toMatchObject({
      viewer_id,
    })
    viewer.send(offer('after'))
    expect(await control.receive((message) => message.type === 'signal')).toMatchObject({ viewer_id })
    await leave(viewer, viewer_id)
  })

  test('a registered camera missing from hello is offline, not without a bridge', async () => {
    const { body } = await town.call(town.b, feedTicket)
    const feed = await openSocket(body.data.url, { origin: town.stage.env.PORTAL_ORIGIN })
    const socket = await connect(town.b, 'door_b')
    const silent = await feed.receive((message) => message.device_id === 'yard_b')
    expect(silent).toMatchObject({ state: 'offline', reason: expect.stringContaining('answer') as unknown })
    await socket.close()
    await feed.close()
  })

  test('ends when the bridge is enrolled with another key, but not with the same key', async () => {
    const { bridge, homeId } = town.b
    const enroll = (key_hash: string) =>
      storeBridge(town.bindings, bridge.id, { key_hash, name: 'Again', homes: [homeId] }, Date.now())
    const socket = await connect(town.b, 'door_b')
    await enroll(bridge.keyHash)
    socket.send({ type: 'ping' })
    await socket.receive((message) => message.type === 'pong')
    await enroll('0'.repeat(64))
    expect(await socket.closed).toBe(4003)
    await expect(bridge.control()).rejects.toThrow('401')
    await enroll(bridge.keyHash)
  })

  test('ends on a message outside the contract', async () => {
    const socket = await town.b.bridge.control()
    socket.send({ hello: 'everybody' })
    expect(await socket.closed).toBe(1007)
  })
})

describe('viewer', () => {
  test('receives the camera state immediately, and every change', async () => {
    const { viewer, viewer_id } = await watch()
    expect(decodeState(await viewer.receive(isState))).toMatchObject({ state: 'awake', reason: '' })
    control.send({
      type: 'state',
      device_id: 'door_a',
      state: 'offline',
      reason: 'The password is wrong.',
      at: Date.now(),
    })
    expect(decodeState(await viewer.receive(isState))).toMatchObject({
      state: 'offline',
      reason: 'The password is wrong.',
    })
    control.send({ type: 'state', device_id: 'door_a', state: 'awake', reason: '', at: Date.now() })
    expect(decodeState(await viewer.receive(isState))).toMatchObject({ state: 'awake' })
    await leave(viewer, viewer_id)
  })

  test('exchanges offer, answer and candidates with the bridge in the order they were sent', async () => {
    const { viewer, viewer_id } = await watch()
    const candidates = Array.from({ length: 20 }, (_, n) =>
      encodePayload({ candidate: `candidate:${n} 1 udp ${n} 192.168.1.7 5000 typ host`, sdpMid: '0' }),
    )
    for (const messagePayload of candidates) viewer.send({ action: 'ICE_CANDIDATE', messagePayload })
    viewer.send(offer('v=0'))
    for (const messagePayload of candidates) {
      const { message } = await control.receive((incoming) => incoming.type === 'signal')
      expect(message).toEqual({ messageType: 'ICE_CANDIDATE', messagePayload, senderClientId: viewer_id })
    }
    expect((await control.receive((incoming) => incoming.type === 'signal')).message.messageType).toBe('SDP_OFFER')
    const answer = (action: string, messagePayload: string) =>
      control.send({ type: 'signal', device_id: 'door_a', viewer_id, message: { action, messagePayload } })
    answer('SDP_ANSWER', encodePayload({ type: 'answer', sdp: 'v=0' }))
    for (const payload of candidates) answer('ICE_CANDIDATE', payload)
    const first = await viewer.receive((message) => !isState(message))
    expect(first).toMatchObject({ messageType: 'SDP_ANSWER' })
    for (const messagePayload of candidates) {
      expect(await viewer.receive((message) => !isState(message))).toEqual({
        messageType: 'ICE_CANDIDATE',
        messagePayload,
      })
    }
    await leave(viewer, viewer_id)
  })

  test('gets an error for a payload above 10 KB or a malformed message, and the bridge gets neither', async () => {
    const { viewer, viewer_id } = await watch()
    viewer.send({ action: 'SDP_OFFER', messagePayload: 'x'.repeat(10_001) })
    viewer.send('not json')
    viewer.send(offer('good'))
    for (const _ of [1, 2]) {
      const rejection = await viewer.receive((message) => message.messageType === 'STATUS_RESPONSE')
      expect(rejection.statusResponse).toMatchObject({ statusCode: '400' })
    }
    const { message } = await control.receive((incoming) => incoming.type === 'signal')
    expect(decodePayload(message.messagePayload)).toEqual({ type: 'offer', sdp: 'good' })
    await leave(viewer, viewer_id)
  })

  test('is notified when the bridge disconnects and when it reconnects', async () => {
    const { viewer, viewer_id } = await watch()
    expect(decodeState(await viewer.receive(isState))).toMatchObject({ state: 'awake' })
    await control.close()
    expect(decodeState(await viewer.receive(isState))).toMatchObject({
      state: 'bridge_off',
      reason: expect.stringContaining('not connected') as unknown,
    })
    control = await connect(town.a, 'door_a')
    expect(decodeState(await viewer.receive(isState))).toMatchObject({ state: 'awake' })
    expect(await control.receive((message) => message.event === 'open')).toMatchObject({ device_id: 'door_a' })
    await leave(viewer, viewer_id)
  })

  test('keeps its socket while the Durable Objects behind it hibernate', async () => {
    const { viewer, viewer_id } = await watch()
    const worker = town.stage.provider.getWorker()
    await worker.evictDurableObject('Camera', { name: 'door_a', webSockets: 'hibernate' })
    await worker.evictDurableObject('Bridge', { name: town.a.bridge.id, webSockets: 'hibernate' })
    viewer.send(offer('awake again'))
    expect(await control.receive((message) => message.type === 'signal')).toMatchObject({
      viewer_id,
      device_id: 'door_a',
    })
    await leave(viewer, viewer_id)
  })

  test('of one camera receives nothing from the bridge of another', async () => {
    const { viewer, viewer_id } = await watch()
    await viewer.receive(isState)
    const foreign = await connect(town.b, 'door_b')
    foreign.send({
      type: 'signal',
      device_id: 'door_a',
      viewer_id,
      message: { action: 'SDP_ANSWER', messagePayload: encodePayload({ type: 'answer', sdp: 'x' }) },
    })
    foreign.send({ type: 'state', device_id: 'door_a', state: 'offline', reason: 'Forged.', at: Date.now() })
    foreign.send({ type: 'ping' })
    await foreign.receive((message) => message.type === 'pong')
    control.send({
      type: 'signal',
      device_id: 'door_a',
      viewer_id,
      message: { action: 'SDP_ANSWER', messagePayload: encodePayload({ type: 'answer', sdp: 'y' }) },
    })
    expect(await viewer.receive(() => true)).toEqual({
      messageType: 'SDP_ANSWER',
      messagePayload: encodePayload({ type: 'answer', sdp: 'y' }),
    })
    await foreign.close()
    await leave(viewer, viewer_id)
  })
})

describe('viewer ticket', () => {
  test('opens one socket only, from the portal only, for its camera only', async () => {
    const origin = town.stage.env.PORTAL_ORIGIN
    const url = await address(town.a, 'door_a')
    await expect(openSocket(url)).rejects.toThrow('403')
    await expect(openSocket(url, { origin: 'https://evil.example' })).rejects.toThrow('403')
    await expect(openSocket(url.replace('/door_a/', '/door_b/'), { origin })).rejects.toThrow('401')
    const viewer = await openSocket(url, { origin })
    await expect(openSocket(url, { origin })).rejects.toThrow('401')
    await viewer.close()
  })

  test('expires at sign-out, together with the viewer that it opened, for the bridge as well', async () => {
    const { viewer, viewer_id } = await watch()
    const unused = await address(town.a, 'door_a')
    await closeUserSockets(town.bindings, town.a.userId, Date.now())
    expect(await viewer.closed).toBe(4401)
    expect(
      await control.receive((message) => message.event === 'close' && message.viewer_id === viewer_id),
    ).toBeDefined()
    await expect(openSocket(unused, { origin: town.stage.env.PORTAL_ORIGIN })).rejects.toThrow('401')
  })
})
