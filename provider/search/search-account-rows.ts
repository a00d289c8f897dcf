import { createHash } from 'node:crypto'
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import * as v from 'valibot'
import type { HistoryEntry } from '../../contract/search/search-calls.ts'
import type { Env } from '../env.ts'
import { changeAccess } from '../platform/auth/change-access.ts'
import { parseJsonAs, lenientStrings } from '../../contract/wire/lenient-parse.ts'

const HISTORY_MAX = 50

/** Returns the history key of a query, which ignores case and extra spaces. */
export const toHistoryKey = (query: string) => query.trim().toLowerCase().replace(/\s+/g, ' ')

/** Returns a statement that selects one row if the account is enrolled in search. */
export const createEnrollmentStatement = (db: D1Database, userId: string): D1PreparedStatement =>
  db.prepare('SELECT 1 AS one FROM search_accounts WHERE user_id = ? AND enrolled_at IS NOT NULL').bind(userId)

/** Enrolls an account in search. The next call of the account uses the enrollment. */
export async function enrollSearchAccount(env: Env, userId: string, now: number): Promise<void> {
  const statement = env.DB.prepare(
    `INSERT INTO search_accounts (user_id, enrolled_at) VALUES (?1, ?2)
     ON CONFLICT DO UPDATE SET enrolled_at = coalesce(enrolled_at, ?2)`,
  ).bind(userId, now)
  await changeAccess(env, [userId], () => statement.run())
}

/** Adds the bits of hints that the account has seen, and returns the bits of all seen hints. */
export async function addSeenHints(db: D1Database, userId: string, state: number): Promise<number> {
  const row = await db
    .prepare(
      `INSERT INTO search_accounts (user_id, instruction_state) VALUES (?1, ?2)
       ON CONFLICT DO UPDATE SET instruction_state = instruction_state | ?2 RETURNING instruction_state AS state`,
    )
    .bind(userId, state)
    .first<{ state: number }>()
  return row?.state ?? state
}

export async function getSeenHints(db: D1Database, userId: string): Promise<number> {
  const row = await db
    .prepare('SELECT instruction_state AS state FROM search_accounts WHERE user_id = ?')
    .bind(userId)
    .first<{ state: number }>()
  return row?.state ?? 0
}

const shownEventsSchema = v.array(v.tuple([v.string(), v.array(v.string())]))
/** Ids of the events that a search returned, by home. */
export type ShownEvents = v.InferOutput<typeof shownEventsSchema>

export interface StoredSearch {
  readonly query_id: string
  readonly query: string
  readonly found: number
  readonly shown: ShownEvents
}

/**
 * Returns the id of the account's search for a query. Equal queries of an account have the same id, so the id is known
 * before the search is stored.
 */
export const createQueryId = (userId: string, query: string): string =>
  `query_${createHash('sha256')
    .update(`${userId}\n${toHistoryKey(query)}`)
    .digest('hex')
    .slice(0, 24)}`

/**
 * Puts a search at the top of the history of an account that still exists. Deletes the oldest searches beyond
 * `HISTORY_MAX`.
 */
export async function storeSearch(db: D1Database, userId: string, search: StoredSearch, now: number): Promise<void> {
  const { query_id, query, found } = search
  const put = db
    .prepare(
      `INSERT INTO search_history (user_id, query_id, query, asked, at, found, shown)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 FROM accounts WHERE user_id = ?1
       ON CONFLICT (user_id, asked) DO UPDATE SET query_id = ?2, query = ?3, at = ?5, found = ?6, shown = ?7 WHERE at <= ?5`,
    )
    .bind(userId, query_id, query, toHistoryKey(query), now, found, JSON.stringify(search.shown))
  const trim = db
    .prepare(
      `DELETE FROM search_history WHERE user_id = ?1 AND query_id IN (
         SELECT query_id FROM search_history WHERE user_id = ?1 ORDER BY at DESC, query_id LIMIT -1 OFFSET ${HISTORY_MAX})`,
    )
    .bind(userId)
  await db.batch([put, trim])
}

