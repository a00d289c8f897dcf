import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test, vi } from 'vitest'
import { RefusedLogins } from '../../../bridge/sources/login-backoff.ts'
import { RtspGate } from '../../../bridge/sources/rtsp-gate.ts'
import type { RtspRefusal } from '../../../bridge/sources/rtsp-line.ts'
import { bytesOfMessage, RtspReader, type RtspMessage } from '../../../bridge/sources/rtsp-messages.ts'
import { examineOne } from '../../../bridge/diagnostics/doctor.ts'
import { makeCertificate } from '../../support/certificate.ts'
import { parseReason } from '../../support/camera-reasons.ts'
import type { RtspServerOptions } from '../../support/rtsp-server.ts'
import { atEnd, patience, switchOn, watch } from '../../support/watched-camera.ts'
import { STREAM } from '../../support/bridge-streams.ts'

const CREDENTIALS = { user: 'me', password: 'right' }
const camera = (options: Partial<RtspServerOptions> = {}) => switchOn({ stream: STREAM, ...options })
const own = () => ({ logins: new RefusedLogins() })

test.each(['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY'])(
  'a camera that redirects %s to another port fails, and its password is sent nowhere',
  async (method) => {
    const other = await camera({ credentials: CREDENTIALS })
    const location = `Location: rtsp://127.0.0.1:${other.port}/stream`
    const server = await camera({ answers: { [method]: `302 Moved Temporarily\r\n${location}` } })
    const { states } = watch(server.url('me:right'), own())
    await vi.waitUntil(() => states.length > 1, patience)
    expect(states.slice(0, 2).map(parseReason)).toEqual(['other address', 'other address'])
    expect(states[0]).not.toContain(String(other.port))
    const { lines } = await examineOne(server.url('me:right'))
    expect(lines.join(' ')).toContain(`127.0.0.1:${other.port}`)
    expect(other.asked).toEqual([])
  },
)

test('a camera that redirects to another path of its own plays', async () => {
  const base = ({ port }: { port: number }) => `rtsp://127.0.0.1:${port}/other/`
  const server = await camera({ moved: '/other', base, credentials: CREDENTIALS })
  const { states } = watch(server.url('me:right'), own())
  await vi.waitUntil(() => states.length > 0, patience)
  expect(states).toEqual(['live'])
})

test('the bridge gives up on a camera that redirects in a loop', async () => {
  const server = await camera({ answers: { DESCRIBE: '302 Found\r\nLocation: /again' } })
  const { states } = watch(server.url(), own())
  await vi.waitUntil(() => states.length > 0, patience)
  expect([parseReason(states[0]), server.asked.length]).toEqual(['refused (302)', 5])
})

/**
 * Result of the first contact with a camera: a reason for failure, or `described` once the camera has sent its stream
 * description.
 */
const contact = (address: string) =>
  new Promise<RtspRefusal | 'described'>((resolve) => {
    const gate = new RtspGate(new URL(address), { described: () => resolve('described'), refused: resolve })
    atEnd(() => gate.close())
  })

test.each([
  ['MD5', [{}]],
  ['MD5 with quality of protection', [{ algorithm: 'MD5', qop: 'auth' }]],
  ['SHA-256', [{ algorithm: 'SHA-256' }]],
  ['SHA-256 for a session', [{ algorithm: 'SHA-256-sess', qop: 'auth' }]],
  ['SHA-256 before MD5', [{ algorithm: 'SHA-256' }, { algorithm: 'MD5' }]],
  ['what is not known before MD5', [{ algorithm: 'SHA-512' }, {}]],
] as const)(
  'a digest challenge by %s is answered, and a wrong password is rejected after one attempt',
  async (_, digest) => {
    const server = await camera({ credentials: { ...CREDENTIALS, digest } })
    const tries = () => server.asked.filter((method) => method === 'DESCRIBE with credentials').length
    expect([await contact(server.url('me:right')), tries()]).toEqual(['described', 1])
    expect([await contact(server.url('me:wrong')), tries()]).toEqual([{ status: 401 }, 2])
  },
)

test('a camera that requires a new nonce for each request plays', async () => {
  const server = await camera({ credentials: { ...CREDENTIALS, digest: [{ qop: 'auth', once: true }] } })
  const { states } = watch(server.url('me:right'), own())
  await vi.waitUntil(() => states.length > 0, patience)
  expect([states, server.plays]).toEqual([['live'], 1])
})

test('the RTSP gate serves only the first local program that knows its address', async () => {
  const server = await camera({ credentials: CREDENTIALS })
  const address = await new Promise<string>((resolve) => {
    const gate = new RtspGate(new URL(server.url('me:right')), {
      described: (_, at) => resolve(at),
      refused: () => resolve('refused'),
    })
    atEnd(() => gate.close())
  })
  const { port } = new URL(address)
  const answerTo = async (request: string) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    atEnd(() => socket.destroy())
    socket.write(request)
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => [false])) as [unknown]
    return String(data)
  }
  expect(await answerTo(`DESCRIBE rtsp://127.0.0.1:${port}/ RTSP/1.0\r\nCSeq: 1\r\n\r\n`)).toBe('false')
  expect(await answerTo(`DESCRIBE ${address} RTSP/1.0\r\nCSeq: 7\r\n\r\n`)).toMatch(
    /^RTSP\/1.0 200 OK\r\n[^]*CSeq: 7\r\n/,
  )
  expect(await answerTo(`DESCRIBE ${address} RTSP/1.0\r\nCSeq: 8\r\n\r\n`)).not.toContain('RTSP')
})

