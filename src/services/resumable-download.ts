import type { ChunkStore } from './saved-chunks.ts'

/** Download of a file of known length, in chunks. A chunk that fails is retried. */
export interface ChunkedDownload {
  /** Total length, bytes. */
  readonly bytes: number
  /**
   * Returns the URL of the file; undefined if the file is no longer available. `isRejected`: the previous URL was
   * rejected.
   */
  readonly getUrl: (isRejected: boolean) => Promise<string | undefined>
  /** Called after every chunk with the share downloaded so far, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
  /** Stores the downloaded chunks, so that a later visit can resume the download. */
  readonly chunkStore?: ChunkStore
  /** Waits before a retry; a timer by default. Tests replace it to avoid the delay. */
  readonly wait?: (ms: number) => Promise<void>
}

const CHUNK_BYTES = 8 * 1024 * 1024
const MAX_ATTEMPTS = 6
const FIRST_RETRY_MS = 500

const waitMs = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Returns the whole file; null if a chunk failed six times, the file is no longer available, or the signal aborted. */
export async function downloadInChunks(download: ChunkedDownload): Promise<Blob | null> {
  const parts: Blob[] = await readStoredChunks(download)
  const storedBytes = parts.reduce((sum, { size }) => sum + size, 0)
  let url = await download.getUrl(false)
  let failures = 0
  for (let from = storedBytes; from < download.bytes;) {
    if (!url || failures === MAX_ATTEMPTS || download.signal.aborted) return null
    const chunk: Blob | number = await fetchChunk(
      url,
      from,
      Math.min(from + CHUNK_BYTES, download.bytes),
      download.signal,
    )
    if (typeof chunk !== 'number') {
      parts.push(chunk)
      await download.chunkStore?.write(from, chunk)
      from += chunk.size
      failures = 0
      download.onProgress(from / download.bytes)
      continue
    }
    failures += 1
    await (download.wait ?? waitMs)(FIRST_RETRY_MS * 2 ** (failures - 1))
    if (chunk >= 400 && chunk < 500) url = await download.getUrl(true)
  }
  return new Blob(parts, { type: 'application/zip' })
}

async function readStoredChunks({ chunkStore: storage, bytes }: ChunkedDownload): Promise<Blob[]> {
  const parts: Blob[] = []
  for (let from = 0; storage && from < bytes;) {
    const chunk = await storage.read(from)
    if (chunk?.size !== Math.min(CHUNK_BYTES, bytes - from)) break
    parts.push(chunk)
    from += chunk.size
  }
  return parts
}

/**
 * Fetches the bytes from `from` to `to` (exclusive). On failure, returns the HTTP status instead, or 0 without a
 * complete response.
 */
async function fetchChunk(url: string, from: number, to: number, signal: AbortSignal): Promise<Blob | number> {
  try {
    const response = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` }, signal })
    if (response.status !== 206) return response.status
    const chunk = await response.blob()
    return chunk.size === to - from ? chunk : 0
  } catch {
    return 0
  }
}
