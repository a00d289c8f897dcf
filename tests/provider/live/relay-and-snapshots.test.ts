import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { requestNewSnapshot } from '../../../contract/live/camera-control-calls.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import {
  RELAY_MESSAGE_TYPES,
  EXTRA_TRACK_OFFSETS,
  CLOSE_RELAY_ENDED,
  CLOSE_RELAY_NO_VIEWERS,
} from '../../../contract/live/relay-protocol.ts'
import { encodePayload } from '../../../contract/live/signaling.ts'
import { closeUserSockets } from '../../../provider/homes/feed/close-user-sockets.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'

let neighborhood: Neighborhood
let control: TestSocket
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a', { renditions: ['360', '720'] })
  await neighborhood.b.bridge.register('door_b')
  control = await connectBridge()
})
afterAll(() => neighborhood.close())

async function connectBridge(): Promise<TestSocket> {
  const socket = await neighborhood.a.bridge.openControlSocket()
  socket.send({ type: 'hello', version: '1', cameras: [{ device_id: 'door_a', state: 'awake', reason: '' }] })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}

async function openRelayViewer(): Promise<TestSocket> {
  const { body } = await neighborhood.call(neighborhood.a, getStreams, { device_list: [{ device_id: 'door_a' }] })
  const url = `${body.data.streams[0].signalling_url}&relay=1`
  return openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
}

const receiveCommand = () => control.receive((message) => message.command === 'relay' && message.device_id === 'door_a')
const buildFrame = (kind: number, text: string) => Buffer.concat([Buffer.of(kind), Buffer.from(text)])
const buildOffer = (sdp: string) => ({ action: 'SDP_OFFER', messagePayload: encodePayload({ type: 'offer', sdp }) })
const INIT_FRAME = buildFrame(RELAY_MESSAGE_TYPES.init, 'init')
const isFrame = (message: { binary?: Buffer }) => message.binary !== undefined

async function receiveFrameText(viewer: TestSocket): Promise<string> {
  const { binary } = await viewer.receive(isFrame)
  return `${binary[0]}${binary.subarray(1).toString()}`
}

async function startRelay(): Promise<{ viewer: TestSocket; source: TestSocket }> {
  const viewer = await openRelayViewer()
  await receiveCommand()
  const source = await neighborhood.a.bridge.openRelaySocket('door_a')
  source.send(INIT_FRAME)
  return { viewer, source }
}

