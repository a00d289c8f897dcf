import { signHmacHex, textKey } from '../crypto/hmac.ts'

const IV_BYTES = 12
const keys = new Map<string, Promise<CryptoKey>>()

/** Returns the encryption key of media tokens, derived from `TICKET_KEY` once per isolate. */
function passKey(secret: string): Promise<CryptoKey> {
  const cached = keys.get(secret)
  if (cached) return cached
  const key = textKey(secret)
    .then((hmac) => signHmacHex(hmac, 'media pass'))
    .then((hex) => crypto.subtle.importKey('raw', Buffer.from(hex, 'hex'), 'AES-GCM', false, ['encrypt', 'decrypt']))
  keys.set(secret, key)
  return key
}

/**
 * Creates the media token of the grant `grantId` (contract/media/media-token.ts): base64url of IV and AES-GCM
 * ciphertext.
 */
export async function createMediaToken(secret: string, grantId: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await passKey(secret),
    new TextEncoder().encode(grantId),
  )
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url')
}

/** Returns the grant of a media token, or null if it is forged. */
export async function readMediaToken(secret: string, pass: string): Promise<string | null> {
  const bytes = Buffer.from(pass, 'base64url')
  const [iv, sealed] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)]
  try {
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await passKey(secret), sealed)
    return new TextDecoder().decode(opened)
  } catch {
    return null
  }
}
