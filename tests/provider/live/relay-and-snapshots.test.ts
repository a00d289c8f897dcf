import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { askSnapshot, getStreams } from '../../../contract/live/live-calls.ts'
import { RELAY, RELAY_BESIDE, RELAY_OVER, RELAY_UNWATCHED } from '../../../contract/live/relay-protocol.ts'
import { encodePayload } from '../../../contract/live/signaling.ts'
import { closeUserSockets } from '../../../provider/homes/feed/close-user-sockets.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openSocket, type Socket } from '../../support/socket.ts'

let town: Neighborhood
let control: Socket
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a', { renditions: ['360', '720'] })
  await town.b.bridge.register('door_b')
  control = await connect()
})
afterAll(() => town.close())

async function connect(): Promise<Socket> {
  const socket = await town.a.bridge.control()
  socket.send({ type: 'hello', version: '1', cameras: [{ device_id: 'door_a', state: 'awake', reason: '' }] })
  await socket.receive((message) => message.type === 'welcome')
  return socket
}

async function watch(): Promise<Socket> {
  const { body } = await town.call(town.a, getStreams, { device_list: [{ device_id: 'door_a' }] })
  const url = `${body.data.streams[0].signalling_url}&relay=1`
  return openSocket(url, { origin: town.stage.env.PORTAL_ORIGIN })
}

const receiveCommand = () => control.receive((message) => message.command === 'relay' && message.device_id === 'door_a')
const picture = (kind: number, text: string) => Buffer.concat([Buffer.of(kind), Buffer.from(text)])
const offer = (sdp: string) => ({ action: 'SDP_OFFER', messagePayload: encodePayload({ type: 'offer', sdp }) })
const INIT = picture(RELAY.init, 'init')
const isPicture = (message: { binary?: Buffer }) => message.binary !== undefined

async function next(viewer: Socket): Promise<string> {
  const { binary } = await viewer.receive(isPicture)
  return `${binary[0]}${binary.subarray(1).toString()}`
}

async function start(): Promise<{ viewer: Socket; source: Socket }> {
  const viewer = await watch()
  await receiveCommand()
  const source = await town.a.bridge.relay('door_a')
  source.send(INIT)
  return { viewer, source }
}

