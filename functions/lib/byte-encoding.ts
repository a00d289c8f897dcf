import { createHmac } from 'node:crypto'

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Encodes bytes as URL-safe base64 without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Decodes URL-safe base64; returns null if the text is malformed. */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
}

/** Returns `length` cryptographically random bytes as URL-safe base64. */
export function createRandomText(length: number): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(length)))
}

/** Returns the lowercase hex HMAC-SHA-256 of `content`. */
export function computeHmacHex(secret: string, content: string): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}
