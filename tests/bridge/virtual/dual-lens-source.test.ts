import type { RtpPacket } from 'werift'
import { afterEach, expect, test, vi } from 'vitest'
import type { AccessUnit } from '../../../bridge/media/h264/annex-b.ts'
import { Viewer } from '../../../bridge/webrtc/viewer.ts'
import { weriftPeer } from '../../../bridge/webrtc/werift-peer.ts'
import { DualSource } from '../../../bridge/virtual/dual-lens-source.ts'
import type { AudioPacket } from '../../../bridge/media/audio/audio-clock.ts'
import type { Source } from '../../../bridge/sources/video-source.ts'
import { BrowserPeer } from '../../support/browser-peer.ts'
import { scaled } from '../../support/machine.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A lens that the test drives; its frames start with its name. */
function lens(name: string, sound?: Source['watchAudio']) {
  const watchers = new Set<(unit: AccessUnit) => void>()
  let group: AccessUnit[] = []
  const source: Source = {
    group: () => group,
    watch: (onUnit) => {
      watchers.add(onUnit)
      return () => void watchers.delete(onUnit)
    },
    rendition: () => source,
    watchAudio: sound,
    start: () => undefined,
    stop: () => undefined,
  }
  const show = (pts: number, keyframe = false) => {
    const unit = { nals: [Buffer.from([keyframe ? 0x65 : 0x41, name.charCodeAt(0), pts & 255])], keyframe, pts }
    group = keyframe ? [unit] : [...group, unit]
    for (const watcher of watchers) watcher(unit)
  }
  return { source, show, watched: () => watchers.size }
}

const decodeName = (unit: AccessUnit) => String.fromCharCode(unit.nals[0]?.[1] ?? 0)

function dual() {
  const face = lens('f')
  const step = lens('s')
  const source = new DualSource(face.source, step.source)
  const show = (pts: number, keyframe = false) => {
    face.show(pts, keyframe)
    step.show(pts, keyframe)
  }
  return { face, step, source, show }
}

test('LIVE-06: a lens swap takes effect immediately for each of two viewers, starting with a keyframe', () => {
  const { source, show } = dual()
  show(1000, true)
  const seen = [0, 1].map(() => ({ main: [] as AccessUnit[], inset: [] as AccessUnit[] }))
  for (const { main, inset } of seen) {
    source.watch((unit) => main.push(unit))
    source.inset.watch((unit) => inset.push(unit))
  }
  show(1066)
  source.swap(true)
  show(1133)
  for (const { main, inset } of seen) {
    expect(main.map(decodeName).join('')).toBe('fsss')
    expect(inset.map(decodeName).join('')).toBe('sfff')
    expect(main.map((unit) => unit.keyframe)).toEqual([false, true, false, false])
    const times = main.map((unit) => unit.pts)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(new Set(times).size).toBe(times.length)
  }
})

test('a repeated swap changes nothing, and swapping back restores the original views', () => {
  const { source, show } = dual()
  show(1000, true)
  const main: AccessUnit[] = []
  source.watch((unit) => main.push(unit))
  source.swap(true)
  source.swap(true)
  expect(main).toHaveLength(1)
  source.swap(false)
  expect(main.map(decodeName).join('')).toBe('sf')
  expect(source.group().map(decodeName)).toEqual(['f'])
})

test('a lens that has no keyframe yet starts with its next keyframe', () => {
  const { face, step, source } = dual()
  face.show(1000, true)
  const main: AccessUnit[] = []
  source.watch((unit) => main.push(unit))
  source.swap(true)
  step.show(1066)
  expect(main).toEqual([])
  step.show(1133, true)
  expect(main.map(decodeName)).toEqual(['s'])
})

test('a viewer that leaves unsubscribes from the lens on display', () => {
  const { face, step, source } = dual()
  const leave = source.watch(() => undefined)
  source.swap(true)
  expect([face.watched(), step.watched()]).toEqual([0, 1])
  leave()
  expect([face.watched(), step.watched()]).toEqual([0, 0])
})

