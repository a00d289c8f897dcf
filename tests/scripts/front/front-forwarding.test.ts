import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { HEADER_BYTES_MAX } from '../../../scripts/front/forward-request.ts'
import { startFront } from '../../../scripts/front/front-server.ts'
import { getClientAddressSource } from '../../../scripts/front/headers.ts'
import { openFront, PROTOCOLS, type Protocol, type TestFront } from '../../support/front.ts'

let front: TestFront
afterEach(() => front.close())

const start = async (protocol: Protocol, respond: RequestListener, options?: Parameters<typeof openFront>[2]) => {
  front = await openFront(protocol, respond, options)
  return front
}

/** Responds with the request line, the headers and the body of the request. */
const echo: RequestListener = (request, response) =>
  void text(request).then((body) => response.end(JSON.stringify({ ...describeRequest(request), body })))

const describeRequest = ({ method, url, headers }: IncomingMessage) => ({ method, url, headers })
const readEcho = (body: Buffer) =>
  JSON.parse(body.toString()) as ReturnType<typeof describeRequest> & { readonly body: string }

describe.each(PROTOCOLS)('over %s, the front', (protocol) => {
  test('forwards method, path, host, headers and body, but no headers of the connection', async () => {
    await start(protocol, echo)
    const { status, body } = await front.send({
      path: '/api/x?a=%20b',
      method: 'POST',
      headers: { cookie: 'a=1; b=2', 'x-one': 'two', te: 'trailers' },
      body: 'sent',
    })
    const seen = readEcho(body)
    expect([status, seen.method, seen.url, seen.body]).toEqual([200, 'POST', '/api/x?a=%20b', 'sent'])
    expect(seen.headers).toMatchObject({ host: 'cam.example.com', cookie: 'a=1; b=2', 'x-one': 'two' })
    expect(Object.keys(seen.headers)).not.toContain('te')
  })

  test('removes headers that only a proxy may set', async () => {
    await start(protocol, echo)
    const forged = { 'cf-connecting-ip': '192.0.2.1', 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' }
    const { body } = await front.send({
      path: '/',
      headers: { ...forged, 'mf-cf-blob': '{}', 'x-real-ip': '192.0.2.1' },
    })
    expect(Object.keys(readEcho(body).headers).join()).not.toMatch(/cf-|forwarded|real/)
  })

  test.each([
    ['socket', '127.0.0.1'],
    ['proxy', '192.0.2.1'],
  ] as const)('passes on the client address of the %s', async (clientAddress, address) => {
    await start(protocol, echo, { clientAddress })
    const { body } = await front.send({ path: '/', headers: { 'cf-connecting-ip': '192.0.2.1' } })
    expect(readEcho(body).headers['cf-connecting-ip']).toBe(address)
  })

  test('passes on the headers of the response, without those of its connection, and forbids sniffing', async () => {
    await start(protocol, (_, response) => {
      response.writeHead(302, { location: '/a', 'set-cookie': ['a=1', 'b=2'], connection: 'x-hop', 'x-hop': '1' }).end()
    })
    const { status, headers } = await front.send({ path: '/' })
    expect([status, headers.location, headers['set-cookie']]).toEqual([302, '/a', ['a=1', 'b=2']])
    expect([headers['x-hop'], headers['x-content-type-options']]).toEqual([undefined, 'nosniff'])
  })

  test('passes on HEAD, ranges and responses without a body', async () => {
    await start(protocol, (request, response) => {
      if (request.url === '/204') return void response.writeHead(204).end()
      if (request.url === '/304') return void response.writeHead(304, { etag: '"a"' }).end()
      response.writeHead(206, { 'content-range': 'bytes 0-3/8', 'content-length': '4', 'content-type': 'video/mp4' })
      response.end(request.headers.range === 'bytes=0-3' ? 'abcd' : 'none')
    })
    const part = await front.send({ path: '/clip', headers: { range: 'bytes=0-3' } })
    expect([part.status, part.headers['content-range'], part.body.toString()]).toEqual([206, 'bytes 0-3/8', 'abcd'])
    const head = await front.send({ path: '/clip', method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([206, '4', 0])
    for (const status of [204, 304]) expect((await front.send({ path: `/${status}` })).status).toBe(status)
  })

  test('passes on each event of a stream when it comes', async () => {
    let stream: ServerResponse | undefined
    await start(protocol, (_, response) => {
      stream = response
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      response.write('data: 1\n\n')
    })
    const answer = await front.send({
      path: '/',
      headers: { 'accept-encoding': 'br, gzip' },
      // The stream ends only after the first event has arrived.
      onData: () => stream?.end(),
    })
    expect([answer.headers['content-encoding'], answer.body.toString()]).toEqual([undefined, 'data: 1\n\n'])
  })

  test('ends the request to the Worker when the client leaves', async () => {
    const left = Promise.withResolvers<void>()
    const abort = new AbortController()
    await start(protocol, (_, response) => {
      response.on('close', () => left.resolve())
      abort.abort()
    })
    await expect(front.send({ path: '/', signal: abort.signal })).rejects.toThrow(/abort/i)
    await left.promise
  })

  test('breaks a response that the Worker did not complete', async () => {
    await start(protocol, (_, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' })
      response.write('half')
      response.on('finish', () => {})
      setImmediate(() => response.destroy())
    })
    await expect(front.send({ path: '/' })).rejects.toThrow()
  })

  test('delivers the rejection of an upload, and stops sending the upload to the Worker', async () => {
    const stopped = Promise.withResolvers<number>()
    await start(protocol, (request, response) => {
      let byteCount = 0
      request.once('data', () => response.writeHead(413).end('too large'))
      request.on('data', (chunk: Buffer) => (byteCount += chunk.length))
      request.socket.on('close', () => stopped.resolve(byteCount))
    })
    const upload = Buffer.alloc(8_000_000)
    const { status, body } = await front.send({ path: '/', method: 'POST', body: upload })
    expect([status, body.toString()]).toEqual([413, 'too large'])
    expect(await stopped.promise).toBeLessThan(upload.length)
  })

  test('does not send an upload that the Worker rejects by its headers', async () => {
    await start(protocol, echo)
    front.target.on('checkContinue', ({ headers }: IncomingMessage, response: ServerResponse) => {
      response.writeHead(413, { connection: 'close' }).end(`no ${headers['content-length'] ?? 'stream'}`)
      response.on('finish', () => response.socket?.resetAndDestroy())
    })
    const headers = { 'content-length': '3000000' }
    const { status, body } = await front.send({ path: '/', method: 'POST', headers, body: Buffer.alloc(3_000_000) })
    expect([status, body.toString()]).toEqual([413, 'no 3000000'])
  })

  test('passes on a large body in both directions', async () => {
    await start(protocol, (request, response) => void buffer(request).then((body) => response.end(body)))
    const body = Buffer.alloc(6_000_000, 'clip')
    expect((await front.send({ path: '/', method: 'PUT', body })).body.equals(body)).toBe(true)
  })
})

test.each(['HTTP/1.1', 'HTTP/1.1 over TLS'] as const)(
  'over %s, `Connection` removes no header of a request',
  async (protocol) => {
    await start(protocol, echo)
    const { body } = await front.send({
      path: '/',
      method: 'POST',
      headers: {
        connection: 'close, Authorization, Cookie, Content-Length, X-One, Keep-Alive',
        authorization: 'Bearer a',
        cookie: 'a=1',
        'x-one': 'two',
        'keep-alive': 'timeout=5',
        'proxy-authorization': 'Basic a',
      },
      body: 'sent',
    })
    const { headers } = readEcho(body)
    expect(headers).toMatchObject({ authorization: 'Bearer a', cookie: 'a=1', 'content-length': '4', 'x-one': 'two' })
    expect([headers['keep-alive'], headers['proxy-authorization']]).toEqual([undefined, undefined])
  },
)

test('a request whose idle connection the Worker has closed is sent again', async () => {
  let closing: Promise<unknown> | undefined
  await start('HTTP/1.1', (request, response) => {
    response.end('ok')
    closing ??= once(request.socket, 'close')
    // Closes the connection without warning, as a Worker does that just reached its idle timeout.
    response.on('finish', () => setImmediate(() => request.socket.resetAndDestroy()))
  })
  for (let nth = 0; nth < 5; nth++) expect((await front.send({ path: '/' })).status).toBe(200)
  await closing
})

test('a Worker that is not running is reported with 503 and a time to try again', async () => {
  const unused = createServer().listen(0, '127.0.0.1')
  await once(unused, 'listening')
  const { port } = unused.address() as { port: number }
  await new Promise((resolve) => unused.close(resolve))
  await start('HTTP/1.1', echo, { target: new URL(`http://127.0.0.1:${port}`) })
  const { status, headers, body } = await front.send({ path: '/', method: 'POST', body: 'x' })
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  expect(body.toString()).toContain('Try again')
})

test.each(['GET http://evil.example/ HTTP/1.1', 'OPTIONS * HTTP/1.1'])('the request line %j gets 400', async (line) => {
  await start('HTTP/1.1', echo)
  const socket = connect(front.port, '127.0.0.1')
  socket.write(`${line}\r\nHost: cam.example.com\r\nConnection: close\r\n\r\n`)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  expect(front.getCount()).toBe(0)
})

describe('a front whose pages have one origin', () => {
  const NAVIGATION = { 'sec-fetch-mode': 'navigate', host: 'other.example:1' }
  const send = async (path: string, headers: Record<string, string>, method = 'GET') => {
    front = await openFront('HTTP/1.1', (_, response) => void response.end('page'), {
      pageOrigin: 'https://hub.local:8787',
    })
    return await front.send({ path, headers, method })
  }

  test.each(['/live?x=1', '//evil.example/', '/\\evil.example'])(
    'sends a browser at another address to it: %s',
    async (path) => {
      const { status, headers } = await send(path, NAVIGATION)
      expect([status, headers.location]).toEqual([307, `https://hub.local:8787${path}`])
      expect(new URL(headers.location ?? '').host).toBe('hub.local:8787')
    },
  )

  test.each([
    ['a page at this origin', { ...NAVIGATION, host: 'hub.local:8787' }, 'GET'],
    ['a request of a script', { host: 'other.example' }, 'GET'],
    ['a form', NAVIGATION, 'POST'],
  ])('forwards %s', async (_name, headers, method) => {
    const { status, body } = await send('/live', headers, method)
    expect([status, body.toString()]).toEqual([200, 'page'])
  })
})

test('a client that sends too many headers receives 431, although it is still sending', async () => {
  await start('HTTP/1.1', echo)
  const client = connect(front.port, '127.0.0.1')
  // More than the buffers of both sockets hold.
  client.write(`GET / HTTP/1.1\r\nx-large: ${'x'.repeat(64 * HEADER_BYTES_MAX)}`)
  expect(await text(client)).toMatch(/^HTTP\/1\.1 431 /)
})

test('a port in use is reported', async () => {
  await start('HTTP/1.1', echo)
  const second = { host: '127.0.0.1', port: front.port, target: new URL('http://127.0.0.1:1') }
  await expect(startFront({ ...second, clientAddress: 'none', compresses: false })).rejects.toThrow('EADDRINUSE')
})

test.each([
  ['127.0.0.1', undefined, 'none'],
  ['localhost', '0', 'none'],
  ['0.0.0.0', undefined, 'socket'],
  ['192.168.1.4', undefined, 'socket'],
  ['127.0.0.1', '1', 'proxy'],
  ['0.0.0.0', '1', 'proxy'],
])('on %s with TRUST_PROXY=%s, the client address comes from: %s', async (host, trustProxy, source) => {
  await start('HTTP/1.1', echo)
  expect(getClientAddressSource(host, trustProxy)).toBe(source)
})
