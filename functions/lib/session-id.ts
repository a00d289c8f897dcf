import { fromBase64Url, randomText, toBase64Url, utf8 } from './bytes.ts'
import { deriveKey } from './keys.ts'

const ID_BYTES = 32
const SHAPE = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/

/** A new 256-bit session id. */
export const newSessionId = (): string => randomText(ID_BYTES)

/** The cookie value of a session id: the id and its HMAC tag. */
export async function tagSessionId(id: string, cookieKey: string): Promise<string> {
  const key = await deriveKey(cookieKey, 'session')
  return `${id}.${toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(id))))}`
}

/** The session id of a cookie value, or null when its tag was not made by this deployment. */
export async function openSessionCookie(value: string | undefined, cookieKey: string): Promise<string | null> {
  const [, id, tag] = SHAPE.exec(value ?? '') ?? []
  const bytes = tag === undefined ? null : fromBase64Url(tag)
  if (id === undefined || !bytes) return null
  const genuine = await crypto.subtle.verify('HMAC', await deriveKey(cookieKey, 'session'), bytes, utf8(id))
  return genuine ? id : null
}
