import type { RtpPacket } from 'werift'
import { afterEach, expect, test, vi } from 'vitest'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import { Viewer } from '../../../bridge/webrtc/viewer.ts'
import { createWeriftPeer } from '../../../bridge/webrtc/werift-peer.ts'
import { DualLensSource } from '../../../bridge/virtual/dual-lens-source.ts'
import type { AudioPacket } from '../../../bridge/media/audio/audio-clock.ts'
import type { VideoSource } from '../../../bridge/sources/video-source.ts'
import { BrowserPeer } from '../../support/browser-peer.ts'
import { scaleTimeout } from '../../support/machine.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

/** Creates a lens whose frames the test emits. The second byte of each frame is the name of the lens. */
function createLensSource(name: string, sound?: VideoSource['watchAudio']) {
  const watchers = new Set<(unit: AccessUnit) => void>()
  let group: AccessUnit[] = []
  const source: VideoSource = {
    getGop: () => group,
    watch: (onUnit) => {
      watchers.add(onUnit)
      return () => void watchers.delete(onUnit)
    },
    getRendition: () => source,
    watchAudio: sound,
    start: () => undefined,
    stop: () => undefined,
  }
  const sendFrame = (pts: number, keyframe = false) => {
    const unit = { nals: [Buffer.from([keyframe ? 0x65 : 0x41, name.charCodeAt(0), pts & 255])], keyframe, pts }
    group = keyframe ? [unit] : [...group, unit]
    for (const watcher of watchers) watcher(unit)
  }
  return { source, sendFrame, countWatchers: () => watchers.size }
}

const decodeLensName = (unit: AccessUnit) => String.fromCharCode(unit.nals[0]?.[1] ?? 0)

function createDualSource() {
  const face = createLensSource('f')
  const step = createLensSource('s')
  const source = new DualLensSource(face.source, step.source)
  const sendFrame = (pts: number, keyframe = false) => {
    face.sendFrame(pts, keyframe)
    step.sendFrame(pts, keyframe)
  }
  return { face, step, source, sendFrame }
}

test('LIVE-06: a lens swap takes effect immediately for each of two viewers, starting with a keyframe', () => {
  const { source, sendFrame } = createDualSource()
  sendFrame(1000, true)
  const seen = [0, 1].map(() => ({ main: [] as AccessUnit[], inset: [] as AccessUnit[] }))
  for (const { main, inset } of seen) {
    source.watch((unit) => main.push(unit))
    source.inset.watch((unit) => inset.push(unit))
  }
  sendFrame(1066)
  source.swap(true)
  sendFrame(1133)
  for (const { main, inset } of seen) {
    expect(main.map(decodeLensName).join('')).toBe('fsss')
    expect(inset.map(decodeLensName).join('')).toBe('sfff')
    expect(main.map((unit) => unit.keyframe)).toEqual([false, true, false, false])
    const times = main.map((unit) => unit.pts)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(new Set(times).size).toBe(times.length)
  }
})

test('a repeated swap changes nothing, and swapping back restores the original views', () => {
  const { source, sendFrame } = createDualSource()
  sendFrame(1000, true)
  const main: AccessUnit[] = []
  source.watch((unit) => main.push(unit))
  source.swap(true)
  source.swap(true)
  expect(main).toHaveLength(1)
  source.swap(false)
  expect(main.map(decodeLensName).join('')).toBe('sf')
  expect(source.getGop().map(decodeLensName)).toEqual(['f'])
})

test('a lens that has no keyframe yet starts with its next keyframe', () => {
  const { face, step, source } = createDualSource()
  face.sendFrame(1000, true)
  const main: AccessUnit[] = []
  source.watch((unit) => main.push(unit))
  source.swap(true)
  step.sendFrame(1066)
  expect(main).toEqual([])
  step.sendFrame(1133, true)
  expect(main.map(decodeLensName)).toEqual(['s'])
})

test('a viewer that leaves unsubscribes from the lens on display', () => {
  const { face, step, source } = createDualSource()
  const leave = source.watch(() => undefined)
  source.swap(true)
  expect([face.countWatchers(), step.countWatchers()]).toEqual([0, 1])
  leave()
  expect([face.countWatchers(), step.countWatchers()]).toEqual([0, 0])
})

