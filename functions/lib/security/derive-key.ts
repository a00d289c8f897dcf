import { hkdfSync } from 'node:crypto'

type KeyPurpose = 'session' | 'transaction'

const derivedKeys = new Map<string, Uint8Array<ArrayBuffer>>()

/**
 * Derives a 32-byte key for one purpose from a `COOKIE_KEY` (HKDF-SHA-256). Caches the key for the lifetime of the
 * isolate.
 */
export function deriveKey(cookieKey: string, purpose: KeyPurpose): Uint8Array<ArrayBuffer> {
  const name = `${purpose}:${cookieKey}`
  let key = derivedKeys.get(name)
  if (!key) {
    key = new Uint8Array(hkdfSync('sha256', cookieKey, new Uint8Array(32), `porchlight ${purpose}`, 32))
    derivedKeys.set(name, key)
  }
  return key
}
