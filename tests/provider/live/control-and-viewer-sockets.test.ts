import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_CAMERA_SETTINGS } from '../../../contract/cameras/camera-settings.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { decodePayload, encodePayload } from '../../../contract/live/signaling.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { closeUserSockets } from '../../../provider/homes/feed/close-user-sockets.ts'
import { openNeighborhood, type Household, type Neighborhood } from '../../support/home.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'

const ICE_SERVERS_SETTING = [{ urls: ['turn:turn.example:3478'], username: 'u', credential: 'c' }]

let neighborhood: Neighborhood
let control: TestSocket
beforeAll(async () => {
  neighborhood = await openNeighborhood({ change: () => ({ ICE_SERVERS: JSON.stringify(ICE_SERVERS_SETTING) }) })
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
  control = await connectBridge(neighborhood.a, 'door_a')
})
afterAll(() => neighborhood.close())

async function connectBridge(household: Household, device: string): Promise<TestSocket> {
  const socket = await household.bridge.openControlSocket()
  socket.send({ type: 'hello', version: '1', cameras: [{ device_id: device, state: 'awake', reason: '' }] })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}

async function fetchSignalingUrl(household: Household, device: string): Promise<string> {
  const { body } = await neighborhood.call(household, getStreams, { device_list: [{ device_id: device }] })
  return body.data.streams[0].signalling_url
}

async function openViewer(): Promise<{ viewer: TestSocket; viewer_id: string }> {
  control.clearInbox()
  const viewer = await openSocket(await fetchSignalingUrl(neighborhood.a, 'door_a'), {
    origin: neighborhood.stage.env.PORTAL_ORIGIN,
  })
  const { viewer_id } = await control.receive((message) => message.event === 'open' && message.device_id === 'door_a')
  return { viewer, viewer_id }
}

async function closeViewer(viewer: TestSocket, viewer_id: string): Promise<void> {
  await viewer.close()
  await control.receive((message) => message.event === 'close' && message.viewer_id === viewer_id)
}

const decodeState = (message: { messagePayload: string }) => decodePayload(message.messagePayload)
const isState = (message: { messageType: string }) => message.messageType === 'CAMERA_STATE'
const buildOffer = (text: string) => ({
  action: 'SDP_OFFER',
  messagePayload: encodePayload({ type: 'offer', sdp: text }),
})

const defaultCameraFields = { power: true, rendition: null, pip: false, settings: DEFAULT_CAMERA_SETTINGS }

