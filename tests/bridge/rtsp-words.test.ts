import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { examineOne } from '../../bridge/doctor.ts'
import type { RtspOptions } from '../../bridge/sources/rtsp-options.ts'
import type { RtspServerOptions } from '../support/rtsp-server.ts'
import { atEnd, patience, switchOn, watch } from '../support/watched-camera.ts'
import { STREAM } from './streams.ts'

/** A description of these lines (RFC 4566). */
const described = (...media: string[]) =>
  ['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=camera', 't=0 0', ...media, ''].join('\r\n')

/** The first reason that the tile gets. */
async function tileOf(url: string, patienceMs: Partial<RtspOptions> = {}): Promise<string | undefined> {
  const { source, states } = watch(url, patienceMs)
  await vi.waitUntil(() => states.length > 0, patience)
  source.stop()
  return states[0]
}

const BUSY =
  'The camera says that it is busy. Too many may be watching it: close its own app and other viewers; trying again.'
const NO_DESCRIPTION =
  'The camera answers, but describes no video stream. Check the path of its address, or restart the camera.'
const REFUSALS: readonly (readonly [Partial<RtspServerOptions>, string])[] = [
  [{ answers: { DESCRIBE: '503 Service Unavailable' } }, BUSY],
  [{ answers: { SETUP: '453 Not Enough Bandwidth' } }, BUSY],
  [
    { answers: { PLAY: '454 Session Not Found' } },
    'The camera has forgotten the connection, as after a restart. Trying again.',
  ],
  [
    { answers: { DESCRIBE: '500 Internal Server Error' } },
    'The camera reports a fault of its own (500). Restart it if that stays; trying again.',
  ],
  [
    { answers: { DESCRIBE: '406 Not Acceptable' } },
    'The camera refuses to play (406). Check the path of its address; trying again.',
  ],
  [
    { answers: { SETUP: '461 Unsupported Transport' } },
    'The camera sends its pictures neither by TCP nor by UDP. Choose one of them for RTSP in its settings.',
  ],
  [
    { answers: { DESCRIBE: '403 Forbidden' } },
    'The camera refuses this user. Give it the right to view in the camera, or correct the user name or password in its address.',
  ],
  [
    { credentials: { user: 'me', password: 'secret' } },
    'The camera asks for a user name and a password. Write them into its address, before the host.',
  ],
  [
    { description: described('m=audio 0 RTP/AVP 97', 'a=rtpmap:97 PCMU/8000', 'a=control:track2'), sound: 'tone' },
    'The camera sends sound only at this address. Check its path, or switch the picture on in the camera.',
  ],
  [{ description: 'no description\r\nat all\r\n' }, NO_DESCRIPTION],
  [{ description: '' }, NO_DESCRIPTION],
]

test('what a camera refuses is said in the same words by tile and doctor', { timeout: 60_000 }, async () => {
  const said = REFUSALS.map(async ([options]) => {
    const server = await switchOn({ stream: STREAM, ...options })
    return Promise.all([tileOf(server.url()), examineOne(server.url())])
  })
  const sentences = REFUSALS.map(([, sentence]) => [sentence, { wrong: true, lines: [sentence] }])
  expect(await Promise.all(said)).toEqual(sentences)
})

const NOT_H264 = 'The camera does not send H.264. Choose H.264 in its settings, or the address of its sub-stream.'
test.each([
  ['MPEG-4 part 2', { codec: 'MP4V-ES' }, NOT_H264],
  ['Motion JPEG by its number alone', { description: described('m=video 0 RTP/AVP 26', 'a=control:track1') }, NOT_H264],
  [
    'what is no picture',
    { garbage: true },
    'The camera describes a video stream, but sends no picture that can be read. Restart it if that stays; trying again.',
  ],
] as const)('a camera that sends %s is told so', async (_, options, sentence) => {
  const server = await switchOn({ stream: STREAM, ...options })
  expect(await tileOf(server.url(), { silenceMs: 1500, firstMs: 5000 })).toBe(sentence)
})

test.each([
  [
    'a web server',
    (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    'at the port of its address, but it does not speak RTSP there. RTSP is usually port 554.',
  ],
  [
    'a camera that hangs up at once',
    (socket: Socket) => socket.destroy(),
    'closes the connection at once. Too many may be watching it, or the port of its address is not for RTSP; that is usually 554.',
  ],
] as const)('%s is named, with its host for the doctor only', async (_, answer, sentence) => {
  const door = createServer((socket) => void answer(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  atEnd(() => door.close())
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  const url = `rtsp://127.0.0.1:${port}/x`
  const [tile, { lines }] = await Promise.all([tileOf(url), examineOne(url)])
  expect(tile).toMatch(/^The camera /)
  expect(tile?.endsWith(sentence)).toBe(true)
  expect(tile).not.toContain('127.0.0.1')
  expect(lines[0]).toBe(tile?.replace('The camera', '127.0.0.1').replace('the port of its address', `its port ${port}`))
})
