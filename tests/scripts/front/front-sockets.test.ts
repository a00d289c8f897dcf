import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openFront, type Protocol, type TestFront } from '../../support/front.ts'

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YQ==\r\n'
const ACCEPTED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

let front: TestFront
afterEach(() => front.close())

/** Starts a front whose Worker passes each accepted socket to `accept`. */
async function start(protocol: Protocol, accept: (socket: Socket, early: Buffer) => void): Promise<void> {
  front = await openFront(protocol, (_, response) => void response.end('plain'))
  front.target.on('upgrade', (_request, socket: Socket, early: Buffer) => accept(socket, early))
}

/** Opens a connection to the front and sends a request for a WebSocket, followed by `early`. */
async function requestSocket(early = '', headers = ''): Promise<Socket> {
  const address = { port: front.port, host: '127.0.0.1', allowHalfOpen: true }
  const socket =
    front.protocol === 'HTTP/1.1'
      ? connect(address)
      : connectTls({ ...address, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  await once(socket, front.protocol === 'HTTP/1.1' ? 'connect' : 'secureConnect')
  socket.write(`GET /feed HTTP/1.1\r\nHost: cam.example.com\r\n${UPGRADE}${headers}\r\n${early}`)
  return socket
}

async function readUntil(socket: Socket, end: string): Promise<string> {
  let seen = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    seen += String(chunk)
    if (seen.includes(end)) return seen
  }
  throw new Error(`The connection ended after ${JSON.stringify(seen)}.`)
}

describe.each(['HTTP/1.1', 'HTTP/1.1 over TLS'] as const)('over %s, a WebSocket', (protocol) => {
  test('carries bytes both ways, including those sent with the request and with the response', async () => {
    await start(protocol, (socket, early) => {
      socket.write(`${ACCEPTED}first,`)
      socket.write(early)
      socket.pipe(socket)
    })
    const socket = await requestSocket('early,')
    expect(await readUntil(socket, 'early,')).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nfirst,early,$/)
    socket.write('later')
    expect(await readUntil(socket, 'later')).toBe('later')
    socket.destroy()
  })

  test('ends at the Worker when the client breaks the connection', async () => {
    const ended = Promise.withResolvers<void>()
    await start(protocol, (socket) => {
      socket.write(ACCEPTED)
      socket.resume()
      socket.on('end', () => {
        socket.destroy()
        ended.resolve()
      })
    })
    const client = await requestSocket()
    await readUntil(client, '\r\n\r\n')
    client.destroy()
    await ended.promise
  })

  test('ends at the client when the Worker breaks the connection', async () => {
    await start(protocol, (socket) => {
      socket.write(ACCEPTED)
      socket.once('data', () => socket.resetAndDestroy())
    })
    const client = await requestSocket()
    await readUntil(client, '\r\n\r\n')
    client.write('break')
    expect(await text(client)).toBe('')
    client.destroy()
  })
})

test('a WebSocket that the client half-closes still delivers what the Worker sends', async () => {
  await start('HTTP/1.1', (socket) => {
    socket.write(ACCEPTED)
    socket.resume()
    socket.on('end', () => socket.end('goodbye'))
  })
  const socket = await requestSocket()
  await readUntil(socket, '\r\n\r\n')
  socket.end()
  expect(await text(socket)).toBe('goodbye')
})

test('a refused WebSocket gets the response of the Worker, and no further request of its connection passes', async () => {
  await start('HTTP/1.1', (socket) => {
    socket.end('HTTP/1.1 429 Too Many Requests\r\nContent-Length: 4\r\nRetry-After: 5\r\n\r\nbusy')
  })
  const socket = await requestSocket('GET /next HTTP/1.1\r\nHost: a\r\nCF-Connecting-IP: 192.0.2.1\r\n\r\n')
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1\.1 429 /)
  expect(answer).toContain('Retry-After: 5\r\n')
  expect(answer).toMatch(/\r\n\r\nbusy$/)
  expect(front.getCount()).toBe(0)
})

test('a forged client address does not reach the Worker with a WebSocket', async () => {
  const names = Promise.withResolvers<string[]>()
  await start('HTTP/1.1', (socket) => {
    socket.on('error', () => {})
    socket.end(ACCEPTED)
  })
  front.target.prependListener('upgrade', (request) => names.resolve(Object.keys(request.headers)))
  const socket = await requestSocket('', 'CF-Connecting-IP: 192.0.2.1\r\n')
  expect(await names.promise).not.toContain('cf-connecting-ip')
  socket.destroy()
})

test('an upgrade to another protocol is ignored', async () => {
  await start('HTTP/1.1', () => {})
  const socket = connect(front.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*plain$/)
})

test.each(['GET', 'DELETE', 'OPTIONS'])(
  'a body of %s whose length `Connection` names is no second request',
  async (method) => {
    await start('HTTP/1.1', () => {})
    const targets: string[] = []
    front.target.prependListener('request', ({ url = '' }) => targets.push(url))
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\nCF-Connecting-IP: 192.0.2.1\r\n\r\n'
    const socket = connect(front.port, '127.0.0.1')
    socket.write(
      `${method} /seen HTTP/1.1\r\nHost: a\r\nConnection: Content-Length, close\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    )
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
    const next = connect(front.port, '127.0.0.1')
    next.write('GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await text(next)
    expect(targets).toEqual(['/seen', '/next'])
  },
)

test('a WebSocket request with an absolute target or another method is refused', async () => {
  await start('HTTP/1.1', () => {})
  for (const line of ['GET http://other/ HTTP/1.1', 'POST /a HTTP/1.1']) {
    const socket = connect(front.port, '127.0.0.1')
    socket.write(`${line}\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    expect(await text(socket), line).toMatch(/^HTTP\/1\.1 400 /)
  }
})

test('one address of the local network cannot use up the connections of the others', async () => {
  await start('HTTP/2', () => {})
  const sockets = Array.from({ length: 300 }, () => connect(front.port, '127.0.0.1'))
  await Promise.all(
    sockets.map((socket) =>
      once(
        socket.on('error', () => {}),
        'connect',
      ),
    ),
  )
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => closed).length).toBe(300 - 256))
  const socket = connect({ port: front.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  const other = connectTls({ socket, rejectUnauthorized: false })
  await once(other, 'secureConnect')
  for (const socket of [...sockets, other]) socket.destroy()
})