describe('the relay', () => {
  test('requests frames from the bridge for a viewer and forwards them in order', async () => {
    const { viewer, source } = await startRelay()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'k1'))
    for (let n = 0; n < 20; n++) source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, `d${n}`))
    expect(await receiveFrameText(viewer)).toBe('0init')
    expect(await receiveFrameText(viewer)).toBe('1k1')
    for (let n = 0; n < 20; n++) expect(await receiveFrameText(viewer)).toBe(`2d${n}`)
    await viewer.close()
    expect(await source.closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
  })

  test('sends a second viewer all frames since the last keyframe immediately, without asking the bridge', async () => {
    const { viewer, source } = await startRelay()
    for (const text of ['old', 'new']) source.send(buildFrame(RELAY_MESSAGE_TYPES.key, text))
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'd'))
    for (const text of ['0init', '1old', '1new', '2d']) expect(await receiveFrameText(viewer)).toBe(text)
    control.clearInbox()
    const second = await openRelayViewer()
    for (const text of ['0init', '1new', '2d']) expect(await receiveFrameText(second)).toBe(text)
    await control.ping()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'e'))
    expect([await receiveFrameText(viewer), await receiveFrameText(second)]).toEqual(['2e', '2e'])
    await second.close()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'f'))
    expect(await receiveFrameText(viewer)).toBe('2f')
    await viewer.close()
    await source.closeCode
  })

  test('ends for a viewer with a better transport, whose signaling continues', async () => {
    const { viewer, source } = await startRelay()
    expect(await receiveFrameText(viewer)).toBe('0init')
    viewer.send({ action: 'RELAY_STOP' })
    expect(await source.closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
    viewer.send(buildOffer('still here'))
    expect(await control.receive((message) => message.type === 'signal')).toMatchObject({ device_id: 'door_a' })
    await viewer.close()
  })

  test('gives each viewer the requested rendition, and the previous one until it starts', async () => {
    const { viewer, source } = await startRelay()
    const other = await openRelayViewer()
    await receiveCommand()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'low'))
    for (const socket of [viewer, other])
      expect([await receiveFrameText(socket), await receiveFrameText(socket)]).toEqual(['0init', '1low'])
    viewer.send({ action: 'RELAY_RENDITION', name: '720' })
    expect((await receiveCommand()).rendition).toBe('720')
    const large = await neighborhood.a.bridge.openRelaySocket('door_a', '720')
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'still low'))
    expect([await receiveFrameText(viewer), await receiveFrameText(other)]).toEqual(['2still low', '2still low'])
    large.send(buildFrame(RELAY_MESSAGE_TYPES.init, 'large'))
    large.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'high'))
    expect([await receiveFrameText(viewer), await receiveFrameText(viewer)]).toEqual(['0large', '1high'])
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'low for one'))
    large.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'high for one'))
    expect([await receiveFrameText(viewer), await receiveFrameText(other)]).toEqual(['2high for one', '2low for one'])
    viewer.send({ action: 'RELAY_RENDITION', name: '' })
    expect(await large.closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
    for (const text of ['0init', '1low', '2still low', '2low for one'])
      expect(await receiveFrameText(viewer)).toBe(text)
    await Promise.all([viewer.close(), other.close()])
    expect(await source.closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
  })

  test('sends audio and inset to viewers that request them, for as long as they do', async () => {
    const { viewer, source } = await startRelay()
    const other = await openRelayViewer()
    await receiveCommand()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'main'))
    for (const socket of [viewer, other])
      expect([await receiveFrameText(socket), await receiveFrameText(socket)]).toEqual(['0init', '1main'])
    viewer.send({ action: 'RELAY_RENDITION', name: 'sound' })
    viewer.send({ action: 'RELAY_BESIDE', inset: true, sound: true })
    expect([(await receiveCommand()).rendition, (await receiveCommand()).rendition]).toEqual(['inset', 'sound'])
    const inset = await neighborhood.a.bridge.openRelaySocket('door_a', 'inset')
    const sound = await neighborhood.a.bridge.openRelaySocket('door_a', 'sound')
    const kinds = { inset: EXTRA_TRACK_OFFSETS.inset, sound: EXTRA_TRACK_OFFSETS.sound }
    inset.send(buildFrame(kinds.inset + RELAY_MESSAGE_TYPES.init, 'small'))
    inset.send(buildFrame(kinds.inset + RELAY_MESSAGE_TYPES.key, 'i'))
    for (const text of ['16small', '17i']) expect(await receiveFrameText(viewer)).toBe(text)
    sound.send(buildFrame(kinds.sound + RELAY_MESSAGE_TYPES.init, 'opus'))
    for (const text of ['a', 'b']) sound.send(buildFrame(kinds.sound + RELAY_MESSAGE_TYPES.key, text))
    for (const text of ['32opus', '33a', '33b']) expect(await receiveFrameText(viewer)).toBe(text)
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'd'))
    expect([await receiveFrameText(viewer), await receiveFrameText(other)]).toEqual(['2d', '2d'])
    other.send({ action: 'RELAY_BESIDE', inset: false, sound: true })
    for (const text of ['32opus', '33b']) expect(await receiveFrameText(other)).toBe(text)
    viewer.send({ action: 'RELAY_BESIDE', inset: false, sound: false })
    expect(await inset.closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
    sound.send(buildFrame(kinds.sound + RELAY_MESSAGE_TYPES.key, 'c'))
    expect(await receiveFrameText(other)).toBe('33c')
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'e'))
    expect([await receiveFrameText(viewer), await receiveFrameText(other)]).toEqual(['2e', '2e'])
    sound.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'not of the sound'))
    expect(await sound.closeCode).toBe(1007)
    await Promise.all([viewer.close(), other.close()])
    expect(await source.closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
  })

  test('asks the bridge to restart after hibernation', async () => {
    const { viewer, source } = await startRelay()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'k'))
    for (const text of ['0init', '1k']) expect(await receiveFrameText(viewer)).toBe(text)
    await neighborhood.stage.provider
      .getWorker()
      .evictDurableObject('Camera', { name: 'door_a', webSockets: 'hibernate' })
    control.clearInbox()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'lost'))
    await receiveCommand()
    source.send(INIT_FRAME)
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'again'))
    for (const text of ['0init', '1again']) expect(await receiveFrameText(viewer)).toBe(text)
    await viewer.close()
    await source.closeCode
  })

  test('asks the bridge again when the source breaks and when the bridge reconnects', async () => {
    const { viewer, source } = await startRelay()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'k'))
    for (const text of ['0init', '1k']) expect(await receiveFrameText(viewer)).toBe(text)
    control.clearInbox()
    await source.close()
    await receiveCommand()
    const second = await neighborhood.a.bridge.openRelaySocket('door_a')
    second.send(INIT_FRAME)
    expect(await receiveFrameText(viewer)).toBe('0init')
    await control.close()
    expect(await second.closeCode).toBe(CLOSE_RELAY_ENDED)
    control = await connectBridge()
    await receiveCommand()
    await viewer.close()
  })

  test('drops frames for a slow viewer until the first keyframe after it has caught up', async () => {
    const { viewer, source } = await startRelay()
    const other = await openRelayViewer()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'k'))
    for (const text of ['0init', '1k']) expect(await receiveFrameText(viewer)).toBe(text)
    for (const text of ['0init', '1k']) expect(await receiveFrameText(other)).toBe(text)
    other.send({ action: 'RELAY_ACK', received: 2 })
    // A viewer has 2 s to acknowledge a frame. The loop runs in real time, because tests cannot set the
    // runtime's clock.
    const late = performance.now() + 2100
    while (performance.now() < late) {
      source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'd'))
      expect(await receiveFrameText(other)).toBe('2d')
      other.send({ action: 'RELAY_ACK', received: 1 })
      // Sends frames at about a camera's frame rate, because the provider disconnects faster sources.
      const soon = performance.now() + 40
      await vi.waitUntil(() => performance.now() >= soon, { interval: 10 })
    }
    await other.close()
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'left out'))
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'left out too'))
    await control.ping()
    viewer.send({ action: 'RELAY_ACK', received: 10_000 })
    viewer.send(buildOffer('behind the acknowledgement'))
    await control.receive((message) => message.type === 'signal')
    source.send(buildFrame(RELAY_MESSAGE_TYPES.delta, 'still left out'))
    source.send(buildFrame(RELAY_MESSAGE_TYPES.key, 'caught up'))
    const seen: string[] = []
    while (seen.at(-1) !== '1caught up') seen.push(await receiveFrameText(viewer))
    expect(seen.join(' ')).not.toContain('left out')
    await viewer.close()
    await source.closeCode
  })
})

