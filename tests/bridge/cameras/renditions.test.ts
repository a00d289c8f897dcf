import type { RtpPacket } from 'werift'
import { afterEach, expect, test, vi } from 'vitest'
import type { BridgeMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { RELAY } from '../../../contract/live/relay-protocol.ts'
import { decodePayload, encodePayload } from '../../../contract/live/signaling.ts'
import { CameraController } from '../../../bridge/cameras/camera.ts'
import { pictureSize } from '../../../bridge/media/h264/sps.ts'
import { weriftPeer } from '../../../bridge/webrtc/werift-peer.ts'
import type { OpenRelay } from '../../../bridge/relay/video-relay.ts'
import { LoopSource } from '../../../bridge/virtual/loop-source.ts'
import { BrowserPeer } from '../../support/browser-peer.ts'
import { library } from '../../support/bridge-streams.ts'
import { scaled } from '../../support/machine.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** The driveway, which has two renditions, as the bridge serves it. */
async function openDriveway(rendition: string | null = null, openRelay?: OpenRelay) {
  const scene = library.scene('driveway')
  const input = { cameraId: 'PL1', scene, fps: 15, utcOffsetMinutes: 0 }
  const source = new LoopSource(library, { scene: 'driveway', input }, { now: () => Date.now() })
  const sent: Extract<BridgeMessage, { type: 'signal' }>[] = []
  const camera = new CameraController({
    deviceId: 'PL1',
    registration: {
      ...{ nickname: 'Driveway', device_model: 'X', provider: 'kvs', renditions: ['360', '720'], dual: false },
      ...{ audio: false, battery: false, device_order: 0 },
    },
    ...{ source, rendition, createPeer: weriftPeer, openRelay },
    send: (message) => message.type === 'signal' && void sent.push(message),
    now: () => Date.now(),
    onPower: (on) => {
      if (on) source.start()
      return { state: 'awake', reason: '' }
    },
  })
  ends.push(() => camera.stop())
  await vi.waitUntil(() => source.group().length > 0, patience)
  const listMessages = (viewerId: string, action: string) =>
    sent
      .filter((signal) => signal.viewer_id === viewerId && signal.message.action === action)
      .map(({ message }) => message)
  return { camera, source, told: listMessages }
}
type Driveway = Awaited<ReturnType<typeof openDriveway>>

/** Connects a viewer through the camera's signaling, as a browser does. */
async function connect({ camera, told: listMessages }: Driveway, viewerId: string) {
  const browser = new BrowserPeer()
  ends.unshift(() => browser.close())
  const sdp = await browser.offer()
  camera.viewer(viewerId, 'open')
  await camera.signal(viewerId, { messageType: 'SDP_OFFER', messagePayload: encodePayload({ type: 'offer', sdp }) })
  const [answer] = listMessages(viewerId, 'SDP_ANSWER')
  await browser.acceptAnswer((decodePayload(answer?.messagePayload ?? '') as { sdp: string }).sdp)
  const requestRendition = (name: string) =>
    camera.signal(viewerId, { messageType: 'RENDITION', messagePayload: encodePayload({ name }) })
  const { packets } = browser
  return {
    packets,
    ask: requestRendition,
    heights: () => packets.flatMap(heightIn),
    leave: () => camera.viewer(viewerId, 'close'),
  }
}

/** Returns the height of a keyframe from the parameter sets in its leading STAP-A packet; empty for other packets. */
function heightIn({ payload }: RtpPacket): number[] {
  if (((payload[0] ?? 0) & 31) !== 24) return []
  return [pictureSize(payload.subarray(3, 3 + payload.readUInt16BE(1))).height]
}

/** Returns the increments of the sequence numbers, and the longest and shortest interval between frames in ms. */
function measureSteps(packets: readonly RtpPacket[]) {
  const pairs = packets.slice(1).map((packet, i) => [packets[i]!.header, packet.header] as const)
  const sequence = new Set(pairs.map(([before, after]) => (after.sequenceNumber - before.sequenceNumber) & 0xffff))
  const times = pairs
    .filter(([before]) => before.marker)
    .map(([before, after]) => (after.timestamp - before.timestamp) / 90)
  return { sequence, longest: Math.max(...times), shortest: Math.min(...times) }
}

const patience = { timeout: scaled(20_000), interval: 20 }

test('LIVE-05 two viewers of one camera each get their own rendition and change it without a gap', async () => {
  const driveway = await openDriveway()
  const [firstViewer, two] = [await connect(driveway, 'one'), await connect(driveway, 'two')]
  await vi.waitUntil(() => [firstViewer, two].every(({ heights }) => heights().length > 0), patience)
  expect([firstViewer.heights()[0], two.heights()[0]]).toEqual([360, 360])
  await two.ask('720')
  await vi.waitUntil(() => two.heights().at(-1) === 720, patience)
  const before = firstViewer.heights().length
  await vi.waitUntil(() => firstViewer.heights().length > before, patience)
  expect(new Set(firstViewer.heights())).toEqual(new Set([360]))
  await two.ask('360')
  await vi.waitUntil(() => two.heights().at(-1) === 360, patience)
  for (const { packets } of [firstViewer, two]) {
    const { sequence, longest, shortest } = measureSteps(packets)
    expect(sequence).toEqual(new Set([1]))
    expect(shortest).toBeGreaterThan(0)
    // At 15 fps, frames are at most 67 ms apart if none is missing.
    expect(longest).toBeLessThan(68)
  }
})

test('the chosen rendition caps every viewer, and connected viewers are notified of a change', async () => {
  const driveway = await openDriveway('360')
  const viewer = await connect(driveway, 'one')
  await viewer.ask('720')
  await viewer.ask('1080')
  await vi.waitUntil(() => viewer.heights().length > 1, patience)
  expect(new Set(viewer.heights())).toEqual(new Set([360]))
  driveway.camera.setRendition('720')
  driveway.camera.setRendition('720')
  await vi.waitUntil(() => viewer.heights().at(-1) === 720, patience)
  expect(driveway.told('one', 'RENDITION').map(({ messagePayload }) => decodePayload(messagePayload))).toEqual([
    { name: '720' },
  ])
  driveway.camera.setRendition('360')
  await vi.waitUntil(() => viewer.heights().at(-1) === 360, patience)
  expect(driveway.told('one', 'RENDITION')).toHaveLength(2)
  // `clearWatching` discards all viewers, because some may have left while the provider was down. Viewers are notified
  // again only after the provider has named those that remain.
  driveway.camera.clearWatching()
  driveway.camera.setRendition('720')
  expect(driveway.told('one', 'RENDITION')).toHaveLength(2)
})

test('a viewer without a request follows the chosen rendition, which stops with the last viewer', async () => {
  const driveway = await openDriveway()
  const viewer = await connect(driveway, 'one')
  driveway.camera.setRendition('720')
  await vi.waitUntil(() => viewer.heights().at(-1) === 720, patience)
  expect(driveway.source.rendition('720').group().length).toBeGreaterThan(0)
  viewer.leave()
  expect(driveway.source.rendition('720').group()).toEqual([])
})

test('the relay sends each requested rendition on its own connection, and nothing above the chosen one', async () => {
  const lines = new Map<string, { heights: number[]; ended: () => void }>()
  const driveway = await openDriveway(null, (_device, rendition, ended) => {
    const line = { heights: [] as number[], ended }
    lines.set(rendition, line)
    const send = (message: Buffer) => {
      const sets = message.indexOf('avcC')
      if (message[0] === RELAY.init) line.heights.push(pictureSize(message.subarray(sets + 12)).height)
    }
    return { send, waiting: 0, isOpen: true, close: () => undefined }
  })
  const requestRelay = (rendition?: string) =>
    driveway.camera.command({
      ...{ type: 'command', device_id: 'PL1', command: 'relay' },
      ...(rendition !== undefined && { rendition }),
    })
  for (const rendition of [undefined, '720', '1080']) requestRelay(rendition)
  await vi.waitUntil(() => [...lines.values()].every(({ heights }) => heights.length > 0), patience)
  expect([...lines].map(([name, { heights }]) => [name, ...heights])).toEqual([
    ['', 360],
    ['720', 720],
  ])
  driveway.camera.setRendition('360')
  expect(lines.get('720')?.heights).toEqual([720, 360])
  lines.get('720')?.ended()
  expect(driveway.source.rendition('720').group()).toEqual([])
})
