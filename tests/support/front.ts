import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http'
import { connect, constants } from 'node:http2'
import { request as sendHttp1 } from 'node:http'
import { request as sendHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type FrontOptions, startFront } from '../../scripts/front/front-server.ts'
import { createCertificate } from './certificate.ts'

export type Protocol = 'HTTP/1.1' | 'HTTP/1.1 over TLS' | 'HTTP/2'
export const PROTOCOLS: readonly Protocol[] = ['HTTP/1.1', 'HTTP/1.1 over TLS', 'HTTP/2']

/** A front, and the server behind it that stands for the Worker. */
export interface TestFront {
  readonly protocol: Protocol
  readonly port: number
  readonly target: Server
  /** Number of requests that the server behind the front received. */
  readonly getCount: () => number
  send(request: TestRequest): Promise<TestAnswer>
  close(): Promise<void>
}

export interface TestRequest {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** Receives each part of the response body. The last part comes before the promise of `send` resolves. */
  readonly onData?: (chunk: Buffer) => void
  readonly signal?: AbortSignal
}

export interface TestAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const certificate = createCertificate()

export async function openFront(
  protocol: Protocol,
  respond: RequestListener,
  options: Partial<FrontOptions> = {},
): Promise<TestFront> {
  let count = 0
  const target = createServer((request, response) => {
    count++
    respond(request, response)
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  const front = await startFront({
    host: '127.0.0.1',
    port: 0,
    target: new URL(`http://127.0.0.1:${(target.address() as AddressInfo).port}`),
    clientAddress: 'none',
    compresses: true,
    ...(protocol === 'HTTP/1.1' ? {} : { tls: certificate }),
    ...options,
  })
  return {
    protocol,
    port: front.port,
    target,
    getCount: () => count,
    send: (request) =>
      protocol === 'HTTP/2' ? sendHttp2(front.port, request) : sendHttp(protocol, front.port, request),
    async close() {
      await front.close()
      target.closeAllConnections()
      await new Promise((resolve) => target.close(resolve))
    },
  }
}

async function sendHttp(
  protocol: Protocol,
  port: number,
  { path, method = 'GET', headers = {}, body, onData, signal }: TestRequest,
): Promise<TestAnswer> {
  const send = protocol === 'HTTP/1.1' ? sendHttp1 : sendHttps
  const request = send({
    host: 'localhost',
    family: 4,
    port,
    path,
    method,
    headers: { host: 'cam.example.com', ...headers },
    agent: false,
    ...(protocol === 'HTTP/1.1' ? {} : { ca: certificate.cert, servername: 'localhost' }),
    ...(signal && { signal }),
  })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // The front may close the connection of a rejected upload.
  request.on('error', () => {})
  response.on('data', (chunk: Buffer) => onData?.(chunk))
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}

async function sendHttp2(
  port: number,
  { path, method = 'GET', headers = {}, body, onData, signal }: TestRequest,
): Promise<TestAnswer> {
  const session = connect(`https://127.0.0.1:${port}`, { ca: certificate.cert })
  try {
    const stream = session.request(
      { ':path': path, ':method': method, ':authority': 'cam.example.com', ...headers },
      { endStream: body === undefined, ...(signal && { signal }) },
    )
    if (body !== undefined) stream.end(body)
    const [received] = await once(stream, 'response')
    stream.on('data', (chunk: Buffer) => onData?.(chunk))
    const bytes = await buffer(stream)
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) throw new Error(`The stream ended with code ${stream.rstCode}.`)
    const { ':status': status, ...rest } = received as IncomingHttpHeaders & { ':status': number }
    return { status, headers: rest, body: bytes }
  } finally {
    session.destroy()
  }
}
