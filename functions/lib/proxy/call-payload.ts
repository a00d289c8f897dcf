import * as v from 'valibot'
import { BODY_BYTES_MAX, readText } from '../../../contract/wire/body-limits.ts'
import { hasQueryPayload, type Call } from '../../../contract/wire/call.ts'
import { EdgeError } from '../edge-error.ts'
import { encodeUtf8 } from '../byte-encoding.ts'

const RANDOM_SUFFIX_MIN = 1000
const RANDOM_SUFFIX_MAX = 99_999
const RANDOM_SUFFIX_COUNT = RANDOM_SUFFIX_MAX - RANDOM_SUFFIX_MIN + 1
/**
 * Largest multiple of `RANDOM_SUFFIX_COUNT` up to 2^32. Random values from this limit on are drawn again, so that all
 * suffixes are equally likely.
 */
const UNBIASED_LIMIT = Math.floor(2 ** 32 / RANDOM_SUFFIX_COUNT) * RANDOM_SUFFIX_COUNT

/**
 * Appends a random number from 1000 to 99999 to `timestamp` (CONST-09). Returns a string, because a number cannot hold
 * 18 digits exactly (OPEN-49).
 */
export function appendRandom(timestamp: number, random: () => number = createRandom32): string {
  let value = random()
  while (value >= UNBIASED_LIMIT) value = random()
  return `${timestamp}${RANDOM_SUFFIX_MIN + (value % RANDOM_SUFFIX_COUNT)}`
}

/** Number of recent nonces that are remembered and not issued again, because a nonce is single-use. */
const RECENT_NONCES_MAX = 5000
const recentNonces = new Set<string>()

/**
 * Returns a new `nonce` for a call: the time in ms and a random suffix. Calls in the same millisecond get different
 * suffixes.
 */
export function createNonce(now: number): string {
  let nonce = appendRandom(now)
  while (recentNonces.has(nonce)) nonce = appendRandom(now)
  recentNonces.add(nonce)
  const [oldest] = recentNonces
  if (recentNonces.size > RECENT_NONCES_MAX && oldest !== undefined) recentNonces.delete(oldest)
  return nonce
}

function createRandom32(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}

/** Serialized call to the provider. `content`: what the signature covers, which is the query string or body as sent. */
export interface CallPayload {
  readonly query: string
  readonly body: Uint8Array<ArrayBuffer> | null
  readonly content: Uint8Array<ArrayBuffer> | string
}

/**
 * Validates the browser's input, adds `nonce` and `user_id` if the call needs them, and serializes the result once.
 * Throws an `EdgeError` 400 or a `BodyTooLargeError`.
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

const createBadRequestError = () => new EdgeError(400, 'This request isn’t in the expected format.')
