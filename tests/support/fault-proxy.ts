import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/**
 * Fault between client and server. Only `lose` and `slow` forward the request. `hang`: no response. `lose`: the
 * server's response is lost. `cut`: a truncated response. `reset`: the connection closes. `slow`: a delay of `ms`.
 * `answer`: a fixed response, held while `until` returns false. The proxy calls `until` again at each later request.
 */
export type Fault =
  | FixedResponse
  | { kind: 'hang' }
  | { kind: 'lose' }
  | { kind: 'cut' }
  | { kind: 'reset' }
  | { kind: 'slow'; ms: number }

interface FixedResponse {
  readonly kind: 'answer'
  readonly status: number
  readonly body: string
  readonly type?: string
  readonly headers?: Record<string, string>
  readonly until?: () => boolean
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** HTTP proxy in front of a provider or portal. Records requests and injects faults. WebSockets pass unchanged. */
export interface FaultProxy {
  readonly origin: string
  readonly requests: SeenRequest[]
  /** Number of requests for paths that begin with `prefix`. */
  count(prefix: string): number
  /** Sets the origin that later requests are forwarded to. `instead` replaces headers of the requests. */
  forwardTo(origin: string, headerOverrides?: Record<string, string>): void
  /** Applies the fault to the next `times` requests for paths that begin with `prefix`; by default to all. */
  fail(prefix: string, fault: Fault, times?: number): void
  /** Removes all faults and clears `seen`. */
  clearFaults(): void
  close(): Promise<void>
}

interface Target {
  readonly origin: string
  readonly headerOverrides: Record<string, string>
}

export async function openFaultProxy(): Promise<FaultProxy> {
  let target: Target = { origin: '', headerOverrides: {} }
  let faults: { prefix: string; fault: Fault; remainingCount: number }[] = []
  const requests: SeenRequest[] = []
  /**
   * Functions that send a held response and return true. While `until` returns false, they return false and send
   * nothing.
   */
  let heldResponseSenders: (() => boolean)[] = []

  function nextFault(path: string): Fault | undefined {
    const found = faults.find((entry) => path.startsWith(entry.prefix) && entry.remainingCount > 0)
    if (found) found.remainingCount -= 1
    return found?.fault
  }

  function handleRequest(req: IncomingMessage, body: Buffer, res: ServerResponse): void {
    const { method = 'GET', url: path = '/', headers } = req
    requests.push({ method, path, headers, body: body.toString('utf8') })
    const fault = nextFault(path)
    if (fault === undefined) forwardUnchanged(target, req, body, res)
    else if (fault.kind === 'answer') heldResponseSenders.push(() => sendFixedResponse(fault, res))
    else applyFault(fault, target, req, body, res)
    heldResponseSenders = heldResponseSenders.filter((send) => !send())
  }

  const server = createServer((req, res) => {
    // A client that disconnects in the middle of a request gets no response, and the test does not fail.
    void readBody(req).then(
      (body) => handleRequest(req, body, res),
      () => res.destroy(),
    )
  })
  const upgradedSockets = new Set<Duplex>()
  server.on('upgrade', (req, socket: Duplex, head: Buffer) => {
    upgradedSockets.add(socket.on('close', () => upgradedSockets.delete(socket)))
    forwardSocket(target.origin, req, socket, head)
  })
  // The proxy adds no faults of its own: idle connections stay open, and up to 2,048 new connections can wait in the
  // backlog.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 2 * 1024 }, resolve))

  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    count: (prefix) => requests.filter((seenRequest) => seenRequest.path.startsWith(prefix)).length,
    forwardTo: (origin, headerOverrides = {}) => (target = { origin, headerOverrides }),
    fail: (prefix, fault, times = Number.POSITIVE_INFINITY) => faults.push({ prefix, fault, remainingCount: times }),
    clearFaults() {
      faults = []
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      for (const socket of upgradedSockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendFixedResponse(fault: FixedResponse, res: ServerResponse): boolean {
  if (fault.until?.() === false) return false
  res.writeHead(fault.status, { 'content-type': fault.type ?? 'application/json', ...fault.headers })
  res.end(fault.body)
  return true
}

type ConnectionFault = Exclude<Fault, FixedResponse>

function applyFault(
  fault: ConnectionFault,
  target: Target,
  req: IncomingMessage,
  body: Buffer,
  res: ServerResponse,
): void {
  switch (fault.kind) {
    case 'hang':
      break
    case 'lose':
      forward(
        target,
        req,
        body,
        (answer) => answer.resume().on('end', () => res.destroy()),
        () => res.destroy(),
      )
      break
    case 'cut':
      res.writeHead(200, { 'content-type': 'application/json' })
      res.write('{"code":200,"da', () => res.destroy())
      break
    case 'reset':
      res.destroy()
      break
    case 'slow':
      setTimeout(() => forwardUnchanged(target, req, body, res), fault.ms)
      break
  }
}

function forwardUnchanged(target: Target, req: IncomingMessage, body: Buffer, res: ServerResponse): void {
  forward(
    target,
    req,
    body,
    (answer) => pipeResponse(answer, res),
    () => res.destroy(),
  )
}

function forward(
  { origin, headerOverrides }: Target,
  req: IncomingMessage,
  body: Buffer,
  onResponse: (answer: IncomingMessage) => void,
  onError: () => void,
): void {
  // Without a target the proxy closes the connection, for example for requests that arrive after the test.
  if (origin === '') return onError()
  const { method, headers } = req
  const options = { method: method ?? 'GET', headers: { ...headers, ...headerOverrides } }
  const out = request(origin + (req.url ?? '/'), options, onResponse)
  out.on('error', onError)
  out.end(body)
}

function forwardSocket(origin: string, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  if (origin === '') return void socket.destroy()
  const { hostname, port } = new URL(origin)
  const out = connect({ host: hostname, port: Number(port) })
  const lines = req.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1] ?? ''}`] : []))
  out.write(`${req.method} ${req.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  out.write(head)
  out.pipe(socket).pipe(out)
  out.on('error', () => socket.destroy()).on('close', () => socket.destroy())
  socket.on('error', () => out.destroy()).on('close', () => out.destroy())
}

function pipeResponse(answer: IncomingMessage, res: ServerResponse): void {
  res.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.pipe(res)
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
