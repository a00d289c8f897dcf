import { once } from 'node:events'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'

export interface EndlessBodyResult {
  readonly status: number
  readonly body: string
  /** Bytes of the body that were sent before the server responded. */
  readonly sentBytes: number
}

interface EndlessRequestInit {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Maximum bytes to send before the response. A server that waits for more bytes before it responds gets none, so the
   * request times out.
   */
  readonly maxBytesBeforeResponse: number
}

const BODY_CHUNK = Buffer.alloc(16 * 1024, 'a')
/** Upper limit of the endless body in bytes, for a server that never stops reading. */
const MAX_BODY_BYTES = 8 * 1024 * 1024

/**
 * Sends at most `maxBytesBeforeResponse` of a body before the response, then up to 8 MiB in total until the server
 * closes the connection. The body is chunked unless `headers` contains `content-length`. Throws if the server does not
 * respond and close the connection within `patienceMs`.
 */
export async function sendEndlessBody(
  url: string,
  init: EndlessRequestInit,
  timeoutMs = 20_000,
): Promise<EndlessBodyResult> {
  const { out, answered, closed } = openRequest(url, init)
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      timeout.reject(
        new Error(`${init.method} ${url}: the server neither responded nor closed the connection in time.`),
      ),
    timeoutMs,
  )
  try {
    return await Promise.race([exchangeBodies({ out, answered, closed }, init.maxBytesBeforeResponse), timeout.promise])
  } finally {
    clearTimeout(timer)
    out.destroy()
  }
}

async function exchangeBodies(
  { out, answered, closed }: ReturnType<typeof openRequest>,
  maxBytes: number,
): Promise<EndlessBodyResult> {
  const sentBytes = await writeBody(out, { from: 0, to: maxBytes, stopSignal: answered })
  const answer = await answered
  const body = await readText(answer)
  await writeBody(out, { from: sentBytes, to: MAX_BODY_BYTES, stopSignal: closed })
  await closed
  return { status: answer.statusCode ?? 0, body, sentBytes }
}

/** Starts a request whose body stalls after the first chunk. The caller must destroy the request. */
export async function startSlowRequest(
  url: string,
  init: Omit<EndlessRequestInit, 'maxBytesBeforeResponse'>,
): Promise<ClientRequest> {
  const { out } = openRequest(url, init)
  await new Promise<void>((sent) => out.write('{"a":', () => sent()))
  return out
}

function openRequest(url: string, { method, headers }: Omit<EndlessRequestInit, 'maxBytesBeforeResponse'>) {
  const out = request(url, {
    method,
    agent: new Agent({ keepAlive: true }),
    headers: headers?.['content-length'] === undefined ? { 'transfer-encoding': 'chunked', ...headers } : headers,
  })
  out.flushHeaders()
  const answered = once(out, 'response').then(([answer]) => answer as IncomingMessage)
  answered.catch(() => undefined)
  // Ignores errors: the server closes the connection before the request ends, and Node reports that as an error.
  out.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => out.on('close', resolve))
  return { out, answered, closed }
}

/**
 * Writes the bytes `from` to `to` of the body with backpressure. Stops early if `stopSignal` settles. Returns the total
 * number of bytes sent, including the bytes before `from`.
 */
async function writeBody(
  out: ClientRequest,
  { from, to, stopSignal }: { from: number; to: number; stopSignal: Promise<unknown> },
) {
  let isStopped = false
  const end = stopSignal.then(
    () => void (isStopped = true),
    () => void (isStopped = true),
  )
  let sentBytes = from
  while (sentBytes < to && !isStopped) {
    const piece = BODY_CHUNK.subarray(0, to - sentBytes)
    sentBytes += piece.length
    if (!out.write(piece)) await Promise.race([once(out, 'drain').catch(() => undefined), end])
  }
  return sentBytes
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
