/**
 * Store for the chunks of an unfinished download in the browser's cache, across visits. Without a cache, it stores
 * nothing.
 */
export interface ChunkStore {
  /** Returns the chunk that starts at byte `from`; null if it is not stored. */
  readonly read: (from: number) => Promise<Blob | null>
  readonly write: (from: number, piece: Blob) => Promise<void>
}

const CACHE = 'take'
const address = (id: string, from: number) => `/${CACHE}/${id}/${from}`

/**
 * Returns null if the task fails, for example because storage is full or blocked. The download then continues without
 * stored chunks.
 */
async function orNull<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await task()
  } catch {
    return null
  }
}

export const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (byte) => parseInt(byte, 16))
  return await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/**
 * Uses the byte offset as IV. This is safe, because a secret encrypts only one archive, and each of its chunks once.
 */
function cipherParams(from: number): AesGcmParams {
  const iv = new Uint8Array(12)
  new DataView(iv.buffer).setBigUint64(4, BigInt(from))
  return { name: 'AES-GCM', iv }
}

/**
 * Stores the chunks of one archive, encrypted with `secret`. A sign-out deletes the secret, which makes chunks that
 * remain in the cache unreadable.
 */
export const keptPieces = (id: string, secret: string): ChunkStore => ({
  read: (from) =>
    orNull(async () => {
      const answer = await (await caches.open(CACHE)).match(address(id, from))
      if (!answer) return null
      return new Blob([
        await crypto.subtle.decrypt(cipherParams(from), await importKey(secret), await answer.arrayBuffer()),
      ])
    }),
  async write(from, piece) {
    await orNull(async () => {
      const sealed = await crypto.subtle.encrypt(cipherParams(from), await importKey(secret), await piece.arrayBuffer())
      await (await caches.open(CACHE)).put(address(id, from), new Response(sealed))
    })
  },
})

export async function dropPieces(): Promise<void> {
  await orNull(() => caches.delete(CACHE))
}
