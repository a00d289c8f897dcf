const encoder = new TextEncoder()
const IV_BYTES = 12

async function deriveKey(secret: string): Promise<CryptoKey> {
  const bytes = await crypto.subtle.digest('SHA-256', encoder.encode(`porchlight second factor ${secret}`))
  return await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/**
 * Encrypts `text` with AES-256-GCM and returns base64url. The key is derived from `secret`. Decryption requires the
 * same `purpose`.
 */
export async function encryptText(secret: string, purpose: string, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const algorithm = { name: 'AES-GCM', iv, additionalData: encoder.encode(purpose) }
  const sealed = await crypto.subtle.encrypt(algorithm, await deriveKey(secret), encoder.encode(text))
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url')
}

/**
 * Decrypts a result of `encryptText`. Returns null if no secret decrypts it, if the purpose differs, or if the
 * ciphertext was changed.
 */
export async function decryptText(secrets: readonly string[], purpose: string, sealed: string): Promise<string | null> {
  for (const secret of secrets) {
    const text = await decryptWithSecret(secret, purpose, sealed)
    if (text !== null) return text
  }
  return null
}

async function decryptWithSecret(secret: string, purpose: string, sealed: string): Promise<string | null> {
  const bytes = Uint8Array.from(Buffer.from(sealed, 'base64url'))
  const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES), additionalData: encoder.encode(purpose) }
  try {
    const plaintext = await crypto.subtle.decrypt(algorithm, await deriveKey(secret), bytes.subarray(IV_BYTES))
    return new TextDecoder().decode(plaintext)
  } catch {
    return null
  }
}
