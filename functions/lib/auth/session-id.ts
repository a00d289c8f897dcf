import { createHmac, timingSafeEqual } from 'node:crypto'
import { fromBase64Url, randomText, toBase64Url } from '../byte-encoding.ts'
import { deriveKey } from '../security/derive-key.ts'

const ID_BYTES = 32
const SHAPE = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

/** A new 256-bit session id. */
export const newSessionId = (): string => randomText(ID_BYTES)

function computeTag(id: string, cookieKey: string): Uint8Array {
  return createHmac('sha256', deriveKey(cookieKey, 'session')).update(id).digest()
}

/** The cookie value of a session id: the id and its HMAC tag. */
export function tagSessionId(id: string, cookieKey: string): string {
  return `${id}.${toBase64Url(computeTag(id, cookieKey))}`
}

/** The session id of a cookie value, or null when its tag was made by none of these keys. */
export function openSessionCookie(value: string | undefined, cookieKeys: readonly string[]): string | null {
  const [, id, tag] = SHAPE.exec(value ?? '') ?? []
  const bytes = tag === undefined ? null : fromBase64Url(tag)
  if (id === undefined || !bytes) return null
  return cookieKeys.some((key) => timingSafeEqual(bytes, computeTag(id, key))) ? id : null
}
