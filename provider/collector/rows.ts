import type { D1Database } from '@cloudflare/workers-types'
import { readJson } from '../../contract/tolerant.ts'
import { deviceFacts, type CollectorSession } from '../../contract/fraud.ts'

/** A session is forgotten this long after it began (OPEN-99), and beyond so many the oldest are. */
const KEEP_MS = 24 * 3_600_000
const SESSIONS_MAX = 20_000

/**
 * Begins a session, `previous` '' where the browser had none before; which one it follows may be said later. Answers whether
 * anything of it was new. `now` in ms UTC.
 */
export async function beginSession(db: D1Database, session: string, previous: string, now: number): Promise<boolean> {
  const [, begun] = await db.batch([
    db
      .prepare(
        `DELETE FROM collector_sessions WHERE begun_at < ?1 OR session IN
         (SELECT session FROM collector_sessions ORDER BY begun_at DESC LIMIT -1 OFFSET ?2)`,
      )
      .bind(now - KEEP_MS, SESSIONS_MAX - 1),
    db
      .prepare(
        `INSERT INTO collector_sessions (session, previous, begun_at, ended_at, facts) VALUES (?1, ?2, ?3, NULL, '')
         ON CONFLICT DO UPDATE SET previous = excluded.previous WHERE previous = '' AND excluded.previous <> ''`,
      )
      .bind(session, previous, now),
  ])
  return begun?.meta.changes === 1
}

/** Notes what the frame told; of a session that is not known nothing is kept. */
export async function keepFacts(db: D1Database, session: string, facts: object): Promise<void> {
  const text = JSON.stringify(facts)
  await db.prepare('UPDATE collector_sessions SET facts = ?2 WHERE session = ?1').bind(session, text).run()
}

/** Notes that the page of a session was left. */
export async function endSession(db: D1Database, session: string, now: number): Promise<void> {
  await db.prepare('UPDATE collector_sessions SET ended_at = ?2 WHERE session = ?1').bind(session, now).run()
}

/** The sessions of the last 24 hours, the newest first. */
export async function listSessions(db: D1Database, now: number): Promise<CollectorSession[]> {
  const { results } = await db
    .prepare(
      `SELECT session, previous, begun_at, ended_at, facts FROM collector_sessions WHERE begun_at >= ?1
       ORDER BY begun_at DESC, session LIMIT 1000`,
    )
    .bind(now - KEEP_MS)
    .all<Omit<CollectorSession, 'facts'> & { facts: string }>()
  return results.map((row) => ({ ...row, facts: readJson(deviceFacts, row.facts) }))
}
