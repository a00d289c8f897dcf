import { createHmac, timingSafeEqual } from 'node:crypto'
import { fromBase64Url, createRandomText, toBase64Url } from '../byte-encoding.ts'
import { deriveKey } from '../security/derive-key.ts'

const ID_BYTES = 32
const COOKIE_FORMAT = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

/** Returns a new 256-bit session id. */
export const createSessionId = (): string => createRandomText(ID_BYTES)

function computeTag(id: string, cookieKey: string): Uint8Array {
  return createHmac('sha256', deriveKey(cookieKey, 'session')).update(id).digest()
}

/** Returns the cookie value of a session id: the id and its HMAC tag. */
export function tagSessionId(id: string, cookieKey: string): string {
  return `${id}.${toBase64Url(computeTag(id, cookieKey))}`
}

/** Returns the session id of a cookie value; null if none of the keys made its tag. */
export function verifySessionCookie(value: string | undefined, cookieKeys: readonly string[]): string | null {
  const [, id, tag] = COOKIE_FORMAT.exec(value ?? '') ?? []
  const bytes = tag === undefined ? null : fromBase64Url(tag)
  if (id === undefined || !bytes) return null
  return cookieKeys.some((key) => timingSafeEqual(bytes, computeTag(id, key))) ? id : null
}
