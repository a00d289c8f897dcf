import { afterEach, expect, test, vi } from 'vitest'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import type { PeerEvents, TrackName } from '../../../bridge/webrtc/peer.ts'
import { Viewer } from '../../../bridge/webrtc/viewer.ts'
import { createWeriftPeer } from '../../../bridge/webrtc/werift-peer.ts'
import { LoopSource } from '../../../bridge/virtual/loop-source.ts'
import type { LensFrames, VideoSource } from '../../../bridge/sources/video-source.ts'
import { BrowserPeer } from '../../support/browser-peer.ts'
import { sceneLibrary } from '../../support/bridge-streams.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

const createUnit = (pts: number, keyframe = false): AccessUnit => ({
  nals: [Buffer.from([keyframe ? 0x65 : 0x41, pts & 255])],
  keyframe,
  pts,
})

/** Creates a source whose frames the test emits. */
function createManualSource(group: AccessUnit[]) {
  let watcher: ((accessUnit: AccessUnit) => void) | undefined
  const source: VideoSource = {
    getGop: () => group,
    watch: (onUnit) => {
      watcher = onUnit
      return () => (watcher = undefined)
    },
    getRendition: () => source,
    start: () => undefined,
    stop: () => undefined,
  }
  return { source, emit: (accessUnit: AccessUnit) => watcher?.(accessUnit), isWatched: () => watcher !== undefined }
}

/** Creates a viewer whose WebRTC peer only records the packets that the viewer sends. */
function createRecordingViewer(source: VideoSource, tracks: ReadonlySet<TrackName> = new Set<TrackName>(['main'])) {
  const sent: { track: TrackName; byte: number; timestamp: number; marker: boolean }[] = []
  let events: PeerEvents | undefined
  let ended = 0
  const peer = {
    tracks,
    answer: async () => '',
    addCandidate: async () => undefined,
    send: (track: TrackName, payload: Buffer, timestamp: number, marker: boolean) =>
      void sent.push({ track, byte: payload[1] ?? -1, timestamp, marker }),
    close: () => undefined,
  }
  const viewer = new Viewer(
    source,
    (peerEvents) => ((events = peerEvents), peer),
    () => ended++,
  )
  cleanups.push(() => viewer.end())
  const emitPeerEvent = (name: keyof PeerEvents) => events?.[name]('main')
  return { sent, emitPeerEvent, ended: () => ended, switchTo: (frames: LensFrames) => viewer.switchTo(frames) }
}

test('a viewer gets nothing before the connection, then the whole GOP immediately, then live frames', () => {
  const { source, emit } = createManualSource([createUnit(1000, true), createUnit(1066), createUnit(1133)])
  const { sent, emitPeerEvent } = createRecordingViewer(source)
  expect(sent).toEqual([])
  emitPeerEvent('connected')
  expect(sent.map((packet) => packet.byte)).toEqual([1000, 1066, 1133].map((pts) => pts & 255))
  emit(createUnit(1200))
  expect(sent).toHaveLength(4)
  expect(sent.every((packet) => packet.marker)).toBe(true)
})

test('timestamps increase monotonically during a burst and run at 90 kHz when live', () => {
  const { source, emit } = createManualSource([createUnit(1000, true), createUnit(1066), createUnit(1133)])
  const { sent, emitPeerEvent } = createRecordingViewer(source)
  emitPeerEvent('connected')
  emit(createUnit(1200))
  emit(createUnit(1300))
  const steps = sent.slice(1).map((packet, i) => (packet.timestamp - (sent[i]?.timestamp ?? 0)) >>> 0)
  expect(steps.slice(0, 2)).toEqual([90, 90])
  expect(steps[3]).toBe(9000)
  expect(Math.min(...steps)).toBeGreaterThan(0)
})

test('a viewer that loses frames gets the GOP again, at most once a second', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  cleanups.push(() => vi.useRealTimers())
  const { source } = createManualSource([createUnit(1000, true), createUnit(1066)])
  const { sent, emitPeerEvent } = createRecordingViewer(source)
  emitPeerEvent('connected')
  emitPeerEvent('keyframeWanted')
  expect(sent).toHaveLength(2)
  vi.advanceTimersByTime(1000)
  emitPeerEvent('keyframeWanted')
  emitPeerEvent('keyframeWanted')
  expect(sent).toHaveLength(4)
})

test('a viewer that never connects times out after ten seconds', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  cleanups.push(() => vi.useRealTimers())
  const { ended } = createRecordingViewer(createManualSource([]).source)
  vi.advanceTimersByTime(9999)
  expect(ended()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(ended()).toBe(1)
})

