import type { SqlStorage } from '@cloudflare/workers-types'
import { parseJsonAs, lenientStrings } from '../../contract/wire/lenient-parse.ts'
import { yieldToEventLoop } from '../platform/yield-to-event-loop.ts'
import { joinIndexEntries } from '../platform/tokenize.ts'

export interface EventTexts {
  readonly title: string
  /** Title before the first added description; null if no description was added. */
  readonly own_title: string | null
  readonly sentences: readonly string[] | null
  readonly values: readonly string[]
}

type EventTextsRow = { doc: string; title: string; own_title: string | null; moments: string | null; labels: string }

const EVENTS_PER_STEP = 500

/**
 * Rewrites the texts of all stored events, including deleted events. `rewrite` returns null to keep an event unchanged.
 * Yields to the event loop between steps.
 */
export async function rewriteAllEventTexts(
  sql: SqlStorage,
  rewrite: (texts: EventTexts) => EventTexts | null,
): Promise<void> {
  let after = '-1'
  for (;;) {
    const last = rewriteEventTextsStep(sql, after, rewrite)
    if (last === null) return
    after = last
    await yieldToEventLoop()
  }
}

/**
 * Rewrites the texts of up to `EVENTS_PER_STEP` events after the document id `after`. Returns the id of the last of
 * these events; null if there are none.
 */
export function rewriteEventTextsStep(
  sql: SqlStorage,
  after: string,
  rewrite: (texts: EventTexts) => EventTexts | null,
): string | null {
  const rows = sql
    .exec<EventTextsRow>(
      `SELECT CAST(doc AS TEXT) AS doc, title, own_title, moments, labels FROM events
       WHERE doc > CAST(?1 AS INTEGER) ORDER BY doc LIMIT ${EVENTS_PER_STEP}`,
      after,
    )
    .toArray()
  for (const row of rows) {
    const sentences = row.moments === null ? null : (parseJsonAs(lenientStrings, row.moments) ?? [])
    const { title, own_title, labels } = row
    const texts = rewrite({ title, own_title, sentences, values: parseJsonAs(lenientStrings, labels) ?? [] })
    if (texts !== null) storeEventTexts(sql, row.doc, texts)
  }
  return rows.at(-1)?.doc ?? null
}

function storeEventTexts(sql: SqlStorage, doc: string, { title, own_title, sentences, values }: EventTexts): void {
  sql.exec(
    `UPDATE events SET title = ?2, own_title = ?3, moments = ?4, labels = ?5, label_index = ?6
     WHERE doc = CAST(?1 AS INTEGER)`,
    doc,
    title,
    own_title,
    sentences && JSON.stringify(sentences),
    JSON.stringify(values),
    joinIndexEntries(values),
  )
}
