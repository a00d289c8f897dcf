import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { type Attempts, expectEqual, requireControl } from './attempts.ts'
import { sendSealedMessage } from './sealed-messages.ts'
import type { AttackEnvironment } from './attack-environment.ts'

/** Messages per account. The provider counts two calls per message and allows an account 40 counted calls a minute. */
const MESSAGES_PER_ACCOUNT = 15
const CREDENTIALS = { user: 'viewer', password: 'canary-of-a-login' }
const REDIRECT_STATUSES = [
  '301 Moved Permanently',
  '302 Moved Temporarily',
  '303 See Other',
  '305 Use Proxy',
  '307 Temporary Redirect',
]

/** Camera addresses that the bridge must reject. `P`: port of a listener that must receive nothing. */
const FORBIDDEN_CAMERA_ADDRESSES = [
  'http://127.0.0.1:P/',
  'https://127.0.0.1:P/',
  'file:///etc/passwd',
  'ftp://127.0.0.1:P/',
  'gopher://127.0.0.1:P/',
  'tcp://127.0.0.1:P',
  'udp://127.0.0.1:P',
  'rtmp://127.0.0.1:P/a',
  'rtp://127.0.0.1:P',
  'srt://127.0.0.1:P',
  'concat:http://127.0.0.1:P/|file:///etc/passwd',
  'pipe:0',
  'data:text/plain,x',
  'crypto:http://127.0.0.1:P/',
  'subfile,,start,0,end,9,,:/etc/passwd',
  'tee:/tmp/x',
  'httpproxy://127.0.0.1:P/',
  'async:http://127.0.0.1:P/',
  '-i http://127.0.0.1:P/',
  '/etc/passwd',
  '\\\\127.0.0.1\\x',
  '127.0.0.1:P',
  'rtsp:',
  'rtsp://',
  'rtsp+http://127.0.0.1:P',
] as const

interface Listener {
  readonly port: number
  readonly received: string[]
  close(): void
}

async function startListener(respond: (request: string) => string = () => ''): Promise<Listener> {
  const received: string[] = []
  const server = createServer((socket) => {
    received.push('a connection')
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      received.push(data.toString('latin1'))
      socket.write(respond(data.toString('latin1')))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, received, close: () => server.close() }
}

async function tryAddresses(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const listener = await startListener()
  for (const ask of ['check', 'add'])
    for (let from = 0; from < FORBIDDEN_CAMERA_ADDRESSES.length; from += MESSAGES_PER_ACCOUNT) {
      const member = await environment.createMember(`Home for camera ${ask} requests`)
      await attempts.tryEach(
        `${ask} a camera at`,
        FORBIDDEN_CAMERA_ADDRESSES.slice(from, from + MESSAGES_PER_ACCOUNT),
        async (address) => {
          const message = { ask, address: address.replaceAll('P', String(listener.port)), ...CREDENTIALS, name: 'Door' }
          const answers = await sendSealedMessage(member, message)
          if (answers.some((answer) => ['added', 'picture'].includes(answer.answer)))
            return 'the bridge accepted the address as a camera'
          return expectEqual(listener.received, [])
        },
      )
    }
  listener.close()
}

/**
 * Runs a fake camera that redirects the bridge to another port. A bridge that follows the redirect would leak the
 * camera's credentials to that port.
 */
async function tryRedirects(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const member = await environment.createMember('Home of the redirecting camera')
  const targets = [
    'rtsp://127.0.0.1:P/internal',
    'http://127.0.0.1:P/internal',
    'rtsp://localhost:P/',
    '//127.0.0.1:P/',
  ]
  const cases = targets.flatMap((target) => REDIRECT_STATUSES.map((status) => [status, target] as const))
  const internal = await startListener(
    () => 'RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Basic realm="x"\r\n\r\n',
  )
  const redirect = { status: '', target: '' }
  const camera = await startListener((request) => {
    const cseq = /CSeq: *(\d+)/i.exec(request)?.[1] ?? '1'
    if (request.startsWith('OPTIONS')) return `RTSP/1.0 200 OK\r\nCSeq: ${cseq}\r\nPublic: DESCRIBE\r\n\r\n`
    return `RTSP/1.0 ${redirect.status}\r\nCSeq: ${cseq}\r\nLocation: ${redirect.target}\r\n\r\n`
  })
  await attempts.tryEach('a camera that redirects with', cases, async ([status, target]) => {
    Object.assign(redirect, { status, target: target.replaceAll('P', String(internal.port)) })
    await sendSealedMessage(member, { ask: 'check', address: `rtsp://127.0.0.1:${camera.port}/live`, ...CREDENTIALS })
    return expectEqual(internal.received, [])
  })
  requireControl('the bridge contacted the camera', expectEqual(camera.received.length > cases.length, true))
  for (const listener of [camera, internal]) listener.close()
}

export const cameraAddressAttacks = {
  name: 'camera addresses',
  guarantee: 'the bridge opens only RTSP connections to the entered address and follows no redirects',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    await tryAddresses(attempts, environment)
    await tryRedirects(attempts, environment)
  },
}
