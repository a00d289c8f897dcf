import { spawnSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { ConnectQueue } from '../../../bridge/sources/connect-queue.ts'
import { examineOne } from '../../../bridge/diagnostics/doctor.ts'
import { patience, switchOn, watch } from '../../support/watched-camera.ts'
import { annexB, PICTURES, STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

test('a camera whose description takes longer than the frame timeout plays on the first connection', async () => {
  let describe = () => {}
  const server = await switchOn({
    stream: STREAM,
    describesAfter: new Promise<void>((resolve) => (describe = resolve)),
  })
  const { states } = watch(server.url(), { silenceMs: 2000 }, { early: true })
  await vi.waitUntil(() => states.length > 0, patience)
  describe()
  await vi.waitUntil(() => states.length > 1, patience)
  expect(states.map(parseReason)).toEqual(['no picture yet', 'live'])
  expect(server.asked.filter((method) => method === 'DESCRIBE')).toHaveLength(1)
})

/** One keyframe followed by 40 seconds of dependent frames. */
const RARE = (() => {
  const [first, ...rest] = PICTURES.slice(0, 15)
  const pictures = [first!, ...Array.from({ length: 43 }, () => rest).flat()]
  return annexB(pictures.flatMap(({ nals }) => nals))
})()
const firstSlice = PICTURES[0]!.nals.at(-1)

test.each([undefined, 'tone'] as const)(
  'each connection starts with its first keyframe when keyframes are rare (audio: %s)',
  async (sound) => {
    const server = await switchOn({ stream: RARE, ...(sound && { sound }) })
    const { states, units } = watch(server.url(), { sound: true })
    await vi.waitUntil(() => units.length > 5, patience)
    expect(units[0]!.nals.at(-1)).toEqual(firstSlice)
    const before = units.length
    server.drop()
    await vi.waitUntil(() => units.slice(before).some(({ keyframe }) => keyframe), patience)
    expect(
      units
        .slice(before)
        .find(({ keyframe }) => keyframe)!
        .nals.at(-1),
    ).toEqual(firstSlice)
    expect(states.map(parseReason)).toEqual(['live', 'hung up', 'live'])
    const times = units.map(({ pts }) => pts)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  },
)

test('with a limit of one connection attempt, cameras connect one after the other and all play', async () => {
  let describe = () => {}
  const slow = await switchOn({ stream: STREAM, describesAfter: new Promise<void>((resolve) => (describe = resolve)) })
  const server = await switchOn({ stream: STREAM })
  const openings = new ConnectQueue(1, 600_000)
  const first = watch(slow.url(), { openings })
  const others = [watch(server.url(), { openings }), watch(server.url(), { openings })]
  await vi.waitUntil(() => slow.asked.includes('DESCRIBE'), patience)
  expect(server.asked).toEqual([])
  describe()
  await vi.waitUntil(() => [first, ...others].every(({ states }) => states[0] === 'live'), patience)
  expect(server.plays).toBe(2)
})

test('a connection that is slow to start lets the next one start after a timeout', () => {
  vi.useFakeTimers()
  try {
    const openings = new ConnectQueue(2, 2000)
    const started: number[] = []
    const leave = [1, 2, 3, 4, 5].map((number) => openings.enter(() => void started.push(number)))
    expect(started).toEqual([1, 2])
    leave[2]!()
    leave[0]!()
    expect(started).toEqual([1, 2, 4])
    vi.advanceTimersByTime(1999)
    expect(started).toEqual([1, 2, 4])
    vi.advanceTimersByTime(1)
    expect(started).toEqual([1, 2, 4, 5])
  } finally {
    vi.useRealTimers()
  }
})

test('after 20 seconds of computer sleep, the camera is not blamed and is reconnected immediately', async () => {
  const server = await switchOn({ stream: STREAM })
  let slept = 0
  const { states } = watch(server.url(), { uptime: () => performance.now() / 1000 + slept })
  await vi.waitUntil(() => states.includes('live'), patience)
  slept = 20
  server.drop()
  await vi.waitUntil(() => states.length === 3, patience)
  expect(parseReason(states[1])).toBe('slept')
  expect(states[1]).toMatch(/ 2\d seconds\b/)
  expect(states[2]).toBe('live')
})

test('a stream restarts after the computer slept, even if the camera keeps sending', async () => {
  const server = await switchOn({ stream: STREAM })
  let slept = 0
  const { states } = watch(server.url(), { uptime: () => performance.now() / 1000 + slept })
  await vi.waitUntil(() => states.includes('live'), patience)
  slept += 20
  await vi.waitUntil(() => states.length === 3, patience)
  expect(parseReason(states[1])).toBe('slept')
  expect([states[2], server.plays]).toEqual(['live', 2])
})

/** Two seconds of H.264 from libx264 with this profile and pixel format. */
function encoded(profile: string, samples: string): Buffer {
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=15:duration=2', '-pix_fmt', samples]
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', profile, '-g', '15']
  return spawnSync('ffmpeg', ['-loglevel', 'error', ...picture, ...encoder, '-f', 'h264', 'pipe:1']).stdout
}

test('the tile and the doctor report 10-bit, 4:2:2 and 4:4:4 H.264 as unplayable in browsers', async () => {
  const profiles = { high10: 'yuv420p10le', high422: 'yuv422p', high444: 'yuv444p' }
  const reports = Object.entries(profiles).map(async ([profile, samples]) => {
    const url = (await switchOn({ stream: encoded(profile, samples) })).url()
    const { source, states } = watch(url)
    await vi.waitUntil(() => states.length > 0, patience)
    source.stop()
    return [states[0], await examineOne(url)] as const
  })
  const all = await Promise.all(reports)
  expect(all.map(([tile]) => parseReason(tile))).toEqual(['unplayable', 'unplayable', 'unplayable'])
  expect(all.map(([, doctor]) => doctor)).toEqual(all.map(([tile]) => ({ wrong: true, lines: [tile] })))
})

test('a camera that sends H.264 High plays', async () => {
  const { states } = watch((await switchOn({ stream: encoded('high', 'yuv420p') })).url())
  await vi.waitUntil(() => states.length > 0, patience)
  expect(states).toEqual(['live'])
})
