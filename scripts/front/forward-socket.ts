import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { createWorkerHeaders } from './headers.ts'
import { type ForwardOptions, HEADER_BYTES_MAX, isForwardable } from './forward-request.ts'

/** Time that a peer has for reading the last bytes after the other peer has closed the connection, ms. */
const LINGER_MS = 30_000

/** Returns true if a request asks for a WebSocket. Other upgrades, such as `h2c`, are ignored. */
export const isSocketRequest = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Forwards a WebSocket: sends its request to the Worker and, after the response 101, connects both sockets. `early`:
 * bytes that the client sent after its request. If the Worker refuses the socket, the connection ends with its response,
 * because the front would not see further requests of this connection.
 */
export function forwardSocket(request: IncomingMessage, client: Socket, early: Buffer, options: ForwardOptions): void {
  client.on('error', () => {})
  if (request.method !== 'GET' || !isForwardable(request)) return endClient(client)
  let upstream: ClientRequest
  try {
    upstream = requestSocket(request, options)
  } catch {
    // Node refuses to send some bytes that it permits in a received path.
    return endClient(client)
  }
  const abandon = () => upstream.destroy()
  client.on('close', abandon)
  upstream.on('error', () => client.destroy())
  upstream.on('response', (answer) => sendRefusal(answer, client))
  upstream.on('upgrade', (answer, worker, first) => {
    client.off('close', abandon)
    client.write(formatHead(answer, listHeaders(answer)))
    if (first.length > 0) client.write(first)
    if (early.length > 0) worker.write(early)
    joinSockets(client, worker as Socket)
  })
  upstream.end()
}

function requestSocket(request: IncomingMessage, { target, clientAddress }: ForwardOptions): ClientRequest {
  const headers = createWorkerHeaders(request, clientAddress)
  headers.push('Connection', 'Upgrade', 'Upgrade', 'websocket')
  return sendRequest({
    host: target.hostname,
    port: target.port,
    path: request.url ?? '/',
    headers,
    agent: false,
    maxHeaderSize: HEADER_BYTES_MAX,
  })
}

function endClient(client: Socket): void {
  client.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => client.destroy())
}

/** Sends the Worker's refusal. Its body ends with the connection. */
function sendRefusal(answer: IncomingMessage, client: Socket): void {
  const names = /^(?:connection|keep-alive|transfer-encoding|x-content-type-options)$/i
  const lines = listHeaders(answer).filter(([name]) => !names.test(name))
  client.write(formatHead(answer, [...lines, ['X-Content-Type-Options', 'nosniff'], ['Connection', 'close']]))
  answer.on('error', () => client.destroy())
  answer.pipe(client)
  // A client that sends more or never closes would keep the connection open.
  client.resume()
  client.setTimeout(LINGER_MS, () => client.destroy())
  answer.on('end', () => client.destroySoon())
}

const listHeaders = ({ rawHeaders }: IncomingMessage): (readonly [string, string])[] =>
  rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []))

const formatHead = (
  { statusCode, statusMessage }: IncomingMessage,
  headers: readonly (readonly [string, string])[],
): string =>
  [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  )

/** Connects two sockets. Passes on the end of each direction separately, and closes both if one of them closes. */
function joinSockets(client: Socket, worker: Socket): void {
  for (const [from, to] of [
    [client, worker],
    [worker, client],
  ] as const) {
    from.setNoDelay(true)
    from.on('error', () => {})
    from.on('close', () => {
      to.setTimeout(LINGER_MS, () => to.destroy())
      to.destroySoon()
    })
    from.pipe(to)
  }
}
