import type { OutgoingHttpHeaders } from 'node:http'
import type { Encoding } from './encoding.ts'

/** Maximum size of all compressed bodies in memory, bytes. The pages and scripts of one build need a tenth of it. */
const CACHE_BYTES_MAX = 16 * 1024 * 1024
/** Maximum size of one uncompressed file, bytes. Larger files are compressed while they are sent. */
const FILE_BYTES_MAX = 2 * 1024 * 1024

export interface CompressedFile {
  /** Entity tag of the uncompressed file. */
  readonly etag: string
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

/** Compressed static files by URL and encoding. If the memory is full, the least recently used file leaves. */
export class FileCache {
  readonly #files = new Map<string, CompressedFile>()
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax = CACHE_BYTES_MAX) {
    this.#bytesMax = bytesMax
  }

  /** Returns the file if the client may use it without asking the Worker, because it never changes. */
  findImmutable(url: string, encoding: Encoding): CompressedFile | null {
    const file = this.#find(url, encoding)
    return file !== null && /immutable/.test(String(file.headers['cache-control'])) ? file : null
  }

  /** Returns the file if it is the current version, which has the entity tag `etag`. */
  findVersion(url: string, encoding: Encoding, etag: string): CompressedFile | null {
    const file = this.#find(url, encoding)
    return file?.etag === etag ? file : null
  }

  add(url: string, encoding: Encoding, file: CompressedFile): void {
    const key = `${encoding} ${url}`
    this.#delete(key)
    this.#files.set(key, file)
    this.#bytes += file.body.length
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#bytesMax) break
      this.#delete(oldest)
    }
  }

  #find(url: string, encoding: Encoding): CompressedFile | null {
    const key = `${encoding} ${url}`
    const file = this.#files.get(key)
    if (file === undefined) return null
    this.#files.delete(key)
    this.#files.set(key, file)
    return file
  }

  #delete(key: string): void {
    this.#bytes -= this.#files.get(key)?.body.length ?? 0
    this.#files.delete(key)
  }
}

/**
 * Returns the entity tag of a static file that may be stored compressed; null for any other response. Only public
 * responses to URLs without a query qualify, so that visitors cannot fill the memory.
 */
export function getStorableTag(url: string, status: number, headers: OutgoingHttpHeaders): string | null {
  const etag = headers['etag']
  const isStorable =
    status === 200 &&
    !url.includes('?') &&
    typeof etag === 'string' &&
    etag.startsWith('"') &&
    /\bpublic\b/.test(String(headers['cache-control'] ?? '')) &&
    Number(headers['content-length'] ?? Infinity) <= FILE_BYTES_MAX
  return isStorable ? etag : null
}
