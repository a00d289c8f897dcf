import { spawnSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import { ConnectQueue } from '../../../bridge/sources/connect-queue.ts'
import { diagnoseAddress } from '../../../bridge/diagnostics/doctor.ts'
import { CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { joinAnnexB, ACTION_PICTURES, ACTION_STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

test('a camera whose description takes longer than the frame timeout plays on the first connection', async () => {
  let sendDescription = () => {}
  const server = await startCamera({
    stream: ACTION_STREAM,
    descriptionDelay: new Promise<void>((resolve) => (sendDescription = resolve)),
  })
  const { states } = startWatchedSource(server.url(), { silenceMs: 2000 }, { includeFirstState: true })
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  sendDescription()
  await vi.waitUntil(() => states.length > 1, CAMERA_WAIT_OPTIONS)
  expect(states.map(parseReason)).toEqual(['no picture yet', 'live'])
  expect(server.requests.filter((method) => method === 'DESCRIBE')).toHaveLength(1)
})

/** One keyframe followed by 40 seconds of dependent frames. */
const RARE_KEYFRAME_STREAM = (() => {
  const [first, ...rest] = ACTION_PICTURES.slice(0, 15)
  const pictures = [first!, ...Array.from({ length: 43 }, () => rest).flat()]
  return joinAnnexB(pictures.flatMap(({ nals }) => nals))
})()
const firstSlice = ACTION_PICTURES[0]!.nals.at(-1)

test.each([undefined, 'tone'] as const)(
  'each connection starts with its first keyframe when keyframes are rare (audio: %s)',
  async (sound) => {
    const server = await startCamera({ stream: RARE_KEYFRAME_STREAM, ...(sound && { sound }) })
    const { states, units } = startWatchedSource(server.url(), { sound: true })
    await vi.waitUntil(() => units.length > 5, CAMERA_WAIT_OPTIONS)
    expect(units[0]!.nals.at(-1)).toEqual(firstSlice)
    const before = units.length
    server.closeConnections()
    await vi.waitUntil(() => units.slice(before).some(({ keyframe }) => keyframe), CAMERA_WAIT_OPTIONS)
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
  let sendDescription = () => {}
  const slow = await startCamera({
    stream: ACTION_STREAM,
    descriptionDelay: new Promise<void>((resolve) => (sendDescription = resolve)),
  })
  const server = await startCamera({ stream: ACTION_STREAM })
  const connectQueue = new ConnectQueue(1, 600_000)
  const first = startWatchedSource(slow.url(), { connectQueue })
  const others = [
    startWatchedSource(server.url(), { connectQueue }),
    startWatchedSource(server.url(), { connectQueue }),
  ]
  await vi.waitUntil(() => slow.requests.includes('DESCRIBE'), CAMERA_WAIT_OPTIONS)
  expect(server.requests).toEqual([])
  sendDescription()
  await vi.waitUntil(() => [first, ...others].every(({ states }) => states[0] === 'live'), CAMERA_WAIT_OPTIONS)
  expect(server.playCount).toBe(2)
})

test('a connection that is slow to start lets the next one start after a timeout', () => {
  vi.useFakeTimers()
  try {
    const connectQueue = new ConnectQueue(2, 2000)
    const started: number[] = []
    const leave = [1, 2, 3, 4, 5].map((number) => connectQueue.enqueue(() => void started.push(number)))
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
  const server = await startCamera({ stream: ACTION_STREAM })
  let sleptSeconds = 0
  const { states } = startWatchedSource(server.url(), { uptime: () => performance.now() / 1000 + sleptSeconds })
  await vi.waitUntil(() => states.includes('live'), CAMERA_WAIT_OPTIONS)
  sleptSeconds = 20
  server.closeConnections()
  await vi.waitUntil(() => states.length === 3, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[1])).toBe('slept')
  expect(states[1]).toMatch(/ 2\d seconds\b/)
  expect(states[2]).toBe('live')
})

test('a stream restarts after the computer slept, even if the camera keeps sending', async () => {
  const server = await startCamera({ stream: ACTION_STREAM })
  let sleptSeconds = 0
  const { states } = startWatchedSource(server.url(), { uptime: () => performance.now() / 1000 + sleptSeconds })
  await vi.waitUntil(() => states.includes('live'), CAMERA_WAIT_OPTIONS)
  sleptSeconds += 20
  await vi.waitUntil(() => states.length === 3, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[1])).toBe('slept')
  expect([states[2], server.playCount]).toEqual(['live', 2])
})

function encodeH264(profile: string, pixelFormat: string): Buffer {
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=15:duration=2', '-pix_fmt', pixelFormat]
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', profile, '-g', '15']
  return spawnSync('ffmpeg', ['-loglevel', 'error', ...input, ...encoder, '-f', 'h264', 'pipe:1']).stdout
}

test('the tile and the doctor report 10-bit, 4:2:2 and 4:4:4 H.264 as unplayable in browsers', async () => {
  const profiles = { high10: 'yuv420p10le', high422: 'yuv422p', high444: 'yuv444p' }
  const reports = Object.entries(profiles).map(async ([profile, pixelFormat]) => {
    const url = (await startCamera({ stream: encodeH264(profile, pixelFormat) })).url()
    const { source, states } = startWatchedSource(url)
    await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
    source.stop()
    return [states[0], await diagnoseAddress(url)] as const
  })
  const all = await Promise.all(reports)
  expect(all.map(([tile]) => parseReason(tile))).toEqual(['unplayable', 'unplayable', 'unplayable'])
  expect(all.map(([, doctor]) => doctor)).toEqual(all.map(([tile]) => ({ wrong: true, lines: [tile] })))
})

test('a camera that sends H.264 High plays', async () => {
  const { states } = startWatchedSource((await startCamera({ stream: encodeH264('high', 'yuv420p') })).url())
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(states).toEqual(['live'])
})