describe('the relay', () => {
  test('requests frames from the bridge for a viewer and forwards them in order', async () => {
    const { viewer, source } = await start()
    source.send(picture(RELAY.key, 'k1'))
    for (let n = 0; n < 20; n++) source.send(picture(RELAY.delta, `d${n}`))
    expect(await next(viewer)).toBe('0init')
    expect(await next(viewer)).toBe('1k1')
    for (let n = 0; n < 20; n++) expect(await next(viewer)).toBe(`2d${n}`)
    await viewer.close()
    expect(await source.closed).toBe(RELAY_UNWATCHED)
  })

  test('sends a second viewer all frames since the last keyframe immediately, without asking the bridge', async () => {
    const { viewer, source } = await start()
    for (const text of ['old', 'new']) source.send(picture(RELAY.key, text))
    source.send(picture(RELAY.delta, 'd'))
    for (const text of ['0init', '1old', '1new', '2d']) expect(await next(viewer)).toBe(text)
    control.clearInbox()
    const second = await watch()
    for (const text of ['0init', '1new', '2d']) expect(await next(second)).toBe(text)
    await control.ping()
    source.send(picture(RELAY.delta, 'e'))
    expect([await next(viewer), await next(second)]).toEqual(['2e', '2e'])
    await second.close()
    source.send(picture(RELAY.delta, 'f'))
    expect(await next(viewer)).toBe('2f')
    await viewer.close()
    await source.closed
  })

  test('ends for a viewer with a better transport, whose signaling continues', async () => {
    const { viewer, source } = await start()
    expect(await next(viewer)).toBe('0init')
    viewer.send({ action: 'RELAY_STOP' })
    expect(await source.closed).toBe(RELAY_UNWATCHED)
    viewer.send(offer('still here'))
    expect(await control.receive((message) => message.type === 'signal')).toMatchObject({ device_id: 'door_a' })
    await viewer.close()
  })

  test('gives each viewer the requested rendition, and the previous one until it starts', async () => {
    const { viewer, source } = await start()
    const other = await watch()
    await receiveCommand()
    source.send(picture(RELAY.key, 'low'))
    for (const socket of [viewer, other]) expect([await next(socket), await next(socket)]).toEqual(['0init', '1low'])
    viewer.send({ action: 'RELAY_RENDITION', name: '720' })
    expect((await receiveCommand()).rendition).toBe('720')
    const large = await town.a.bridge.relay('door_a', '720')
    source.send(picture(RELAY.delta, 'still low'))
    expect([await next(viewer), await next(other)]).toEqual(['2still low', '2still low'])
    large.send(picture(RELAY.init, 'large'))
    large.send(picture(RELAY.key, 'high'))
    expect([await next(viewer), await next(viewer)]).toEqual(['0large', '1high'])
    source.send(picture(RELAY.delta, 'low for one'))
    large.send(picture(RELAY.delta, 'high for one'))
    expect([await next(viewer), await next(other)]).toEqual(['2high for one', '2low for one'])
    viewer.send({ action: 'RELAY_RENDITION', name: '' })
    expect(await large.closed).toBe(RELAY_UNWATCHED)
    for (const text of ['0init', '1low', '2still low', '2low for one']) expect(await next(viewer)).toBe(text)
    await Promise.all([viewer.close(), other.close()])
    expect(await source.closed).toBe(RELAY_UNWATCHED)
  })

  test('sends audio and inset to viewers that request them, for as long as they do', async () => {
    const { viewer, source } = await start()
    const other = await watch()
    await receiveCommand()
    source.send(picture(RELAY.key, 'main'))
    for (const socket of [viewer, other]) expect([await next(socket), await next(socket)]).toEqual(['0init', '1main'])
    viewer.send({ action: 'RELAY_RENDITION', name: 'sound' })
    viewer.send({ action: 'RELAY_BESIDE', inset: true, sound: true })
    expect([(await receiveCommand()).rendition, (await receiveCommand()).rendition]).toEqual(['inset', 'sound'])
    const inset = await town.a.bridge.relay('door_a', 'inset')
    const sound = await town.a.bridge.relay('door_a', 'sound')
    const kinds = { inset: RELAY_BESIDE.inset, sound: RELAY_BESIDE.sound }
    inset.send(picture(kinds.inset + RELAY.init, 'small'))
    inset.send(picture(kinds.inset + RELAY.key, 'i'))
    for (const text of ['16small', '17i']) expect(await next(viewer)).toBe(text)
    sound.send(picture(kinds.sound + RELAY.init, 'opus'))
    for (const text of ['a', 'b']) sound.send(picture(kinds.sound + RELAY.key, text))
    for (const text of ['32opus', '33a', '33b']) expect(await next(viewer)).toBe(text)
    source.send(picture(RELAY.delta, 'd'))
    expect([await next(viewer), await next(other)]).toEqual(['2d', '2d'])
    other.send({ action: 'RELAY_BESIDE', inset: false, sound: true })
    for (const text of ['32opus', '33b']) expect(await next(other)).toBe(text)
    viewer.send({ action: 'RELAY_BESIDE', inset: false, sound: false })
    expect(await inset.closed).toBe(RELAY_UNWATCHED)
    sound.send(picture(kinds.sound + RELAY.key, 'c'))
    expect(await next(other)).toBe('33c')
    source.send(picture(RELAY.delta, 'e'))
    expect([await next(viewer), await next(other)]).toEqual(['2e', '2e'])
    sound.send(picture(RELAY.key, 'not of the sound'))
    expect(await sound.closed).toBe(1007)
    await Promise.all([viewer.close(), other.close()])
    expect(await source.closed).toBe(RELAY_UNWATCHED)
  })

  test('asks the bridge to restart after hibernation', async () => {
    const { viewer, source } = await start()
    source.send(picture(RELAY.key, 'k'))
    for (const text of ['0init', '1k']) expect(await next(viewer)).toBe(text)
    await town.stage.provider.getWorker().evictDurableObject('Camera', { name: 'door_a', webSockets: 'hibernate' })
    control.clearInbox()
    source.send(picture(RELAY.delta, 'lost'))
    await receiveCommand()
    source.send(INIT)
    source.send(picture(RELAY.key, 'again'))
    for (const text of ['0init', '1again']) expect(await next(viewer)).toBe(text)
    await viewer.close()
    await source.closed
  })

  test('asks the bridge again when the source breaks and when the bridge reconnects', async () => {
    const { viewer, source } = await start()
    source.send(picture(RELAY.key, 'k'))
    for (const text of ['0init', '1k']) expect(await next(viewer)).toBe(text)
    control.clearInbox()
    await source.close()
    await receiveCommand()
    const second = await town.a.bridge.relay('door_a')
    second.send(INIT)
    expect(await next(viewer)).toBe('0init')
    await control.close()
    expect(await second.closed).toBe(RELAY_OVER)
    control = await connect()
    await receiveCommand()
    await viewer.close()
  })

  test('drops frames for a slow viewer until the first keyframe after it has caught up', async () => {
    const { viewer, source } = await start()
    const other = await watch()
    source.send(picture(RELAY.key, 'k'))
    for (const text of ['0init', '1k']) expect(await next(viewer)).toBe(text)
    for (const text of ['0init', '1k']) expect(await next(other)).toBe(text)
    other.send({ action: 'RELAY_ACK', received: 2 })
    // Real time, because tests cannot move the runtime's clock: longer than a viewer may take to acknowledge a frame (2
    // s).
    const late = performance.now() + 2100
    while (performance.now() < late) {
      source.send(picture(RELAY.delta, 'd'))
      expect(await next(other)).toBe('2d')
      other.send({ action: 'RELAY_ACK', received: 1 })
      // About the frame rate of a camera: the provider cuts off faster sources.
      const soon = performance.now() + 40
      await vi.waitUntil(() => performance.now() >= soon, { interval: 10 })
    }
    await other.close()
    source.send(picture(RELAY.delta, 'left out'))
    source.send(picture(RELAY.key, 'left out too'))
    await control.ping()
    viewer.send({ action: 'RELAY_ACK', received: 10_000 })
    viewer.send(offer('behind the acknowledgement'))
    await control.receive((message) => message.type === 'signal')
    source.send(picture(RELAY.delta, 'still left out'))
    source.send(picture(RELAY.key, 'caught up'))
    const seen: string[] = []
    while (seen.at(-1) !== '1caught up') seen.push(await next(viewer))
    expect(seen.join(' ')).not.toContain('left out')
    await viewer.close()
    await source.closed
  })
})

