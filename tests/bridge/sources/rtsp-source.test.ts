import { readdirSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { RtspServer, RtspServerOptions } from '../../support/rtsp-server.ts'
import { CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { ACTION_PICTURES, ACTION_STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'

const connectCamera = (options: Partial<RtspServerOptions> = {}, port = 0): Promise<RtspServer> =>
  startCamera({ stream: ACTION_STREAM, ...options }, port)

/** Reads a file in /proc. Returns '' if the process has ended or belongs to another user. */
function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

test('an RTSP camera delivers its frames unchanged, starting with a keyframe', async () => {
  const server = await connectCamera({ credentials: { user: 'me', password: "p'@ss" } })
  const { source, states } = startWatchedSource(server.url(`me:${encodeURIComponent("p'@ss")}`))
  const units = await new Promise<readonly Buffer[][]>((resolve) => {
    const seen: Buffer[][] = []
    source.watch((unit) => {
      seen.push([...unit.nals])
      if (seen.length === 20) resolve(seen)
    })
  })
  expect(states).toEqual(['live'])
  expect((units[0]?.[0]?.[0] ?? 0) & 31).toBe(7)
  const slices = units.map((nals) => nals.at(-1))
  const first = ACTION_PICTURES.findIndex((picture) => picture.nals.at(-1)?.equals(slices[0] ?? Buffer.alloc(0)))
  expect(slices).toEqual(ACTION_PICTURES.slice(first, first + 20).map((picture) => picture.nals.at(-1)))
  expect(source.getGop()[0]?.keyframe).toBe(true)
})

test.skipIf(process.platform !== 'linux')(
  'the password of a playing camera is in no process arguments or environment',
  async () => {
    const server = await connectCamera({ credentials: { user: 'me', password: 'only-the-camera-knows' } })
    const { states } = startWatchedSource(server.url('me:only-the-camera-knows'), { sound: true })
    await vi.waitUntil(() => states.includes('live'), CAMERA_WAIT_OPTIONS)
    const processes = readdirSync('/proc').flatMap((pid) =>
      /^\d+$/.test(pid) ? ['cmdline', 'environ'].map((file) => readProcFile(`/proc/${pid}/${file}`)) : [],
    )
    expect(processes.filter((content) => content.startsWith('ffmpeg\0')).length).toBeGreaterThan(0)
    expect(processes.filter((content) => content.includes('only-the-camera-knows'))).toEqual([])
  },
)

test('a wrong password is reported in a sentence', async () => {
  const server = await connectCamera({ credentials: { user: 'me', password: 'right' } })
  const { states } = startWatchedSource(server.url('me:wrong'))
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[0])).toBe('wrong login')
})

test('a camera that loses power is reported and reconnects automatically', async () => {
  const server = await connectCamera()
  const { states } = startWatchedSource(server.url())
  await vi.waitUntil(() => states.includes('live'), CAMERA_WAIT_OPTIONS)
  server.closeConnections()
  await vi.waitUntil(() => states.length === 3, CAMERA_WAIT_OPTIONS)
  expect(states.map(parseReason)).toEqual(['live', 'hung up', 'live'])
})

test('a camera that is off is reported, and it plays as soon as it is on', async () => {
  const server = await connectCamera()
  const { port } = server
  await server.close()
  const { states } = startWatchedSource(`rtsp://127.0.0.1:${port}/stream`)
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[0])).toBe('closed port')
  await connectCamera({}, port)
  await vi.waitUntil(() => states.at(-1) === 'live', CAMERA_WAIT_OPTIONS)
  expect(states.at(-1)).toBe('live')
})

test('a camera that sends nothing times out and is retried', async () => {
  const server = await connectCamera({ isSilent: true })
  const { states } = startWatchedSource(server.url(), { silenceMs: 1500, firstMs: 5000 }, { includeFirstState: true })
  await vi.waitUntil(() => states.length > 1, CAMERA_WAIT_OPTIONS)
  expect(states.slice(0, 2).map(parseReason)).toEqual(['no picture yet', 'no readable picture'])
})

test('a camera with another codec is reported if transcoding is off', async () => {
  const server = await connectCamera({ codec: 'H265' })
  const { states } = startWatchedSource(server.url(), { h265: 'refuse' })
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[0])).toBe('not H.264')
})

test('without ffmpeg, the message says how to get it', async () => {
  const server = await connectCamera()
  const { states } = startWatchedSource(server.url(), { ffmpeg: 'ffmpeg-is-not-here' })
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[0])).toBe('no ffmpeg')
})
