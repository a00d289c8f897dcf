import { signHmacHex, importTextKey } from '../crypto/hmac.ts'

const IV_BYTES = 12
const importedKeys = new Map<string, Promise<CryptoKey>>()

function getMediaTokenKey(secret: string): Promise<CryptoKey> {
  const cached = importedKeys.get(secret)
  if (cached) return cached
  const key = importTextKey(secret)
    .then((hmac) => signHmacHex(hmac, 'media pass'))
    .then((hex) => crypto.subtle.importKey('raw', Buffer.from(hex, 'hex'), 'AES-GCM', false, ['encrypt', 'decrypt']))
  importedKeys.set(secret, key)
  return key
}

/**
 * Creates the media token of a grant (contract/media/media-token.ts): base64url of IV and AES-GCM ciphertext of
 * `grantId`.
 */
export async function createMediaToken(secret: string, grantId: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await getMediaTokenKey(secret),
    new TextEncoder().encode(grantId),
  )
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url')
}

/** Returns the grant id in a media token, or null if the token was changed or was not created with this secret. */
export async function readMediaToken(secret: string, token: string): Promise<string | null> {
  const bytes = Buffer.from(token, 'base64url')
  const [iv, sealed] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)]
  try {
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await getMediaTokenKey(secret), sealed)
    return new TextDecoder().decode(opened)
  } catch {
    return null
  }
}
