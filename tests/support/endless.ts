import { once } from 'node:events'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'

export interface Outcome {
  readonly status: number
  readonly body: string
  /** Bytes of the body sent by the time the server responded. */
  readonly given: number
}

interface Init {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Maximum bytes to send before the response. A server that waits for more bytes before it responds gets none, so the
   * request times out.
   */
  readonly most: number
}

const PIECE = Buffer.alloc(16 * 1024, 'a')
/** Upper limit of the endless body in bytes, for a server that never stops reading. */
const END = 8 * 1024 * 1024

/**
 * Sends a chunked body: at most `most` bytes before the response, then more until the server closes the connection, up
 * to 8 MB in total. Throws if the server does not respond and close within `patienceMs`.
 */
export async function sendEndless(address: string, init: Init, patienceMs = 20_000): Promise<Outcome> {
  const { out, answered, closed } = openRequest(address, init)
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${init.method} ${address} was read on and on.`)), patienceMs)
  try {
    return await Promise.race([converse({ out, answered, closed }, init.most), late.promise])
  } finally {
    clearTimeout(timer)
    out.destroy()
  }
}

async function converse({ out, answered, closed }: ReturnType<typeof openRequest>, maxBytes: number): Promise<Outcome> {
  const sentBytes = await give(out, { from: 0, to: maxBytes, over: answered })
  const answer = await answered
  const body = await readText(answer)
  await give(out, { from: sentBytes, to: END, over: closed })
  await closed
  return { status: answer.statusCode ?? 0, body, given: sentBytes }
}

/** Starts a request that stalls after its first chunk, until the caller destroys it. */
export async function startSlowRequest(address: string, init: Omit<Init, 'most'>): Promise<ClientRequest> {
  const { out } = openRequest(address, init)
  await new Promise<void>((sent) => out.write('{"a":', () => sent()))
  return out
}

function openRequest(address: string, { method, headers }: Omit<Init, 'most'>) {
  const out = request(address, {
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
 * Writes the bytes `from` to `to` of the body with backpressure, and stops early if `over` settles. Returns the total
 * number of bytes sent.
 */
async function give(out: ClientRequest, { from, to, over }: { from: number; to: number; over: Promise<unknown> }) {
  let isOver = false
  const end = over.then(
    () => void (isOver = true),
    () => void (isOver = true),
  )
  let sentBytes = from
  while (sentBytes < to && !isOver) {
    const piece = PIECE.subarray(0, to - sentBytes)
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
