import * as v from 'valibot'
import { BODY_BYTES_MAX, readText } from '../../../contract/wire/body-limits.ts'
import { hasQueryPayload, type Call } from '../../../contract/wire/call.ts'
import { EdgeError } from '../edge-error.ts'
import { encodeUtf8 } from '../byte-encoding.ts'
import { createNonce } from './nonce.ts'

/** Serialized call to the provider. The signature covers exactly the bytes that are sent. */
export interface CallPayload {
  readonly query: string
  readonly body: Uint8Array<ArrayBuffer> | null
  readonly content: Uint8Array<ArrayBuffer> | string
}

/**
 * Validates the browser's input, adds `nonce` and `user_id`, and serializes it once. Throws an `EdgeError` 400 or a
 * `BodyTooLargeError`.
 */
export async function buildPayload(call: Call, request: Request, userId: string, now: number): Promise<CallPayload> {
  const input = hasQueryPayload(call.method) ? readQuery(request) : await readBody(request)
  const checked = v.safeParse(call.request ?? v.never(), input)
  if (!checked.success) throw createBadRequestError()
  const fields = {
    ...(checked.output as Record<string, unknown>),
    ...(call.nonce && { nonce: createNonce(now) }),
    ...(call.userId && { user_id: userId }),
  }
  if (!hasQueryPayload(call.method)) {
    if (Object.keys(fields).length === 0) return { query: '', body: null, content: '' }
    const body = encodeUtf8(JSON.stringify(fields))
    return { query: '', body, content: body }
  }
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const query = new URLSearchParams(sorted.map(([name, value]) => [name, String(value)])).toString()
  return { query, body: null, content: query }
}

function readQuery(request: Request): Record<string, string> {
  const pairs = [...new URL(request.url).searchParams]
  const fields = Object.fromEntries(pairs)
  if (Object.keys(fields).length !== pairs.length) throw createBadRequestError()
  return fields
}

async function readBody(request: Request): Promise<unknown> {
  const text = await readText(request, BODY_BYTES_MAX.call)
  try {
    return text === '' ? {} : (JSON.parse(text) as unknown)
  } catch {
    throw createBadRequestError()
  }
}

const createBadRequestError = () => new EdgeError(400, 'This request does not have the form that the call asks for.')
