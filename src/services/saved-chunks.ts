/** Pieces of a download under way, kept over visits in the cache of this browser; where it has none, they are not kept. */
export interface Pieces {
  /** The piece that begins there; null: it is not kept. */
  readonly read: (from: number) => Promise<Blob | null>
  readonly write: (from: number, piece: Blob) => Promise<void>
}

const CACHE = 'take'
const address = (id: string, from: number) => `/${CACHE}/${id}/${from}`

/** Full or blocked storage keeps nothing, and the download goes on without. */
async function orNull<T>(task: () => Promise<T>): Promise<T | null> {
  try {
    return await task()
  } catch {
    return null
  }
}

/** 32 random bytes in hex. */
export const newSecret = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (byte) => parseInt(byte, 16))
  return await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** A secret is used for one archive, of which each piece has its place once. */
function cipherParams(from: number): AesGcmParams {
  const iv = new Uint8Array(12)
  new DataView(iv.buffer).setBigUint64(4, BigInt(from))
  return { name: 'AES-GCM', iv }
}

/**
 * The pieces of one archive. They are encrypted with the secret, which is kept where a sign-out forgets it: without it what is
 * left in the cache cannot be read by anybody.
 */
export const keptPieces = (id: string, secret: string): Pieces => ({
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

/** Forgets all pieces. */
export async function dropPieces(): Promise<void> {
  await orNull(() => caches.delete(CACHE))
}
