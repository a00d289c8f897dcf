import type { SqlStorage } from '@cloudflare/workers-types'
import type { DocumentOffset, OffsetRange } from '../index/document-offsets.ts'
import type { SearchScope } from '../index/search-rows.ts'
import { type EventRow, listTextsByDoc } from '../index/slice-rows.ts'
import type { TextMatch, TextRow, TextScorer } from './text-scoring.ts'

export interface MatchedText {
  readonly row: EventRow & TextRow
  readonly match: TextMatch
}

/** Reads the texts of events and finds the concepts of one search in them, once per event. */
export class MatchedTexts {
  readonly #sql: SqlStorage
  readonly #scope: SearchScope
  readonly #range: OffsetRange
  readonly #scorer: TextScorer
  readonly #texts = new Map<DocumentOffset, MatchedText>()

  constructor(sql: SqlStorage, scope: SearchScope, range: OffsetRange, scorer: TextScorer) {
    this.#sql = sql
    this.#scope = scope
    this.#range = range
    this.#scorer = scorer
  }

  /** Returns the texts of those of the events that are in the scope. Keeps the order. */
  list(docs: readonly DocumentOffset[]): MatchedText[] {
    const missing = docs.filter((doc) => !this.#texts.has(doc))
    if (missing.length > 0)
      for (const row of listTextsByDoc(this.#sql, missing, this.#scope, this.#range))
        this.#texts.set(row.doc, { row, match: this.#scorer.matchRow(row) })
    return docs.flatMap((doc) => this.#texts.get(doc) ?? [])
  }
}
