const encoder = new TextEncoder()
const importedKeys = new Map<string, Promise<CryptoKey>>()

/** Imports an HMAC-SHA-256 key and caches it per isolate. `name`: cache key, unique for the key bytes. */
function importKeyOnce(name: string, bytes: () => Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const cached = importedKeys.get(name)
  if (cached) return cached
  const key = crypto.subtle.importKey('raw', bytes(), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
  importedKeys.set(name, key)
  return key
}

export function importTextKey(secret: string): Promise<CryptoKey> {
  return importKeyOnce(`text:${secret}`, () => encoder.encode(secret))
}

export function importHexKey(hex: string): Promise<CryptoKey> {
  return importKeyOnce(`hex:${hex}`, () => fromHex(hex) ?? new Uint8Array(1))
}

/** Returns the HMAC of `content` in lower-case hex. */
export async function signHmacHex(key: CryptoKey, content: string): Promise<string> {
  return toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(content)))
}

/** Returns true if `hex` is the signature of `content`. Compares in constant time. */
export async function verifyHmacHex(key: CryptoKey, content: string, hex: string): Promise<boolean> {
  const signature = fromHex(hex)
  return signature !== null && (await crypto.subtle.verify('HMAC', key, signature, encoder.encode(content)))
}

export async function sha256Hex(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', bytes))
}

function toHex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!/^(?:[0-9a-f]{2})+$/.test(hex)) return null
  const bytes = new Uint8Array(hex.length / 2)
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)
  return bytes
}
