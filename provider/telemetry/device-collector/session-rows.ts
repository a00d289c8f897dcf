import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { parseJsonAs } from '../../../contract/wire/lenient-parse.ts'
import { deviceFacts, type CollectorSession } from '../../../contract/telemetry/device-collector.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

/**
 * Retention of a session after its last request (OPEN-99). Beyond `MAX_SESSIONS`, the least recently seen sessions are
 * deleted first.
 */
const RETENTION_MS = 24 * HOUR_MS
const MAX_SESSIONS = 20_000
const LIST_LIMIT = 1000

/**
 * Prepares a statement that deletes the sessions that have expired at `now` (ms UTC) and, beyond `MAX_SESSIONS` - 1,
 * the least recently seen sessions. This leaves room for one new session.
 */
const prepareCleanup = (db: D1Database, now: number): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM collector_sessions WHERE seen_at < ?1 OR session IN
       (SELECT session FROM collector_sessions ORDER BY seen_at DESC LIMIT -1 OFFSET ?2)`,
    )
    .bind(now - RETENTION_MS, MAX_SESSIONS - 1)

/**
 * Stores a session, and returns true if it is new. `previous`: id of the browser's earlier session, or empty. Once
 * stored, a previous id never changes. `now` in ms UTC.
 */
export async function startSession(db: D1Database, session: string, previous: string, now: number): Promise<boolean> {
  const [, existing] = await db.batch([
    prepareCleanup(db, now),
    db.prepare('SELECT 1 FROM collector_sessions WHERE session = ?1').bind(session),
    db
      .prepare(
        `INSERT INTO collector_sessions (session, previous, begun_at, seen_at, left_at, facts) VALUES (?1, ?2, ?3, ?3, NULL, '')
         ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at,
         previous = CASE previous WHEN '' THEN excluded.previous ELSE previous END`,
      )
      .bind(session, previous, now),
  ])
  return existing?.results.length === 0
}

/** Stores device facts. Recreates an expired session, because a browser starts each session only once. */
export async function storeFacts(db: D1Database, session: string, facts: object, now: number): Promise<void> {
  await db.batch([
    prepareCleanup(db, now),
    db
      .prepare(
        `INSERT INTO collector_sessions (session, previous, begun_at, seen_at, left_at, facts) VALUES (?1, '', ?2, ?2, NULL, ?3)
         ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at, facts = excluded.facts`,
      )
      .bind(session, now, JSON.stringify(facts)),
  ])
}

/** Records that the browser left a page of the session. Ignores unknown sessions. */
export async function recordPageLeave(db: D1Database, session: string, now: number): Promise<void> {
  await db
    .prepare('UPDATE collector_sessions SET left_at = ?2, seen_at = ?2 WHERE session = ?1')
    .bind(session, now)
    .run()
}

type SessionRow = Omit<CollectorSession, 'facts'> & { readonly facts: string }

/**
 * Returns at most `LIST_LIMIT` sessions of the last 24 hours, or only the session with this id, most recently seen
 * first. `total`: number of all matching sessions.
 */
export async function listSessions(
  db: D1Database,
  session: string | undefined,
  now: number,
): Promise<{ sessions: CollectorSession[]; total: number }> {
  await prepareCleanup(db, now).run()
  const filter = session === undefined ? '' : ' WHERE session = ?1'
  const prepareQuery = (sql: string) => (session === undefined ? db.prepare(sql) : db.prepare(sql).bind(session))
  const [page, total] = await Promise.all([
    prepareQuery(`SELECT session, previous, begun_at, seen_at, left_at, facts FROM collector_sessions${filter}
         ORDER BY seen_at DESC, session LIMIT ${LIST_LIMIT}`).all<SessionRow>(),
    prepareQuery(`SELECT count(*) AS total FROM collector_sessions${filter}`).first<number>('total'),
  ])
  const sessions = page.results.map((row) => ({ ...row, facts: parseJsonAs(deviceFacts, row.facts) }))
  return { sessions, total: total ?? 0 }
}
