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

export const keptPieces = (id: string): Pieces => ({
  read: (from) =>
    orNull(async () => {
      const answer = await (await caches.open(CACHE)).match(address(id, from))
      return answer ? await answer.blob() : null
    }),
  async write(from, piece) {
    await orNull(async () => (await caches.open(CACHE)).put(address(id, from), new Response(piece)))
  },
})

/** Forgets all pieces. */
export async function dropPieces(): Promise<void> {
  await orNull(() => caches.delete(CACHE))
}
