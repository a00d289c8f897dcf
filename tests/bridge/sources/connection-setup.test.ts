import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { expect, test, vi } from 'vitest'
import { LoginBackoff } from '../../../bridge/sources/login-backoff.ts'
import { RtspProxy } from '../../../bridge/sources/rtsp-proxy.ts'
import type { RtspRefusal } from '../../../bridge/sources/rtsp-camera-socket.ts'
import { encodeMessage, RtspReader, type RtspMessage } from '../../../bridge/sources/rtsp-messages.ts'
import { diagnoseAddress } from '../../../bridge/diagnostics/doctor.ts'
import { createCertificate } from '../../support/certificate.ts'
import { parseReason } from '../../support/camera-reasons.ts'
import type { RtspServerOptions } from '../../support/rtsp-server.ts'
import { addTestCleanup, CAMERA_WAIT_OPTIONS, startCamera, startWatchedSource } from '../../support/watched-camera.ts'
import { ACTION_STREAM } from '../../support/bridge-streams.ts'

const CREDENTIALS = { user: 'me', password: 'right' }
const connectCamera = (options: Partial<RtspServerOptions> = {}) => startCamera({ stream: ACTION_STREAM, ...options })
const createBackoffOptions = () => ({ logins: new LoginBackoff() })

test.each(['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY'])(
  'a camera that redirects %s to another port fails, and its password is sent nowhere',
  async (method) => {
    const other = await connectCamera({ credentials: CREDENTIALS })
    const location = `Location: rtsp://127.0.0.1:${other.port}/stream`
    const server = await connectCamera({ fixedResponses: { [method]: `302 Moved Temporarily\r\n${location}` } })
    const { states } = startWatchedSource(server.url('me:right'), createBackoffOptions())
    await vi.waitUntil(() => states.length > 1, CAMERA_WAIT_OPTIONS)
    expect(states.slice(0, 2).map(parseReason)).toEqual(['other address', 'other address'])
    expect(states[0]).not.toContain(String(other.port))
    const { lines } = await diagnoseAddress(server.url('me:right'))
    expect(lines.join(' ')).toContain(`127.0.0.1:${other.port}`)
    expect(other.requests).toEqual([])
  },
)

test('a camera that redirects to another path of its own plays', async () => {
  const base = ({ port }: { port: number }) => `rtsp://127.0.0.1:${port}/other/`
  const server = await connectCamera({ redirectPath: '/other', getContentBase: base, credentials: CREDENTIALS })
  const { states } = startWatchedSource(server.url('me:right'), createBackoffOptions())
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(states).toEqual(['live'])
})

test('the bridge gives up on a camera that redirects in a loop', async () => {
  const server = await connectCamera({ fixedResponses: { DESCRIBE: '302 Found\r\nLocation: /again' } })
  const { states } = startWatchedSource(server.url(), createBackoffOptions())
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect([parseReason(states[0]), server.requests.length]).toEqual(['refused (302)', 5])
})

/** Connects to a camera. Resolves with the reason of a failure, or with `described` after the stream description. */
const contactCamera = (address: string) =>
  new Promise<RtspRefusal | 'described'>((resolve) => {
    const gate = new RtspProxy(new URL(address), { onDescription: () => resolve('described'), onRefused: resolve })
    addTestCleanup(() => gate.close())
  })

test.each([
  ['MD5', [{}]],
  ['MD5 with quality of protection', [{ algorithm: 'MD5', qop: 'auth' }]],
  ['SHA-256', [{ algorithm: 'SHA-256' }]],
  ['SHA-256 for a session', [{ algorithm: 'SHA-256-sess', qop: 'auth' }]],
  ['SHA-256 before MD5', [{ algorithm: 'SHA-256' }, { algorithm: 'MD5' }]],
  ['an unknown algorithm before MD5', [{ algorithm: 'SHA-512' }, {}]],
] as const)(
  'a digest challenge by %s is answered, and a wrong password is rejected after one attempt',
  async (_, digest) => {
    const server = await connectCamera({ credentials: { ...CREDENTIALS, digest } })
    const tries = () => server.requests.filter((method) => method === 'DESCRIBE with credentials').length
    expect([await contactCamera(server.url('me:right')), tries()]).toEqual(['described', 1])
    expect([await contactCamera(server.url('me:wrong')), tries()]).toEqual([{ status: 401 }, 2])
  },
)