export async function listHistory(db: D1Database, userId: string): Promise<HistoryEntry[]> {
  const { results } = await db
    .prepare('SELECT query_id, query, at, found FROM search_history WHERE user_id = ? ORDER BY at DESC, query_id')
    .bind(userId)
    .all<HistoryEntry>()
  return results
}

/** Returns the account's queries since `since` (ms UTC), newest first. */
export async function listQueriesSince(
  db: D1Database,
  userId: string,
  since: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare('SELECT query FROM search_history WHERE user_id = ? AND at >= ? ORDER BY at DESC, query_id LIMIT ?')
    .bind(userId, since, limit)
    .all<{ query: string }>()
  return results.map(({ query }) => query)
}

/**
 * Deletes the searches with these ids from the history of an account, or the whole history if `ids` is null. Returns
 * the number of deleted searches.
 */
export async function deleteSearches(db: D1Database, userId: string, ids: readonly string[] | null): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM search_history WHERE user_id = ?1 AND (?2 IS NULL OR query_id IN (SELECT value FROM json_each(?2)))`,
    )
    .bind(userId, ids === null ? null : JSON.stringify(ids))
    .run()
  return meta.changes
}

/**
 * Returns the events that the account's last search for the query returned, or null if the history has no such search.
 */
export async function findShownEvents(db: D1Database, userId: string, query: string): Promise<ShownEvents | null> {
  const row = await db
    .prepare('SELECT shown FROM search_history WHERE user_id = ? AND asked = ?')
    .bind(userId, toHistoryKey(query))
    .first<{ shown: string }>()
  return row && (parseJsonAs(shownEventsSchema, row.shown) ?? [])
}

export interface SearchFeedbackRow {
  readonly feedback_id: string
  readonly query: string
  readonly accurate: boolean
  readonly category_id: string
  readonly message: string
  readonly homes: readonly string[]
}

export interface DeletedFeedback {
  readonly feedbackId: string
  readonly homes: string[]
}

/** Stores an account's feedback on a query. Deletes and returns the account's earlier feedback on the same query. */
export async function storeSearchFeedback(
  db: D1Database,
  userId: string,
  feedback: SearchFeedbackRow,
  now: number,
): Promise<DeletedFeedback | null> {
  const queryKey = toHistoryKey(feedback.query)
  const [deletedRows] = await db.batch<{ feedback_id: string; homes: string }>([
    db
      .prepare('DELETE FROM search_feedback WHERE user_id = ? AND asked = ? RETURNING feedback_id, homes')
      .bind(userId, queryKey),
    db
      .prepare(
        `INSERT INTO search_feedback (user_id, feedback_id, asked, at, accurate, category_id, message, homes)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(
        userId,
        feedback.feedback_id,
        queryKey,
        now,
        feedback.accurate ? 1 : 0,
        feedback.category_id,
        feedback.message,
        JSON.stringify(feedback.homes),
      ),
  ])
  return toDeletedFeedback(deletedRows?.results[0])
}

/** Deletes feedback of the account. Returns null if the account has no feedback with that id. */
export async function deleteFeedback(
  db: D1Database,
  userId: string,
  feedbackId: string,
): Promise<DeletedFeedback | null> {
  const row = await db
    .prepare('DELETE FROM search_feedback WHERE user_id = ? AND feedback_id = ? RETURNING feedback_id, homes')
    .bind(userId, feedbackId)
    .first<{ feedback_id: string; homes: string }>()
  return toDeletedFeedback(row ?? undefined)
}

function toDeletedFeedback(row: { feedback_id: string; homes: string } | undefined): DeletedFeedback | null {
  return row ? { feedbackId: row.feedback_id, homes: parseJsonAs(lenientStrings, row.homes) ?? [] } : null
}
