import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { examineOne } from '../../../bridge/diagnostics/doctor.ts'
import type { RtspOptions } from '../../../bridge/sources/rtsp-source-options.ts'
import { MACHINE_FACTOR, scaled } from '../../support/machine.ts'
import type { RtspServerOptions } from '../../support/rtsp-server.ts'
import { atEnd, patience, switchOn, watch } from '../../support/watched-camera.ts'
import { STREAM } from '../../support/bridge-streams.ts'
import { type CameraReason, parseReason } from '../../support/camera-reasons.ts'

/** SDP with these media lines (RFC 4566). */
const described = (...media: string[]) =>
  ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=camera', 't=0 0', ...media, ''].join('\r\n')

async function readTileReason(url: string, patienceMs: Partial<RtspOptions> = {}): Promise<string | undefined> {
  const { source, states } = watch(url, patienceMs)
  await vi.waitUntil(() => states.length > 0, patience)
  source.stop()
  return states[0]
}

const REFUSALS: readonly (readonly [Partial<RtspServerOptions>, CameraReason])[] = [
  [{ answers: { DESCRIBE: '503 Service Unavailable' } }, 'busy'],
  [{ answers: { SETUP: '453 Not Enough Bandwidth' } }, 'busy'],
  [{ answers: { PLAY: '454 Session Not Found' } }, 'lost session'],
  [{ answers: { DESCRIBE: '500 Internal Server Error' } }, 'fault'],
  [{ answers: { DESCRIBE: '406 Not Acceptable' } }, 'refusal'],
  [{ answers: { SETUP: '461 Unsupported Transport' } }, 'neither TCP nor UDP'],
  [{ answers: { DESCRIBE: '403 Forbidden' } }, 'no right'],
  [{ credentials: { user: 'me', password: 'secret' } }, 'no login'],
  [
    { description: described('m=audio 0 RTP/AVP 97', 'a=rtpmap:97 PCMU/8000', 'a=control:track2'), sound: 'tone' },
    'sound only',
  ],
  [{ description: 'no description\r\nat all\r\n' }, 'no video described'],
  [{ description: '' }, 'no video described'],
]

test(
  'the tile and the doctor report the same reason when the camera rejects a stream',
  { timeout: scaled(60_000) },
  async () => {
    // Checks smaller batches on a slow machine, because a single batch with all errors would exceed the doctor's
    // timeout.
    const atOnce = Math.ceil(REFUSALS.length / MACHINE_FACTOR)
    const reports: [string | undefined, Awaited<ReturnType<typeof examineOne>>][] = []
    for (let begin = 0; begin < REFUSALS.length; begin += atOnce) {
      const batch = REFUSALS.slice(begin, begin + atOnce).map(async ([options]) => {
        const server = await switchOn({ stream: STREAM, ...options })
        return Promise.all([readTileReason(server.url()), examineOne(server.url())])
      })
      reports.push(...(await Promise.all(batch)))
    }
    expect(reports.map(([tile]) => parseReason(tile))).toEqual(REFUSALS.map(([, reason]) => reason))
    expect(reports.map(([, doctor]) => doctor)).toEqual(reports.map(([tile]) => ({ wrong: true, lines: [tile] })))
    for (const status of ['500', '406']) expect(reports.filter(([tile]) => tile?.includes(status))).toHaveLength(1)
  },
)

test.each([
  ['MPEG-4 part 2', { codec: 'MP4V-ES' }, 'not H.264'],
  ['Motion JPEG by its number', { description: described('m=video 0 RTP/AVP 26', 'a=control:track1') }, 'not H.264'],
  ['what is no picture', { garbage: true }, 'no readable picture'],
] as const)('the tile names the reason for a camera that sends %s', async (_, options, reason) => {
  const server = await switchOn({ stream: STREAM, ...options })
  expect(parseReason(await readTileReason(server.url(), { silenceMs: 1500, firstMs: 5000 }))).toBe(reason)
})

test.each([
  [
    'a web server',
    (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    /\bspeak RTSP\b.*\b554\b/,
  ],
  ['a camera that hangs up at once', (socket: Socket) => socket.destroy(), /\bcloses the connection\b.*\b554\b/],
] as const)('%s is identified, and only the doctor names its host', async (_, answer, words) => {
  const door = createServer((socket) => void answer(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  atEnd(() => door.close())
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  const url = `rtsp://127.0.0.1:${port}/x`
  const [tile, { lines }] = await Promise.all([readTileReason(url), examineOne(url)])
  expect(tile).toMatch(words)
  expect(tile).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${port}`))
  expect(lines[0]).toMatch(words)
  expect(lines[0]).toMatch(new RegExp(`127\\.0\\.0\\.1.*\\b${port}\\b`))
})