describe('control socket', () => {
  test('answers hello with the time and the homes and cameras that the bridge serves', async () => {
    await neighborhood.b.bridge.register('yard_b', { device_order: 2, nickname: 'Yard' })
    const socket = await neighborhood.b.bridge.openControlSocket()
    socket.send({ type: 'hello', version: '1', cameras: [] })
    const welcome = await socket.receive((message) => message.type === 'welcome')
    expect(welcome.now).toBeTypeOf('number')
    expect(welcome.homes).toEqual([
      {
        home_id: 'home_b',
        demo: false,
        cameras: [
          { device_id: 'door_b', nickname: 'Front door', last_event_ts: null, ...defaultCameraFields },
          { device_id: 'yard_b', nickname: 'Yard', last_event_ts: null, ...defaultCameraFields },
        ],
      },
    ])
    await socket.close()
  })

  test('the bridge and viewers receive the configured ICE servers', async () => {
    const socket = await neighborhood.b.bridge.openControlSocket()
    socket.send({ type: 'hello', version: '1', cameras: [] })
    const { ice_servers } = await socket.receive((message) => message.type === 'welcome')
    const { body } = await neighborhood.call(neighborhood.b, getStreams, { device_list: [{ device_id: 'door_b' }] })
    expect([ice_servers, body.data.streams[0].ice_servers]).toEqual([ICE_SERVERS_SETTING, ICE_SERVERS_SETTING])
    await socket.close()
  })

  test('the newest connection of a bridge replaces the former, and viewers continue through it', async () => {
    const { viewer, viewer_id } = await openViewer()
    const former = control
    control = await connectBridge(neighborhood.a, 'door_a')
    expect(await former.closeCode).toBe(4001)
    expect(await control.receive((message) => message.type === 'viewer' && message.event === 'open')).toMatchObject({
      viewer_id,
    })
    viewer.send(buildOffer('after'))
    expect(await control.receive((message) => message.type === 'signal')).toMatchObject({ viewer_id })
    await closeViewer(viewer, viewer_id)
  })

  test('a registered camera missing from hello is offline, not without a bridge', async () => {
    const { body } = await neighborhood.call(neighborhood.b, feedTicket)
    const feed = await openSocket(body.data.url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    const socket = await connectBridge(neighborhood.b, 'door_b')
    const silent = await feed.receive((message) => message.device_id === 'yard_b')
    expect(silent).toMatchObject({ state: 'offline', reason: expect.stringContaining('responded') as unknown })
    await socket.close()
    await feed.close()
  })

  test('ends when the bridge is enrolled with another key, but not with the same key', async () => {
    const { bridge, homeId } = neighborhood.b
    const enrollWithKey = (key_hash: string) =>
      storeBridge(neighborhood.bindings, bridge.id, { key_hash, name: 'Again', homes: [homeId] }, Date.now())
    const socket = await connectBridge(neighborhood.b, 'door_b')
    await enrollWithKey(bridge.keyHash)
    socket.send({ type: 'ping' })
    await socket.receive((message) => message.type === 'pong')
    await enrollWithKey('0'.repeat(64))
    expect(await socket.closeCode).toBe(4003)
    await expect(bridge.openControlSocket()).rejects.toThrow('401')
    await enrollWithKey(bridge.keyHash)
  })

  test('ends on a message outside the contract', async () => {
    const socket = await neighborhood.b.bridge.openControlSocket()
    socket.send({ hello: 'everybody' })
    expect(await socket.closeCode).toBe(1007)
  })
})

describe('viewer', () => {
  test('receives the camera state immediately, and every change', async () => {
    const { viewer, viewer_id } = await openViewer()
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
    await closeViewer(viewer, viewer_id)
  })

  test('exchanges offer, answer and candidates with the bridge in the order they were sent', async () => {
    const { viewer, viewer_id } = await openViewer()
    const candidates = Array.from({ length: 20 }, (_, n) =>
      encodePayload({ candidate: `candidate:${n} 1 udp ${n} 192.168.1.7 5000 typ host`, sdpMid: '0' }),
    )
    for (const messagePayload of candidates) viewer.send({ action: 'ICE_CANDIDATE', messagePayload })
    viewer.send(buildOffer('v=0'))
    for (const messagePayload of candidates) {
      const { message } = await control.receive((incoming) => incoming.type === 'signal')
      expect(message).toEqual({ messageType: 'ICE_CANDIDATE', messagePayload, senderClientId: viewer_id })
    }
    expect((await control.receive((incoming) => incoming.type === 'signal')).message.messageType).toBe('SDP_OFFER')
    const sendSignal = (action: string, messagePayload: string) =>
      control.send({ type: 'signal', device_id: 'door_a', viewer_id, message: { action, messagePayload } })
    sendSignal('SDP_ANSWER', encodePayload({ type: 'answer', sdp: 'v=0' }))
    for (const payload of candidates) sendSignal('ICE_CANDIDATE', payload)
    const first = await viewer.receive((message) => !isState(message))
    expect(first).toMatchObject({ messageType: 'SDP_ANSWER' })
    for (const messagePayload of candidates) {
      expect(await viewer.receive((message) => !isState(message))).toEqual({
        messageType: 'ICE_CANDIDATE',
        messagePayload,
      })
    }
    await closeViewer(viewer, viewer_id)
  })

  test('gets an error for a payload above 10 KB or a malformed message, and the bridge gets neither', async () => {
    const { viewer, viewer_id } = await openViewer()
    viewer.send({ action: 'SDP_OFFER', messagePayload: 'x'.repeat(10_001) })
    viewer.send('not json')
    viewer.send(buildOffer('good'))
    for (const _ of [1, 2]) {
      const rejection = await viewer.receive((message) => message.messageType === 'STATUS_RESPONSE')
      expect(rejection.statusResponse).toMatchObject({ statusCode: '400' })
    }
    const { message } = await control.receive((incoming) => incoming.type === 'signal')
    expect(decodePayload(message.messagePayload)).toEqual({ type: 'offer', sdp: 'good' })
    await closeViewer(viewer, viewer_id)
  })

  test('is notified when the bridge disconnects and when it reconnects', async () => {
    const { viewer, viewer_id } = await openViewer()
    expect(decodeState(await viewer.receive(isState))).toMatchObject({ state: 'awake' })
    await control.close()
    expect(decodeState(await viewer.receive(isState))).toMatchObject({
      state: 'bridge_off',
      reason: 'The camera’s hub isn’t connected.',
    })
    control = await connectBridge(neighborhood.a, 'door_a')
    expect(decodeState(await viewer.receive(isState))).toMatchObject({ state: 'awake' })
    expect(await control.receive((message) => message.event === 'open')).toMatchObject({ device_id: 'door_a' })
    await closeViewer(viewer, viewer_id)
  })

  test('keeps its socket while the Durable Objects behind it hibernate', async () => {
    const { viewer, viewer_id } = await openViewer()
    const worker = neighborhood.stage.provider.getWorker()
    await worker.evictDurableObject('Camera', { name: 'door_a', webSockets: 'hibernate' })
    await worker.evictDurableObject('Bridge', { name: neighborhood.a.bridge.id, webSockets: 'hibernate' })
    viewer.send(buildOffer('awake again'))
    expect(await control.receive((message) => message.type === 'signal')).toMatchObject({
      viewer_id,
      device_id: 'door_a',
    })
    await closeViewer(viewer, viewer_id)
  })

  test('of one camera receives nothing from the bridge of another', async () => {
    const { viewer, viewer_id } = await openViewer()
    await viewer.receive(isState)
    const foreign = await connectBridge(neighborhood.b, 'door_b')
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
    await closeViewer(viewer, viewer_id)
  })
})

describe('viewer ticket', () => {
  test('opens one socket only, from the portal only, for its camera only', async () => {
    const origin = neighborhood.stage.env.PORTAL_ORIGIN
    const url = await fetchSignalingUrl(neighborhood.a, 'door_a')
    await expect(openSocket(url)).rejects.toThrow('403')
    await expect(openSocket(url, { origin: 'https://evil.example' })).rejects.toThrow('403')
    await expect(openSocket(url.replace('/door_a/', '/door_b/'), { origin })).rejects.toThrow('401')
    const viewer = await openSocket(url, { origin })
    await expect(openSocket(url, { origin })).rejects.toThrow('401')
    await viewer.close()
  })

  test('expires at sign-out, together with the viewer that it opened, for the bridge as well', async () => {
    const { viewer, viewer_id } = await openViewer()
    const unused = await fetchSignalingUrl(neighborhood.a, 'door_a')
    await closeUserSockets(neighborhood.bindings, neighborhood.a.userId)
    expect(await viewer.closeCode).toBe(4401)
    expect(
      await control.receive((message) => message.event === 'close' && message.viewer_id === viewer_id),
    ).toBeDefined()
    await expect(openSocket(unused, { origin: neighborhood.stage.env.PORTAL_ORIGIN })).rejects.toThrow('401')
  })
})
