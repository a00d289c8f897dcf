import { fromBase64Url, toBase64Url, encodeUtf8 } from '../byte-encoding.ts'
import { deriveKey } from './derive-key.ts'

const IV_BYTES = 12

function importKey(cookieKey: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', deriveKey(cookieKey, 'transaction'), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/**
 * Encrypts a JSON value so that only this deployment can read or change it. Returns base64url of IV and AES-GCM
 * ciphertext.
 */
export async function encryptValue(value: unknown, cookieKey: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const key = await importKey(cookieKey)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, encodeUtf8(JSON.stringify(value)))
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

/** Decrypts a value of `encryptValue`; returns null if none of the keys encrypted it. */
export async function decryptValue(text: string | undefined, cookieKeys: readonly string[]): Promise<unknown> {
  const bytes = text ? fromBase64Url(text) : null
  if (!bytes || bytes.length <= IV_BYTES) return null
  for (const cookieKey of cookieKeys) {
    const opened = await decryptWithKey(bytes, cookieKey)
    if (opened !== null) return opened
  }
  return null
}

async function decryptWithKey(bytes: Uint8Array<ArrayBuffer>, cookieKey: string): Promise<unknown> {
  const key = await importKey(cookieKey)
  try {
    const iv = bytes.slice(0, IV_BYTES)
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(IV_BYTES))
    return JSON.parse(new TextDecoder().decode(opened))
  } catch {
    return null
  }
}
