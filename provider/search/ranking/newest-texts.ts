import type { SqlStorage } from '@cloudflare/workers-types'
import type { DocumentRange } from '../../events/document-id-rows.ts'
import { listNewestTexts } from '../index/slice-rows.ts'
import { type StemmedRow, stemRow, type TextRow } from './text-scoring.ts'

interface CachedText {
  readonly row: TextRow
  readonly stemmed: StemmedRow
}

/** Latest result by home, by event id. */
const newestTexts = new WeakMap<SqlStorage, ReadonlyMap<string, CachedText>>()

/** Returns the texts of the newest `count` events in the range. Stems only texts that the previous call did not return. */
export function stemNewestTexts(sql: SqlStorage, range: DocumentRange, count: number): StemmedRow[] {
  const previous = newestTexts.get(sql)
  const texts = listNewestTexts(sql, range, count).map((row): [string, CachedText] => {
    const cached = previous?.get(row.event_id)
    return [row.event_id, cached && hasSameTexts(cached.row, row) ? cached : { row, stemmed: stemRow(row) }]
  })
  newestTexts.set(sql, new Map(texts))
  return texts.map(([, { stemmed }]) => stemmed)
}

const hasSameTexts = (a: TextRow, b: TextRow) =>
  a.moments === b.moments &&
  a.title === b.title &&
  a.labels === b.labels &&
  a.tags === b.tags &&
  a.device_id === b.device_id &&
  a.counts === b.counts
