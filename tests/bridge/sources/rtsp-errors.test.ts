import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { diagnoseAddress } from '../../../bridge/diagnostics/doctor.ts'
import type { RtspSourceOptions } from '../../../bridge/sources/rtsp-source-options.ts'
import { MACHINE_FACTOR, scaleTimeout } from '../../support/machine.ts'
import type { RtspServerOptions } from '../../support/rtsp-server.ts'
import { addTestCleanup, CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'
import { type CameraReason, parseReason } from '../../support/camera-reasons.ts'

/** Creates a stream description with these media lines (SDP, RFC 4566). */
const createSdp = (...media: string[]) =>
  ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=camera', 't=0 0', ...media, ''].join('\r\n')

async function readTileReason(url: string, options: Partial<RtspSourceOptions> = {}): Promise<string | undefined> {
  const { source, states } = startWatchedSource(url, options)
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  source.stop()
  return states[0]
}

const REJECTED_STREAMS: readonly (readonly [Partial<RtspServerOptions>, CameraReason])[] = [
  [{ fixedResponses: { DESCRIBE: '503 Service Unavailable' } }, 'busy'],
  [{ fixedResponses: { SETUP: '453 Not Enough Bandwidth' } }, 'busy'],
  [{ fixedResponses: { PLAY: '454 Session Not Found' } }, 'lost session'],
  [{ fixedResponses: { DESCRIBE: '500 Internal Server Error' } }, 'fault'],
  [{ fixedResponses: { DESCRIBE: '406 Not Acceptable' } }, 'refusal'],
  [{ fixedResponses: { SETUP: '461 Unsupported Transport' } }, 'neither TCP nor UDP'],
  [{ fixedResponses: { DESCRIBE: '403 Forbidden' } }, 'no right'],
  [{ credentials: { user: 'me', password: 'secret' } }, 'no login'],
  [
    { description: createSdp('m=audio 0 RTP/AVP 97', 'a=rtpmap:97 PCMU/8000', 'a=control:track2'), sound: 'tone' },
    'sound only',
  ],
  [{ description: 'no description\r\nat all\r\n' }, 'no video described'],
  [{ description: '' }, 'no video described'],
]

test(
  'the tile and the doctor report the same reason when the camera rejects a stream',
  { timeout: scaleTimeout(60_000) },
  async () => {
    // On a slow machine, one batch of all streams would exceed the doctor's timeout, so the batches are smaller.
    const batchSize = Math.ceil(REJECTED_STREAMS.length / MACHINE_FACTOR)
    const reports: [string | undefined, Awaited<ReturnType<typeof diagnoseAddress>>][] = []
    for (let begin = 0; begin < REJECTED_STREAMS.length; begin += batchSize) {
      const batch = REJECTED_STREAMS.slice(begin, begin + batchSize).map(async ([options]) => {
        const server = await startCamera({ stream: ACTION_STREAM, ...options })
        return Promise.all([readTileReason(server.url()), diagnoseAddress(server.url())])
      })
      reports.push(...(await Promise.all(batch)))
    }
    expect(reports.map(([tile]) => parseReason(tile))).toEqual(REJECTED_STREAMS.map(([, reason]) => reason))
    expect(reports.map(([, doctor]) => doctor)).toEqual(reports.map(([tile]) => ({ wrong: true, lines: [tile] })))
    for (const status of ['500', '406']) expect(reports.filter(([tile]) => tile?.includes(status))).toHaveLength(1)
  },
)

test.each([
  ['MPEG-4 part 2', { codec: 'MP4V-ES' }, 'not H.264'],
  [
    'Motion JPEG by its static payload type',
    { description: createSdp('m=video 0 RTP/AVP 26', 'a=control:track1') },
    'not H.264',
  ],
  ['data that is not video', { sendsGarbage: true }, 'no readable picture'],
] as const)('the tile names the reason for a camera that sends %s', async (_, options, reason) => {
  const server = await startCamera({ stream: ACTION_STREAM, ...options })
  expect(parseReason(await readTileReason(server.url(), { silenceMs: 1500, firstMs: 5000 }))).toBe(reason)
})

test.each([
  [
    'a web server',
    (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    /\bnot with RTSP\b.*\b554\b/,
  ],
  ['a camera that hangs up immediately', (socket: Socket) => socket.destroy(), /\bcloses the connection\b.*\b554\b/],
] as const)('%s is identified, and only the doctor names its host', async (_, answer, sentence) => {
  const tcpServer = createServer((socket) => void answer(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  addTestCleanup(() => tcpServer.close())
  await once(tcpServer, 'listening')
  const { port } = tcpServer.address() as AddressInfo
  const url = `rtsp://127.0.0.1:${port}/x`
  const [tile, { lines }] = await Promise.all([readTileReason(url), diagnoseAddress(url)])
  expect(tile).toMatch(sentence)
  expect(tile).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${port}`))
  expect(lines[0]).toMatch(sentence)
  expect(lines[0]).toMatch(new RegExp(`127\\.0\\.0\\.1.*\\b${port}\\b`))
})
