/**
 * Store for the chunks of an unfinished download in the browser's cache, across visits. Without a cache, it stores
 * nothing.
 */
export interface ChunkStore {
  /** Returns the chunk that starts at byte `from`; null if it is not stored. */
  readonly read: (from: number) => Promise<Blob | null>
  readonly write: (from: number, chunk: Blob) => Promise<void>
}

const CACHE_NAME = 'take'
const getChunkUrl = (id: string, from: number) => `/${CACHE_NAME}/${id}/${from}`

/**
 * Returns null if the storage task fails, for example because storage is full or blocked. The download then continues
 * without stored chunks.
 */
async function runOrNull<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await task()
  } catch {
    return null
  }
}

export const generateSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (byte) => parseInt(byte, 16))
  return await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/**
 * Uses the byte offset as IV. This is safe, because a secret encrypts only one archive, and each of its chunks once.
 */
function createCipherParams(from: number): AesGcmParams {
  const iv = new Uint8Array(12)
  new DataView(iv.buffer).setBigUint64(4, BigInt(from))
  return { name: 'AES-GCM', iv }
}

/**
 * Creates the store for the chunks of one archive, encrypted with `secret`. A sign-out deletes the secret, so chunks
 * that remain in the cache are unreadable.
 */
export const createChunkStore = (id: string, secret: string): ChunkStore => ({
  read: (from) =>
    runOrNull(async () => {
      const response = await (await caches.open(CACHE_NAME)).match(getChunkUrl(id, from))
      if (!response) return null
      return new Blob([
        await crypto.subtle.decrypt(createCipherParams(from), await importKey(secret), await response.arrayBuffer()),
      ])
    }),
  async write(from, piece) {
    await runOrNull(async () => {
      const encrypted = await crypto.subtle.encrypt(
        createCipherParams(from),
        await importKey(secret),
        await piece.arrayBuffer(),
      )
      await (await caches.open(CACHE_NAME)).put(getChunkUrl(id, from), new Response(encrypted))
    })
  },
})

export async function deleteStoredChunks(): Promise<void> {
  await runOrNull(() => caches.delete(CACHE_NAME))
}