test('a camera that requires a new nonce for each request plays', async () => {
  const server = await connectCamera({
    credentials: { ...CREDENTIALS, digest: [{ qop: 'auth', hasSingleUseNonce: true }] },
  })
  const { states } = startWatchedSource(server.url('me:right'), createBackoffOptions())
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect([states, server.playCount]).toEqual([['live'], 1])
})

test('the RTSP gate serves only the first local program that knows its address', async () => {
  const server = await connectCamera({ credentials: CREDENTIALS })
  const address = await new Promise<string>((resolve) => {
    const gate = new RtspProxy(new URL(server.url('me:right')), {
      onDescription: (_, at) => resolve(at),
      onRefused: () => resolve('refused'),
    })
    addTestCleanup(() => gate.close())
  })
  const { port } = new URL(address)
  const requestResponse = async (request: string) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    addTestCleanup(() => socket.destroy())
    socket.write(request)
    const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => [false])) as [unknown]
    return String(data)
  }
  expect(await requestResponse(`DESCRIBE rtsp://127.0.0.1:${port}/ RTSP/1.0\r\nCSeq: 1\r\n\r\n`)).toBe('false')
  expect(await requestResponse(`DESCRIBE ${address} RTSP/1.0\r\nCSeq: 7\r\n\r\n`)).toMatch(
    /^RTSP\/1.0 200 OK\r\n[^]*CSeq: 7\r\n/,
  )
  expect(await requestResponse(`DESCRIBE ${address} RTSP/1.0\r\nCSeq: 8\r\n\r\n`)).not.toContain('RTSP')
})

test('RTSP input is parsed the same however it is split into chunks', () => {
  const frame = (byte: number, length: number) =>
    Buffer.from([0x24, 0, length >> 8, length & 255, ...Array<number>(length).fill(byte)])
  const answer = 'RTSP/1.0 200 OK\r\nCSeq: 4\r\nContent-Length: 5\r\n\r\nv=0\r\n'
  const nonResponses = ['OPTIONS rtsp://camera/ RTSP/1.0\r\nCSeq: 1\r\n\r\n', '\0R\r\n', 'RTSP/1.0\r\n']
  const stream = Buffer.concat(
    [
      frame(0x24, 300),
      answer,
      frame(0x52, 3),
      nonResponses[0]!,
      frame(1, 0),
      nonResponses[1]!,
      answer,
      nonResponses[2]!,
    ].map((part) => Buffer.from(part)),
  )
  const readInChunks = (size: number) => {
    const reader = new RtspReader('answer')
    const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
      stream.subarray(i * size, (i + 1) * size),
    )
    const parts = chunks.flatMap((cut) => reader.push(cut))
    const bytes = parts.map((part) => (Buffer.isBuffer(part) ? part : encodeMessage(part)))
    return {
      bytes: Buffer.concat(bytes),
      messages: parts.filter((part): part is RtspMessage => !Buffer.isBuffer(part)),
    }
  }
  const unsplit = readInChunks(stream.length)
  expect(unsplit.messages.map((message) => message.body)).toEqual(['v=0\r\n', 'v=0\r\n'])
  expect(unsplit.bytes).toEqual(stream)
  for (const size of [1, 2, 3, 5, 7, 64]) expect(readInChunks(size)).toEqual(unsplit)
})

test('an RTSP message without an end is rejected', () => {
  const reader = new RtspReader('answer')
  expect(() => reader.push(Buffer.from(`RTSP/1.0 200 OK\r\n${'a: b\r\n'.repeat(5000)}`))).toThrow(RangeError)
})

