import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface EnvelopeItem {
  readonly type: string
  readonly event: Record<string, unknown>
  readonly text: string
  /** Project ID in the request URL. `key`: public key that the sender presents. */
  readonly project: string
  readonly key: string
}

/** Fake error-report server that speaks the envelope protocol. */
export interface EnvelopeSink {
  readonly dsn: string
  readonly items: EnvelopeItem[]
  /** Request line and body of each rejected request. */
  readonly rejectedRequests: string[]
  events(): EnvelopeItem[]
  close(): Promise<void>
}

const PROJECT_ID = '7'
const DSN_PUBLIC_KEY = 'public'

/**
 * Starts the server on a free port. The server accepts well-formed envelopes that clients post to `/api/7/envelope/`
 * with the public key of its DSN. It rejects all other requests with 400.
 */
export async function openEnvelopeSink(): Promise<EnvelopeSink> {
  const items: EnvelopeItem[] = []
  const rejectedRequests: string[] = []
  const server = createServer((req, res) => {
    void buffer(req).then(
      (body) => {
        const url = new URL(req.url ?? '/', 'http://sink.invalid')
        const project = /^\/api\/(\w+)\/envelope\/$/.exec(url.pathname)?.[1]
        const key = url.searchParams.get('sentry_key') ?? ''
        const parsedItems =
          req.method === 'POST' && project === PROJECT_ID && key === DSN_PUBLIC_KEY ? parseEnvelope(body) : null
        if (parsedItems === null) rejectedRequests.push(`${req.method} ${req.url}\n${body.toString('utf8')}`)
        else
          items.push(...parsedItems.map((item) => ({ ...item, text: body.toString('utf8'), project: PROJECT_ID, key })))
        res.writeHead(parsedItems === null ? 400 : 200, { 'content-type': 'application/json' }).end('{}')
      },
      () => res.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    dsn: `http://${DSN_PUBLIC_KEY}@127.0.0.1:${(server.address() as AddressInfo).port}/${PROJECT_ID}`,
    items,
    rejectedRequests,
    events: () => items.filter(({ type }) => type === 'event'),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * Parses an envelope: a JSON header line, then for each item a JSON header line with its type, and a payload. The
 * payload takes `length` bytes if the item's header gives a length, else one line. Returns null if malformed.
 */
export function parseEnvelope(body: Buffer): { type: string; event: Record<string, unknown> }[] | null {
  try {
    const items = []
    let [, at] = parseJsonLine(body, 0)
    while (at < body.length) {
      const [head, begin] = parseJsonLine(body, at)
      const { type, length } = head as { type: string; length?: number }
      const end = length === undefined ? findLineEnd(body, begin) : begin + length
      items.push({ type, event: JSON.parse(body.toString('utf8', begin, end)) as Record<string, unknown> })
      at = end + 1
    }
    return items
  } catch {
    return null
  }
}

const findLineEnd = (body: Buffer, from: number): number => {
  const end = body.indexOf('\n', from)
  return end < 0 ? body.length : end
}

function parseJsonLine(body: Buffer, from: number): [json: unknown, next: number] {
  const end = findLineEnd(body, from)
  return [JSON.parse(body.toString('utf8', from, end)), end + 1]
}