describe('a source socket', () => {
  test('opens only for the bridge of that camera', async () => {
    await expect(town.b.bridge.relay('door_a')).rejects.toThrow('404')
    await expect(town.b.bridge.relay('unknown')).rejects.toThrow('404')
    const forged = Object.assign(Object.create(town.b.bridge) as typeof town.b.bridge, { id: town.a.bridge.id })
    await expect(forged.relay('door_a')).rejects.toThrow('401')
  })

  test('closes immediately without viewers or on a message outside the contract', async () => {
    expect(await (await town.a.bridge.relay('door_a')).closed).toBe(RELAY_UNWATCHED)
    const { viewer, source } = await start()
    expect(await next(viewer)).toBe('0init')
    source.send(picture(9, 'x'))
    expect(await source.closed).toBe(1007)
    await viewer.close()
  })

  test('closes with the last viewer at sign-out', async () => {
    const { viewer, source } = await start()
    expect(await next(viewer)).toBe('0init')
    await closeUserSockets(town.bindings, town.a.userId, Date.now())
    expect(await viewer.closed).toBe(4401)
    expect(await source.closed).toBe(RELAY_UNWATCHED)
  })
})

describe('a snapshot', () => {
  const requestSnapshot = () => town.call(town.a, askSnapshot, { device_id: 'door_a' })

  test('is requested from the bridge and is newer than the previous one', async () => {
    expect((await requestSnapshot()).body.data).toEqual({ taken_at: null })
    await control.receive((message) => message.command === 'snapshot' && message.device_id === 'door_a')
    const before = Date.now()
    await town.a.bridge.upload('door_a', 'last', 'door_a', Buffer.from('jpeg'))
    expect((await requestSnapshot()).body.data.taken_at).toBeGreaterThanOrEqual(before - 1000)
  })

  test('stays unchanged while the bridge is disconnected', async () => {
    const before = (await requestSnapshot()).body.data
    await control.close()
    expect(await requestSnapshot()).toMatchObject({ status: 200, body: { data: before } })
    control = await connect()
  })
})