test('an unknown authentication scheme is not a wrong password, and locks nothing', async () => {
  const server = await connectCamera({ credentials: { ...CREDENTIALS, digest: [{ algorithm: 'SHA-512' }] } })
  const { states } = startWatchedSource(server.url('me:right'), createBackoffOptions())
  await vi.waitUntil(() => states.length > 2, CAMERA_WAIT_OPTIONS)
  expect(new Set(states.map(parseReason))).toEqual(new Set(['unknown sign-in']))
  expect(states[0]).toContain('SHA-512')
  expect(server.requests.filter((method) => method.endsWith('with credentials'))).toEqual([])
})

test.each([
  [
    'prefixed with a second scheme',
    ({ host, port }: { host: string; port: number }) => `rtsp://rtsp://${host}:${port}/stream/`,
  ],
  ['without its scheme', ({ host, port }: { host: string; port: number }) => `${host}:${port}/stream/`],
])('a camera plays if its base URL is %s', async (_, base) => {
  const { states } = startWatchedSource((await connectCamera({ getContentBase: base })).url(), createBackoffOptions())
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(states).toEqual(['live'])
})

test('a stream that was described but is missing is not blamed on its path', async () => {
  const server = await connectCamera({ fixedResponses: { SETUP: '404 Not Found' } })
  const { states } = startWatchedSource(server.url(), createBackoffOptions())
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(parseReason(states[0])).toBe('not given')
})

test.each([
  ['that plays', {}, 1],
  ['that has frozen', { framesUntilFreeze: 20 }, 1],
  ['whose nonce has expired', { credentials: { ...CREDENTIALS, digest: [{ hasSingleUseNonce: true }] } }, 2],
])('a camera %s receives a TEARDOWN when its stream is stopped', async (_, options, tries) => {
  const server = await connectCamera({ credentials: CREDENTIALS, ...options })
  const { source, units } = startWatchedSource(server.url('me:right'), createBackoffOptions())
  await vi.waitUntil(() => units.length > 10, CAMERA_WAIT_OPTIONS)
  expect(server.requests.at(-1)).toBe('PLAY with credentials')
  source.stop()
  await vi.waitUntil(() => server.connectionCount === 0, CAMERA_WAIT_OPTIONS)
  expect(server.requests.slice(-tries)).toEqual(Array<string>(tries).fill('TEARDOWN with credentials'))
  expect(server.requests.filter((method) => method.startsWith('TEARDOWN'))).toHaveLength(tries)
})

test('a camera that uses RTSP over TLS with a self-signed certificate plays', async () => {
  const server = await connectCamera({ credentials: CREDENTIALS })
  const tlsProxy = createServer(createCertificate(), (clientSocket) => {
    const cameraSocket = connect(server.port, '127.0.0.1')
    clientSocket.pipe(cameraSocket).pipe(clientSocket)
    for (const socket of [cameraSocket, clientSocket]) socket.on('error', () => cameraSocket.destroy())
  }).listen(0, '127.0.0.1')
  addTestCleanup(() => tlsProxy.close())
  await once(tlsProxy, 'listening')
  const { states } = startWatchedSource(
    `rtsps://me:right@127.0.0.1:${(tlsProxy.address() as AddressInfo).port}/stream`,
    createBackoffOptions(),
  )
  await vi.waitUntil(() => states.length > 0, CAMERA_WAIT_OPTIONS)
  expect(states).toEqual(['live'])
})

test('H.265 is transcoded on the first connection', async () => {
  const server = await connectCamera({ codec: 'H265' })
  const playCounts: number[] = []
  startWatchedSource(server.url(), {
    ...createBackoffOptions(),
    onTranscode: () => void playCounts.push(server.playCount),
  })
  await vi.waitUntil(() => playCounts.length > 0, CAMERA_WAIT_OPTIONS)
  expect(playCounts).toEqual([0])
})