test('while the source has no frame, a viewer waits for the next keyframe', () => {
  const { source, emit } = createManualSource([])
  const { sent, emitPeerEvent } = createRecordingViewer(source)
  emitPeerEvent('connected')
  emit(createUnit(1000))
  expect(sent).toEqual([])
  emit(createUnit(1066, true))
  expect(sent).toHaveLength(1)
})

/**
 * Connects a viewer to `low` and then switches it to `high`. `seen` lists the frames that the viewer received from
 * both sources: the low byte of each timestamp.
 */
function startRenditionSwitch(group: AccessUnit[] = []) {
  const [low, high] = [createManualSource([createUnit(1000, true)]), createManualSource(group)]
  const viewer = createRecordingViewer(low.source)
  viewer.emitPeerEvent('connected')
  viewer.switchTo(high.source)
  return { low, high, ...viewer, seen: () => viewer.sent.map(({ byte }) => byte) }
}

test('the old rendition plays until the new one’s keyframe, and timestamps continue across the switch', () => {
  const { low, high, sent, seen } = startRenditionSwitch()
  low.emit(createUnit(1066))
  high.emit(createUnit(1067))
  low.emit(createUnit(1133))
  expect(high.isWatched()).toBe(true)
  high.emit(createUnit(1200, true))
  expect(low.isWatched()).toBe(false)
  high.emit(createUnit(1266))
  expect(seen()).toEqual([1000, 1066, 1133, 1200, 1266].map((pts) => pts & 255))
  const steps = sent.slice(1).map(({ timestamp }, i) => (timestamp - (sent[i]?.timestamp ?? 0)) >>> 0)
  expect(steps.slice(1)).toEqual([67, 67, 66].map((ms) => ms * 90))
})

test('with rare keyframes, a new rendition starts with its buffered GOP', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  cleanups.push(() => vi.useRealTimers())
  const { high, seen } = startRenditionSwitch([createUnit(900, true), createUnit(966)])
  high.emit(createUnit(1033))
  expect(seen()).toEqual([1000 & 255])
  vi.advanceTimersByTime(1501)
  high.emit(createUnit(1100))
  expect(seen()).toEqual([1000, 900, 966].map((pts) => pts & 255))
})

test('switching back before the new rendition starts keeps the old and unsubscribes from the new', () => {
  const { low, high, switchTo, seen } = startRenditionSwitch()
  switchTo(low.source)
  expect([low.isWatched(), high.isWatched()]).toEqual([true, false])
  low.emit(createUnit(1066))
  expect(seen()).toEqual([1000, 1066].map((pts) => pts & 255))
})

test('a viewer that leaves during a switch unsubscribes from both renditions', () => {
  const { low, high, emitPeerEvent } = startRenditionSwitch()
  emitPeerEvent('ended')
  expect([low.isWatched(), high.isWatched()]).toEqual([false, false])
})

test('a failed connection unsubscribes from the source', () => {
  const { source, isWatched } = createManualSource([createUnit(1000, true)])
  const { emitPeerEvent, ended } = createRecordingViewer(source)
  emitPeerEvent('connected')
  expect(isWatched()).toBe(true)
  emitPeerEvent('ended')
  expect(isWatched()).toBe(false)
  expect(ended()).toBe(1)
})

test('a WebRTC viewer of a virtual camera gets a keyframe first, then frames without gaps', async () => {
  const scene = sceneLibrary.getScene('driveway')
  const clock = { now: () => Date.now() }
  const source = new LoopSource(
    sceneLibrary,
    { scene: 'driveway', input: { cameraId: 'PL1', scene, fps: 15, utcOffsetMinutes: 0 } },
    clock,
  )
  source.start()
  await vi.waitUntil(() => source.getGop().length > 0, WAIT_OPTIONS)
  const browser = new BrowserPeer()
  const { packets } = browser
  const viewer = new Viewer(source, createWeriftPeer, () => undefined)
  cleanups.push(
    () => viewer.end(),
    () => browser.close(),
    () => source.stop(),
  )
  const answer = await viewer.answer(await browser.offer())
  expect(answer.length).toBeLessThan(10_000)
  expect(answer).toContain('127.0.0.1')
  await browser.acceptAnswer(answer)
  await vi.waitUntil(() => packets.filter((packet) => packet.header.marker).length >= 20, {
    timeout: scaleTimeout(15_000),
  })
  expect((packets[0]?.payload[0] ?? 0) & 31).toBe(24)
  const gaps = packets
    .slice(1)
    .map((packet, i) => (packet.header.sequenceNumber - (packets[i]?.header.sequenceNumber ?? 0)) & 0xffff)
  expect(new Set(gaps)).toEqual(new Set([1]))
})