test('RTSP input is parsed the same however it is split into chunks', () => {
  const frame = (byte: number, length: number) =>
    Buffer.from([0x24, 0, length >> 8, length & 255, ...Array<number>(length).fill(byte)])
  const answer = 'RTSP/1.0 200 OK\r\nCSeq: 4\r\nContent-Length: 5\r\n\r\nv=0\r\n'
  const others = ['OPTIONS rtsp://camera/ RTSP/1.0\r\nCSeq: 1\r\n\r\n', '\0R\r\n', 'RTSP/1.0\r\n']
  const stream = Buffer.concat(
    [frame(0x24, 300), answer, frame(0x52, 3), others[0]!, frame(1, 0), others[1]!, answer, others[2]!].map((part) =>
      Buffer.from(part),
    ),
  )
  const read = (size: number) => {
    const reader = new RtspReader('answer')
    const cuts = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
      stream.subarray(i * size, (i + 1) * size),
    )
    const parts = cuts.flatMap((cut) => reader.push(cut))
    const bytes = parts.map((part) => (Buffer.isBuffer(part) ? part : bytesOfMessage(part)))
    return {
      bytes: Buffer.concat(bytes),
      messages: parts.filter((part): part is RtspMessage => !Buffer.isBuffer(part)),
    }
  }
  const whole = read(stream.length)
  expect(whole.messages.map((message) => message.body)).toEqual(['v=0\r\n', 'v=0\r\n'])
  expect(whole.bytes).toEqual(stream)
  for (const size of [1, 2, 3, 5, 7, 64]) expect(read(size)).toEqual(whole)
})

test('an RTSP message without an end is rejected', () => {
  const reader = new RtspReader('answer')
  expect(() => reader.push(Buffer.from(`RTSP/1.0 200 OK\r\n${'a: b\r\n'.repeat(5000)}`))).toThrow(RangeError)
})

test('an unknown authentication scheme is not a wrong password, and locks nothing', async () => {
  const server = await camera({ credentials: { ...CREDENTIALS, digest: [{ algorithm: 'SHA-512' }] } })
  const { states } = watch(server.url('me:right'), own())
  await vi.waitUntil(() => states.length > 2, patience)
  expect(new Set(states.map(parseReason))).toEqual(new Set(['unknown sign-in']))
  expect(states[0]).toContain('SHA-512')
  expect(server.asked.filter((method) => method.endsWith('with credentials'))).toEqual([])
})

test.each([
  ['doubled', ({ host, port }: { host: string; port: number }) => `rtsp://rtsp://${host}:${port}/stream/`],
  ['without its scheme', ({ host, port }: { host: string; port: number }) => `${host}:${port}/stream/`],
])('a camera plays if its base URL is %s', async (_, base) => {
  const { states } = watch((await camera({ base })).url(), own())
  await vi.waitUntil(() => states.length > 0, patience)
  expect(states).toEqual(['live'])
})

test('a stream that was described but is missing is not blamed on its path', async () => {
  const server = await camera({ answers: { SETUP: '404 Not Found' } })
  const { states } = watch(server.url(), own())
  await vi.waitUntil(() => states.length > 0, patience)
  expect(parseReason(states[0])).toBe('not given')
})

test.each([
  ['that plays', {}, 1],
  ['that has frozen', { freezesAfter: 20 }, 1],
  ['whose nonce has ended', { credentials: { ...CREDENTIALS, digest: [{ once: true }] } }, 2],
])('a camera %s receives a TEARDOWN when its stream is stopped', async (_, options, tries) => {
  const server = await camera({ credentials: CREDENTIALS, ...options })
  const { source, units } = watch(server.url('me:right'), own())
  await vi.waitUntil(() => units.length > 10, patience)
  expect(server.asked.at(-1)).toBe('PLAY with credentials')
  source.stop()
  await vi.waitUntil(() => server.watched === 0, patience)
  expect(server.asked.slice(-tries)).toEqual(Array<string>(tries).fill('TEARDOWN with credentials'))
  expect(server.asked.filter((method) => method.startsWith('TEARDOWN'))).toHaveLength(tries)
})

test('a camera that uses RTSP over TLS with a self-signed certificate plays', async () => {
  const server = await camera({ credentials: CREDENTIALS })
  const door = createServer(makeCertificate(), (outside) => {
    const inside = connect(server.port, '127.0.0.1')
    outside.pipe(inside).pipe(outside)
    for (const socket of [inside, outside]) socket.on('error', () => inside.destroy())
  }).listen(0, '127.0.0.1')
  atEnd(() => door.close())
  await once(door, 'listening')
  const { states } = watch(`rtsps://me:right@127.0.0.1:${(door.address() as AddressInfo).port}/stream`, own())
  await vi.waitUntil(() => states.length > 0, patience)
  expect(states).toEqual(['live'])
})

test('H.265 is transcoded on the first connection', async () => {
  const server = await camera({ codec: 'H265' })
  const playCounts: number[] = []
  watch(server.url(), { ...own(), onTranscode: () => void playCounts.push(server.plays) })
  await vi.waitUntil(() => playCounts.length > 0, patience)
  expect(playCounts).toEqual([0])
})
