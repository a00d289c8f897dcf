import type { SqlStorage } from '@cloudflare/workers-types'
import { type DocumentOffset, listNewestOffsets, type OffsetRange } from './document-offsets.ts'

/** Number of events in the first chunk. Suffices for most concepts in the first slice of a scan. */
const FIRST_CHUNK_EVENTS = 1000

/**
 * Events of a range that match an index query, newest first. Keeps what it has read, so that the slices of a scan do
 * not seek the same words again. The query must not contain phrases that events in the range may lack, because SQLite
 * would look for them before the range.
 */
export class MatchingDocuments {
  readonly #sql: SqlStorage
  readonly #match: string
  readonly #range: OffsetRange
  readonly #docs: DocumentOffset[] = []
  /** All matching events from this position on were read. */
  #readFrom: DocumentOffset

  constructor(sql: SqlStorage, match: string, range: OffsetRange) {
    this.#sql = sql
    this.#match = match
    this.#range = range
    this.#readFrom = match === '' ? range.from : range.before
  }

  /** Returns all events, newest first; null for more than `limit`, which must be below `FIRST_CHUNK_EVENTS`. */
  listIfRare(limit: number): readonly DocumentOffset[] | null {
    if (this.#readFrom === this.#range.before) this.#read(this.#range.from, FIRST_CHUNK_EVENTS)
    return this.#readFrom === this.#range.from && this.#docs.length <= limit ? this.#docs : null
  }

  /** Returns the events of a slice, newest first. `size`: maximum number of events in the slice, matching or not. */
  listSlice({ from, before }: OffsetRange, size: number): readonly DocumentOffset[] {
    if (from < this.#readFrom) this.#read(from, size)
    return this.#docs.slice(this.#findIndexBefore(before), this.#findIndexBefore(from))
  }

  #read(from: DocumentOffset, count: number): void {
    const docs = listNewestOffsets(this.#sql, this.#match, { ...this.#range, from, before: this.#readFrom }, count)
    for (const doc of docs) this.#docs.push(doc)
    this.#readFrom = docs.length < count ? from : (docs.at(-1) ?? from)
  }

  /** Returns the index of the newest event before `position`. */
  #findIndexBefore(position: DocumentOffset): number {
    let [low, high] = [0, this.#docs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#docs[middle] ?? 0) < position) high = middle
      else low = middle + 1
    }
    return low
  }
}