describe('a source socket', () => {
  test('opens only for the bridge of that camera', async () => {
    await expect(neighborhood.b.bridge.openRelaySocket('door_a')).rejects.toThrow('404')
    await expect(neighborhood.b.bridge.openRelaySocket('unknown')).rejects.toThrow('404')
    const forged = neighborhood.b.bridge.createBridgeWithId(neighborhood.a.bridge.id)
    await expect(forged.openRelaySocket('door_a')).rejects.toThrow('401')
  })

  test('closes immediately without viewers or on a message outside the contract', async () => {
    expect(await (await neighborhood.a.bridge.openRelaySocket('door_a')).closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
    const { viewer, source } = await startRelay()
    expect(await receiveFrameText(viewer)).toBe('0init')
    source.send(buildFrame(9, 'x'))
    expect(await source.closeCode).toBe(1007)
    await viewer.close()
  })

  test('closes with the last viewer at sign-out', async () => {
    const { viewer, source } = await startRelay()
    expect(await receiveFrameText(viewer)).toBe('0init')
    await closeUserSockets(neighborhood.bindings, neighborhood.a.userId)
    expect(await viewer.closeCode).toBe(4401)
    expect(await source.closeCode).toBe(CLOSE_RELAY_NO_VIEWERS)
  })
})

describe('a snapshot', () => {
  const requestSnapshot = () => neighborhood.call(neighborhood.a, requestNewSnapshot, { device_id: 'door_a' })

  test('is requested from the bridge and is newer than the previous one', async () => {
    expect((await requestSnapshot()).body.data).toEqual({ taken_at: null })
    await control.receive((message) => message.command === 'snapshot' && message.device_id === 'door_a')
    const before = Date.now()
    await neighborhood.a.bridge.upload('door_a', 'last', 'door_a', Buffer.from('jpeg'))
    expect((await requestSnapshot()).body.data.taken_at).toBeGreaterThanOrEqual(before - 1000)
  })

  test('stays unchanged while the bridge is disconnected', async () => {
    const before = (await requestSnapshot()).body.data
    await control.close()
    expect(await requestSnapshot()).toMatchObject({ status: 200, body: { data: before } })
    control = await connectBridge()
  })
})