/** Connects a viewer with the given tracks. Returns its packets in the order of its media lines. */
async function connectViewer(source: VideoSource, kinds: readonly ('video' | 'audio')[]) {
  const browser = new BrowserPeer(kinds)
  const packets = browser.tracks
  const viewer = new Viewer(source, createWeriftPeer, () => undefined)
  cleanups.push(
    () => viewer.end(),
    () => browser.close(),
  )
  const answer = await viewer.answer(await browser.offer())
  expect(answer.length).toBeLessThan(10_000)
  await browser.acceptAnswer(answer)
  const readLensNames = (i: number) =>
    packets[i]?.map(({ payload }) => String.fromCharCode(payload[1] ?? 0)).join('') ?? ''
  return { packets, readLensNames }
}

function computeRtpSteps(packets: readonly RtpPacket[]) {
  const pairs = packets.slice(1).map((packet, i) => [packets[i]!.header, packet.header] as const)
  return {
    sequence: new Set(pairs.map(([before, after]) => (after.sequenceNumber - before.sequenceNumber) & 0xffff)),
    ticks: pairs.map(([before, after]) => (after.timestamp - before.timestamp) >>> 0),
  }
}

test('LIVE-06: two viewers receive both lenses over one connection each and see the swap with continuous timestamps', async () => {
  const { source, sendFrame } = createDualSource()
  sendFrame(1000, true)
  const viewers = [await connectViewer(source, ['video', 'video']), await connectViewer(source, ['video', 'video'])]
  await vi.waitUntil(
    () =>
      viewers.every(
        ({ readLensNames: createLensSource }) => createLensSource(0) === 'f' && createLensSource(1) === 's',
      ),
    {
      timeout: scaleTimeout(15_000),
    },
  )
  sendFrame(1066)
  source.swap(true)
  sendFrame(1133)
  await vi.waitUntil(
    () =>
      viewers.every(
        ({ readLensNames: createLensSource }) => createLensSource(0).length === 5 && createLensSource(1).length === 5,
      ),
    {
      timeout: scaleTimeout(5000),
    },
  )
  for (const { packets, readLensNames } of viewers) {
    expect([readLensNames(0), readLensNames(1)]).toEqual(['ffsss', 'ssfff'])
    for (const track of packets) {
      const { sequence, ticks } = computeRtpSteps(track)
      expect(sequence).toEqual(new Set([1]))
      expect(Math.min(...ticks)).toBeGreaterThan(0)
      expect(Math.max(...ticks)).toBeLessThanOrEqual(67 * 90)
    }
  }
})

test('a single-video viewer gets the main lens, and a single-lens camera sends no second video', async () => {
  const { source, sendFrame } = createDualSource()
  sendFrame(1000, true)
  const dualViewer = await connectViewer(source, ['video'])
  const plain = createLensSource('p')
  plain.sendFrame(1000, true)
  const plainViewer = await connectViewer(plain.source, ['video', 'video', 'audio'])
  await vi.waitUntil(() => dualViewer.readLensNames(0) === 'f' && plainViewer.readLensNames(0) === 'p', {
    timeout: scaleTimeout(15_000),
  })
  expect(plainViewer.readLensNames(1) + plainViewer.readLensNames(2)).toBe('')
})

test('audio stays in sync with video: 48 kHz timestamps, one packet every 20 ms', async () => {
  let play: (packet: AudioPacket) => void = () => undefined
  const { source, sendFrame } = createLensSource('p', (onPacket) => {
    play = onPacket
    return () => (play = () => undefined)
  })
  sendFrame(1000, true)
  const { packets, readLensNames: seen } = await connectViewer(source, ['video', 'audio'])
  await vi.waitUntil(() => seen(0) === 'p', { timeout: scaleTimeout(15_000) })
  for (let i = 0; i < 5; i++) play({ data: Buffer.from([0xfc, i]), pts: 1020 + i * 20 })
  play({ data: Buffer.from([0xfc, 9]), pts: 1400 })
  sendFrame(1400)
  await vi.waitUntil(() => packets[1]?.length === 6 && packets[0]?.length === 2, { timeout: scaleTimeout(5000) })
  const { sequence, ticks } = computeRtpSteps(packets[1] ?? [])
  expect(sequence).toEqual(new Set([1]))
  expect(ticks).toEqual([960, 960, 960, 960, 300 * 48])
})
