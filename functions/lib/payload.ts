import * as v from 'valibot'
import { isInQuery, type Call } from '../../contract/call.ts'
import { EdgeRefusal } from './answers.ts'
import { utf8 } from './bytes.ts'
import { newNonce } from './nonce.ts'

/** Largest body that is read. */
export const BODY_MAX = 256 * 1024

/** A call as it goes out: what is signed is what is sent. */
export interface Payload {
  readonly query: string
  readonly body: Uint8Array<ArrayBuffer> | null
  readonly content: Uint8Array<ArrayBuffer> | string
}

/** Validates what the browser sent, adds `nonce` and `user_id`, and serialises once. Throws a `EdgeRefusal` 400. */
export async function buildPayload(call: Call, request: Request, userId: string, now: number): Promise<Payload> {
  const given = isInQuery(call.method) ? queryOf(request) : await bodyOf(request)
  const checked = v.safeParse(call.request ?? v.never(), given)
  if (!checked.success) throw badRequest()
  const fields = {
    ...(checked.output as Record<string, unknown>),
    ...(call.nonce && { nonce: newNonce(now) }),
    ...(call.userId && { user_id: userId }),
  }
  if (!isInQuery(call.method)) {
    if (Object.keys(fields).length === 0) return { query: '', body: null, content: '' }
    const body = utf8(JSON.stringify(fields))
    return { query: '', body, content: body }
  }
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const query = new URLSearchParams(sorted.map(([name, value]) => [name, String(value)])).toString()
  return { query, body: null, content: query }
}

function queryOf(request: Request): Record<string, string> {
  const pairs = [...new URL(request.url).searchParams]
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length !== pairs.length) throw badRequest()
  return fields
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await readText(request, BODY_MAX)
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown)
  } catch {
    throw badRequest()
  }
}

/** The body as text; more than `max` bytes are not read, whatever length was announced. */
export async function readText(request: Request, max: number): Promise<string> {
  if (!request.body) return ''
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > max) throw badRequest()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

const badRequest = () => new EdgeRefusal(400, 'This request does not have the form that the call asks for.')
