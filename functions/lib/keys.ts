import { utf8 } from './bytes.ts'

type Purpose = 'session' | 'transaction'

const keys = new Map<string, CryptoKey>()

/** A key for one purpose, derived from the one secret `COOKIE_KEY` (HKDF-SHA-256), kept for the isolate's life. */
export async function deriveKey(cookieKey: string, purpose: Purpose): Promise<CryptoKey> {
  const name = `${purpose}:${cookieKey}`
  const known = keys.get(name)
  if (known) return known
  // The key is kept, not the promise: a promise belongs to the request that made it.
  const key = await derive(cookieKey, purpose)
  keys.set(name, key)
  return key
}

async function derive(cookieKey: string, purpose: Purpose): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey('raw', utf8(cookieKey), 'HKDF', false, ['deriveKey'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: utf8(`porchlight ${purpose}`) }
  return purpose === 'session'
    ? crypto.subtle.deriveKey(how, base, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign', 'verify'])
    : crypto.subtle.deriveKey(how, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
