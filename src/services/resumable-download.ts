import type { ChunkStore } from './saved-chunks.ts'

/** Download of a file of known length, in chunks. A chunk that fails is retried. */
export interface ChunkedDownload {
  /** Total length, bytes. */
  readonly bytes: number
  /**
   * Returns the URL of the file; undefined if the file is no longer available. `again`: the previous URL was rejected.
   */
  readonly address: (again: boolean) => Promise<string | undefined>
  /** Called after every chunk with the share downloaded so far, from 0 to 1. */
  readonly progress: (share: number) => void
  readonly signal: AbortSignal
  /** Stores the downloaded chunks, so that a later visit can resume the download. */
  readonly kept?: ChunkStore
  /** Waits before a retry, ms; tests can shorten it. */
  readonly wait?: (ms: number) => Promise<void>
}

const PIECE = 8 * 1024 * 1024
const TRIES = 6
const FIRST_WAIT_MS = 500

const inTime = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Returns the whole file; null if a chunk failed six times, the file is no longer available, or the signal aborted. */
export async function downloadInChunks(chunks: ChunkedDownload): Promise<Blob | null> {
  const parts: Blob[] = await readPieces(chunks)
  const had = parts.reduce((sum, { size }) => sum + size, 0)
  let url = await chunks.address(false)
  let failures = 0
  for (let from = had; from < chunks.bytes;) {
    if (!url || failures === TRIES || chunks.signal.aborted) return null
    const piece: Blob | number = await fetchPiece(url, from, Math.min(from + PIECE, chunks.bytes), chunks.signal)
    if (typeof piece !== 'number') {
      parts.push(piece)
      await chunks.kept?.write(from, piece)
      from += piece.size
      failures = 0
      chunks.progress(from / chunks.bytes)
      continue
    }
    failures += 1
    await (chunks.wait ?? inTime)(FIRST_WAIT_MS * 2 ** (failures - 1))
    if (piece >= 400 && piece < 500) url = await chunks.address(true)
  }
  return new Blob(parts, { type: 'application/zip' })
}

/** Reads the chunks that an earlier visit stored, from the start of the file up to the first missing chunk. */
async function readPieces({ kept: storage, bytes }: ChunkedDownload): Promise<Blob[]> {
  const parts: Blob[] = []
  for (let from = 0; storage && from < bytes;) {
    const piece = await storage.read(from)
    if (piece?.size !== Math.min(PIECE, bytes - from)) break
    parts.push(piece)
    from += piece.size
  }
  return parts
}

/**
 * Fetches the bytes from `from` to `to` (exclusive). On failure, returns the HTTP status instead, or 0 without a
 * complete response.
 */
async function fetchPiece(url: string, from: number, to: number, signal: AbortSignal): Promise<Blob | number> {
  try {
    const answer = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` }, signal })
    if (answer.status !== 206) return answer.status
    const piece = await answer.blob()
    return piece.size === to - from ? piece : 0
  } catch {
    return 0
  }
}
