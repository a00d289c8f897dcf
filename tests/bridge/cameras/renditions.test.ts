import type { RtpPacket } from 'werift'
import { afterEach, expect, test, vi } from 'vitest'
import type { BridgeMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { RELAY_MESSAGE_TYPES } from '../../../contract/live/relay-protocol.ts'
import { decodePayload, encodePayload } from '../../../contract/live/signaling.ts'
import { CameraController } from '../../../bridge/cameras/camera.ts'
import { readFrameSize } from '../../../bridge/media/h264/sps.ts'
import { createWeriftPeer } from '../../../bridge/webrtc/werift-peer.ts'
import type { OpenRelay } from '../../../bridge/relay/video-relay.ts'
import { LoopSource } from '../../../bridge/virtual/loop-source.ts'
import { BrowserPeer } from '../../support/browser-peer.ts'
import { sceneLibrary } from '../../support/bridge-streams.ts'
import { scaleTimeout } from '../../support/machine.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

/** Opens the driveway camera, which has two renditions, as the bridge serves it. */
async function openDriveway(rendition: string | null = null, openRelay?: OpenRelay) {
  const scene = sceneLibrary.getScene('driveway')
  const input = { cameraId: 'PL1', scene, fps: 15, utcOffsetMinutes: 0 }
  const source = new LoopSource(sceneLibrary, { scene: 'driveway', input }, { now: () => Date.now() })
  const sent: Extract<BridgeMessage, { type: 'signal' }>[] = []
  const camera = new CameraController({
    deviceId: 'PL1',
    registration: {
      nickname: 'Driveway',
      device_model: 'X',
      provider: 'kvs',
      renditions: ['360', '720'],
      dual: false,
      audio: false,
      battery: false,
      device_order: 0,
    },
    source,
    rendition,
    createPeer: createWeriftPeer,
    openRelay,
    send: (message) => message.type === 'signal' && void sent.push(message),
    now: () => Date.now(),
    onPower: (on) => {
      if (on) source.start()
      return { state: 'awake', reason: '' }
    },
  })
  cleanups.push(() => camera.stop())
  await vi.waitUntil(() => source.getGop().length > 0, WAIT_OPTIONS)
  const listMessages = (viewerId: string, action: string) =>
    sent
      .filter((signal) => signal.viewer_id === viewerId && signal.message.action === action)
      .map(({ message }) => message)
  return { camera, source, listMessages }
}
type DrivewayCamera = Awaited<ReturnType<typeof openDriveway>>

/** Connects a viewer through the camera's signaling, as a browser does. */
async function connectViewer({ camera, listMessages }: DrivewayCamera, viewerId: string) {
  const browser = new BrowserPeer()
  cleanups.unshift(() => browser.close())
  const sdp = await browser.offer()
  camera.handleViewerEvent(viewerId, 'open')
  await camera.handleSignal(viewerId, {
    messageType: 'SDP_OFFER',
    messagePayload: encodePayload({ type: 'offer', sdp }),
  })
  const [answer] = listMessages(viewerId, 'SDP_ANSWER')
  await browser.acceptAnswer((decodePayload(answer?.messagePayload ?? '') as { sdp: string }).sdp)
  const requestRendition = (name: string) =>
    camera.handleSignal(viewerId, { messageType: 'RENDITION', messagePayload: encodePayload({ name }) })
  const { packets } = browser
  return {
    packets,
    requestRendition,
    heights: () => packets.flatMap(parseKeyframeHeight),
    leave: () => camera.handleViewerEvent(viewerId, 'close'),
  }
}

/** Returns the frame height from a STAP-A packet, which starts each keyframe. Empty for other packets. */
function parseKeyframeHeight({ payload }: RtpPacket): number[] {
  if (((payload[0] ?? 0) & 31) !== 24) return []
  return [readFrameSize(payload.subarray(3, 3 + payload.readUInt16BE(1))).height]
}

/** Returns the distinct steps between sequence numbers, and the longest and shortest interval between frames, ms. */
function computeRtpSteps(packets: readonly RtpPacket[]) {
  const pairs = packets.slice(1).map((packet, i) => [packets[i]!.header, packet.header] as const)
  const sequence = new Set(pairs.map(([before, after]) => (after.sequenceNumber - before.sequenceNumber) & 0xffff))
  const times = pairs
    .filter(([before]) => before.marker)
    .map(([before, after]) => (after.timestamp - before.timestamp) / 90)
  return { sequence, longest: Math.max(...times), shortest: Math.min(...times) }
}

const WAIT_OPTIONS = { timeout: scaleTimeout(20_000), interval: 20 }

test('LIVE-05 two viewers of one camera each get their own rendition and change it without a gap', async () => {
  const driveway = await openDriveway()
  const [firstViewer, secondViewer] = [await connectViewer(driveway, 'one'), await connectViewer(driveway, 'two')]
  await vi.waitUntil(() => [firstViewer, secondViewer].every(({ heights }) => heights().length > 0), WAIT_OPTIONS)
  expect([firstViewer.heights()[0], secondViewer.heights()[0]]).toEqual([360, 360])
  await secondViewer.requestRendition('720')
  await vi.waitUntil(() => secondViewer.heights().at(-1) === 720, WAIT_OPTIONS)
  const before = firstViewer.heights().length
  await vi.waitUntil(() => firstViewer.heights().length > before, WAIT_OPTIONS)
  expect(new Set(firstViewer.heights())).toEqual(new Set([360]))
  await secondViewer.requestRendition('360')
  await vi.waitUntil(() => secondViewer.heights().at(-1) === 360, WAIT_OPTIONS)
  for (const { packets } of [firstViewer, secondViewer]) {
    const { sequence, longest, shortest } = computeRtpSteps(packets)
    expect(sequence).toEqual(new Set([1]))
    expect(shortest).toBeGreaterThan(0)
    // At 15 fps, frames are at most 67 ms apart if none is missing.
    expect(longest).toBeLessThan(68)
  }
})

test('the chosen rendition caps every viewer, and connected viewers are notified of a change', async () => {
  const driveway = await openDriveway('360')
  const viewer = await connectViewer(driveway, 'one')
  await viewer.requestRendition('720')
  await viewer.requestRendition('1080')
  await vi.waitUntil(() => viewer.heights().length > 1, WAIT_OPTIONS)
  expect(new Set(viewer.heights())).toEqual(new Set([360]))
  driveway.camera.setRendition('720')
  driveway.camera.setRendition('720')
  await vi.waitUntil(() => viewer.heights().at(-1) === 720, WAIT_OPTIONS)
  expect(driveway.listMessages('one', 'RENDITION').map(({ messagePayload }) => decodePayload(messagePayload))).toEqual([
    { name: '720' },
  ])
  driveway.camera.setRendition('360')
  await vi.waitUntil(() => viewer.heights().at(-1) === 360, WAIT_OPTIONS)
  expect(driveway.listMessages('one', 'RENDITION')).toHaveLength(2)
  // `clearConnectedViewers` discards all viewers, because some viewers may have left while the provider was down. The
  // camera notifies viewers again only after the provider has reported who is connected.
  driveway.camera.clearConnectedViewers()
  driveway.camera.setRendition('720')
  expect(driveway.listMessages('one', 'RENDITION')).toHaveLength(2)
})

test('a viewer without a request follows the chosen rendition, which stops with the last viewer', async () => {
  const driveway = await openDriveway()
  const viewer = await connectViewer(driveway, 'one')
  driveway.camera.setRendition('720')
  await vi.waitUntil(() => viewer.heights().at(-1) === 720, WAIT_OPTIONS)
  expect(driveway.source.getRendition('720').getGop().length).toBeGreaterThan(0)
  viewer.leave()
  expect(driveway.source.getRendition('720').getGop()).toEqual([])
})

test('the relay sends each requested rendition on its own connection, and nothing above the chosen one', async () => {
  const connections = new Map<string, { heights: number[]; ended: () => void }>()
  const driveway = await openDriveway(null, (_device, rendition, ended) => {
    const connection = { heights: [] as number[], ended }
    connections.set(rendition, connection)
    const send = (message: Buffer) => {
      const sets = message.indexOf('avcC')
      if (message[0] === RELAY_MESSAGE_TYPES.init)
        connection.heights.push(readFrameSize(message.subarray(sets + 12)).height)
    }
    return { send, waiting: 0, isOpen: true, close: () => undefined }
  })
  const requestRelay = (rendition?: string) =>
    driveway.camera.handleCommand({
      type: 'command',
      device_id: 'PL1',
      command: 'relay',
      ...(rendition !== undefined && { rendition }),
    })
  for (const rendition of [undefined, '720', '1080']) requestRelay(rendition)
  await vi.waitUntil(() => [...connections.values()].every(({ heights }) => heights.length > 0), WAIT_OPTIONS)
  expect([...connections].map(([name, { heights }]) => [name, ...heights])).toEqual([
    ['', 360],
    ['720', 720],
  ])
  driveway.camera.setRendition('360')
  expect(connections.get('720')?.heights).toEqual([720, 360])
  connections.get('720')?.ended()
  expect(driveway.source.getRendition('720').getGop()).toEqual([])
})
