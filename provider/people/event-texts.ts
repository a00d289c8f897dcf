import type { SqlStorage } from '@cloudflare/workers-types'
import { readJson, strings } from '../../contract/wire/lenient-parse.ts'
import { yieldToEventLoop } from '../platform/yield-to-event-loop.ts'
import { marked } from '../platform/tokenize.ts'

export interface EventTexts {
  readonly title: string
  /** The title before a description replaced it. */
  readonly own_title: string | null
  readonly sentences: readonly string[] | null
  readonly values: readonly string[]
}

type StoredTexts = { doc: string; title: string; own_title: string | null; moments: string | null; labels: string }

/** Events read per step. */
const STEP = 500

/**
 * Rewrites the texts of all stored events, including deleted ones. `rewrite` returns null if nothing changes. Yields to
 * the event loop between steps.
 */
export async function rewriteAll(sql: SqlStorage, rewrite: (texts: EventTexts) => EventTexts | null): Promise<void> {
  let after = '-1'
  for (;;) {
    const last = rewriteStep(sql, after, rewrite)
    if (last === null) return
    after = last
    await yieldToEventLoop()
  }
}

/** Rewrites one step of events after an index position. Returns the last position, or null if no events are left. */
export function rewriteStep(
  sql: SqlStorage,
  after: string,
  rewrite: (texts: EventTexts) => EventTexts | null,
): string | null {
  const rows = sql
    .exec<StoredTexts>(
      `SELECT CAST(doc AS TEXT) AS doc, title, own_title, moments, labels FROM events
       WHERE doc > CAST(?1 AS INTEGER) ORDER BY doc LIMIT ${STEP}`,
      after,
    )
    .toArray()
  for (const row of rows) {
    const sentences = row.moments === null ? null : (readJson(strings, row.moments) ?? [])
    const { title, own_title, labels } = row
    const texts = rewrite({ title, own_title, sentences, values: readJson(strings, labels) ?? [] })
    if (texts !== null) putTexts(sql, row.doc, texts)
  }
  return rows.at(-1)?.doc ?? null
}

function putTexts(sql: SqlStorage, doc: string, { title, own_title, sentences, values }: EventTexts): void {
  sql.exec(
    `UPDATE events SET title = ?2, own_title = ?3, moments = ?4, labels = ?5, label_index = ?6
     WHERE doc = CAST(?1 AS INTEGER)`,
    doc,
    title,
    own_title,
    sentences && JSON.stringify(sentences),
    JSON.stringify(values),
    marked(values),
  )
}
