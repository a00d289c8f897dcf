import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { type Attempts, expectSame, requireControl } from './attempts.ts'
import { sendSealedMessage } from './box.ts'
import type { Ground } from './ground.ts'

/** Messages per account: the limit is 40 calls a minute, and each message needs two calls. */
const ASKS_EACH = 15
const LOGIN = { user: 'viewer', password: 'canary-of-a-login' }
const REDIRECTS = [
  '301 Moved Permanently',
  '302 Moved Temporarily',
  '303 See Other',
  '305 Use Proxy',
  '307 Temporary Redirect',
]

/** Addresses that are no camera; `P` is the port of a listener that must receive nothing. */
const ADDRESSES = [
  ...[
    'http://127.0.0.1:P/',
    'https://127.0.0.1:P/',
    'file:///etc/passwd',
    'ftp://127.0.0.1:P/',
    'gopher://127.0.0.1:P/',
  ],
  ...['tcp://127.0.0.1:P', 'udp://127.0.0.1:P', 'rtmp://127.0.0.1:P/a', 'rtp://127.0.0.1:P', 'srt://127.0.0.1:P'],
  ...['concat:http://127.0.0.1:P/|file:///etc/passwd', 'pipe:0', 'data:text/plain,x', 'crypto:http://127.0.0.1:P/'],
  ...['subfile,,start,0,end,9,,:/etc/passwd', 'tee:/tmp/x', 'httpproxy://127.0.0.1:P/', 'async:http://127.0.0.1:P/'],
  ...[
    '-i http://127.0.0.1:P/',
    '/etc/passwd',
    '\\\\127.0.0.1\\x',
    '127.0.0.1:P',
    'rtsp:',
    'rtsp://',
    'rtsp+http://127.0.0.1:P',
  ],
] as const

interface Listener {
  readonly port: number
  readonly heard: string[]
  close(): void
}

/** Starts a listener that records what it receives and replies to each RTSP request with `answer`. */
async function listen(answer: (request: string) => string = () => ''): Promise<Listener> {
  const received: string[] = []
  const server = createServer((socket) => {
    received.push('a connection')
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      received.push(data.toString('latin1'))
      socket.write(answer(data.toString('latin1')))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, heard: received, close: () => server.close() }
}

async function tryAddresses(attempts: Attempts, ground: Ground): Promise<void> {
  const listener = await listen()
  for (const ask of ['check', 'add'])
    for (let from = 0; from < ADDRESSES.length; from += ASKS_EACH) {
      const member = await ground.member(`Home that would ${ask}`)
      await attempts.each(`${ask} a camera at`, ADDRESSES.slice(from, from + ASKS_EACH), async (address) => {
        const message = { ask, address: address.replaceAll('P', String(listener.port)), ...LOGIN, name: 'Door' }
        const answers = await sendSealedMessage(member, message)
        if (answers.some((answer) => ['added', 'picture'].includes(answer.answer))) return 'it was taken for a camera'
        return expectSame(listener.heard, [])
      })
    }
  listener.close()
}

/**
 * Plays a camera that redirects the bridge to another port. If the bridge followed, that port would receive the login.
 */
async function tryRedirects(attempts: Attempts, ground: Ground): Promise<void> {
  const member = await ground.member('Home of the redirected camera')
  const targets = [
    'rtsp://127.0.0.1:P/internal',
    'http://127.0.0.1:P/internal',
    'rtsp://localhost:P/',
    '//127.0.0.1:P/',
  ]
  const cases = targets.flatMap((target) => REDIRECTS.map((status) => [status, target] as const))
  const internal = await listen(
    () => 'RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Basic realm="x"\r\n\r\n',
  )
  const answering = { status: '', target: '' }
  const camera = await listen((request) => {
    const sequence = /CSeq: *(\d+)/i.exec(request)?.[1] ?? '1'
    if (request.startsWith('OPTIONS')) return `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\nPublic: DESCRIBE\r\n\r\n`
    return `RTSP/1.0 ${answering.status}\r\nCSeq: ${sequence}\r\nLocation: ${answering.target}\r\n\r\n`
  })
  await attempts.each('a camera that answers', cases, async ([status, target]) => {
    Object.assign(answering, { status, target: target.replaceAll('P', String(internal.port)) })
    await sendSealedMessage(member, { ask: 'check', address: `rtsp://127.0.0.1:${camera.port}/live`, ...LOGIN })
    return expectSame(internal.heard, [])
  })
  requireControl('the camera was asked', expectSame(camera.heard.length > cases.length, true))
  for (const listener of [camera, internal]) listener.close()
}

export const addresses = {
  name: 'camera addresses',
  promise: 'the bridge opens nothing but RTSP at the address that was typed, and follows a camera nowhere else',
  async run(attempts: Attempts, ground: Ground) {
    await tryAddresses(attempts, ground)
    await tryRedirects(attempts, ground)
  },
}