/** Connects a viewer with the given tracks. Returns its packets in the order of its media lines. */
async function connect(source: Source, kinds: readonly ('video' | 'audio')[]) {
  const browser = new BrowserPeer(kinds)
  const packets = browser.tracks
  const viewer = new Viewer(source, weriftPeer, () => undefined)
  ends.push(
    () => viewer.end(),
    () => browser.close(),
  )
  const answer = await viewer.answer(await browser.offer())
  expect(answer.length).toBeLessThan(10_000)
  await browser.acceptAnswer(answer)
  const lens = (i: number) => packets[i]?.map(({ payload }) => String.fromCharCode(payload[1] ?? 0)).join('') ?? ''
  return { packets, lens }
}

function steps(packets: readonly RtpPacket[]) {
  const pairs = packets.slice(1).map((packet, i) => [packets[i]!.header, packet.header] as const)
  return {
    sequence: new Set(pairs.map(([before, after]) => (after.sequenceNumber - before.sequenceNumber) & 0xffff)),
    ticks: pairs.map(([before, after]) => (after.timestamp - before.timestamp) >>> 0),
  }
}

test('LIVE-06: two viewers receive both lenses over one connection each and see the swap with continuous timestamps', async () => {
  const { source, show } = dual()
  show(1000, true)
  const viewers = [await connect(source, ['video', 'video']), await connect(source, ['video', 'video'])]
  await vi.waitUntil(() => viewers.every(({ lens }) => lens(0) === 'f' && lens(1) === 's'), { timeout: scaled(15_000) })
  show(1066)
  source.swap(true)
  show(1133)
  await vi.waitUntil(() => viewers.every(({ lens }) => lens(0).length === 5 && lens(1).length === 5), {
    timeout: scaled(5000),
  })
  for (const { packets, lens } of viewers) {
    expect([lens(0), lens(1)]).toEqual(['ffsss', 'ssfff'])
    for (const track of packets) {
      const { sequence, ticks } = steps(track)
      expect(sequence).toEqual(new Set([1]))
      expect(Math.min(...ticks)).toBeGreaterThan(0)
      expect(Math.max(...ticks)).toBeLessThanOrEqual(67 * 90)
    }
  }
})

test('a single-video viewer gets the main lens, and a single-lens camera sends no second video', async () => {
  const { source, show } = dual()
  show(1000, true)
  const dualViewer = await connect(source, ['video'])
  const plain = lens('p')
  plain.show(1000, true)
  const two = await connect(plain.source, ['video', 'video', 'audio'])
  await vi.waitUntil(() => dualViewer.lens(0) === 'f' && two.lens(0) === 'p', { timeout: scaled(15_000) })
  expect(two.lens(1) + two.lens(2)).toBe('')
})

test('audio stays in sync with video: 48 kHz timestamps, one packet every 20 ms', async () => {
  let play: (packet: AudioPacket) => void = () => undefined
  const { source, show } = lens('p', (onPacket) => {
    play = onPacket
    return () => (play = () => undefined)
  })
  show(1000, true)
  const { packets, lens: seen } = await connect(source, ['video', 'audio'])
  await vi.waitUntil(() => seen(0) === 'p', { timeout: scaled(15_000) })
  for (let i = 0; i < 5; i++) play({ data: Buffer.from([0xfc, i]), pts: 1020 + i * 20 })
  play({ data: Buffer.from([0xfc, 9]), pts: 1400 })
  show(1400)
  await vi.waitUntil(() => packets[1]?.length === 6 && packets[0]?.length === 2, { timeout: scaled(5000) })
  const { sequence, ticks } = steps(packets[1] ?? [])
  expect(sequence).toEqual(new Set([1]))
  expect(ticks).toEqual([960, 960, 960, 960, 300 * 48])
})
