import type { SqlStorage } from '@cloudflare/workers-types'
import type { MeasuredEvent } from '../../contract/telemetry.ts'

/** Tables of `Insights`. `at` and `session` in ms UTC; `user` is '' for somebody who is not signed in; `props` is JSON. */
export const INSIGHTS_SCHEMA = [
  `
  CREATE TABLE events (
    id TEXT PRIMARY KEY, type TEXT NOT NULL, at INTEGER NOT NULL, session INTEGER NOT NULL, device TEXT NOT NULL,
    user TEXT NOT NULL, route TEXT NOT NULL, build TEXT NOT NULL, props TEXT NOT NULL
  );
  CREATE INDEX events_type ON events (type, at);
  CREATE INDEX events_at ON events (at);
  CREATE INDEX events_user ON events (user) WHERE user <> '';
  `,
]

/** How long an event is kept. */
export const KEEP_MS = 90 * 86_400_000
/** Events that are kept; those that came first go. */
const ROWS_MAX = 2_000_000
/** Old rows that one batch deletes at most: twice what it may bring, so that they never pile up. */
const DROPPED_MAX = 1000
/** How often what is too old goes by itself. */
export const SWEEP_MS = 86_400_000

/** Adds what is not there yet and answers how many that were; old rows make room. `now` and times in ms UTC. */
export function addEvents(sql: SqlStorage, events: readonly MeasuredEvent[], now: number): number {
  const added = sql
    .exec(
      `INSERT INTO events (id, type, at, session, device, user, route, build, props)
       SELECT value ->> 'id', value ->> 'type', value ->> 'at', value ->> 'session', value ->> 'device', value ->> 'user',
         value ->> 'route', value ->> 'build', value -> 'props' FROM json_each(?1)
       WHERE value ->> 'at' >= ?2 ON CONFLICT DO NOTHING RETURNING 1`,
      JSON.stringify(events),
      now - KEEP_MS,
    )
    .toArray().length
  dropOldEvents(sql, now)
  dropAbove(sql, ROWS_MAX)
  return added
}

/** Deletes events that are too old, `DROPPED_MAX` at most; answers how many. */
export function dropOldEvents(sql: SqlStorage, now: number): number {
  return sql
    .exec(
      'DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE at < ? ORDER BY at LIMIT ?) RETURNING 1',
      now - KEEP_MS,
      DROPPED_MAX,
    )
    .toArray().length
}

/** Keeps the `max` events that came last: rows are numbered as they come, so that nothing has to be counted. */
export function dropAbove(sql: SqlStorage, max: number): void {
  sql.exec('DELETE FROM events WHERE rowid <= (SELECT max(rowid) FROM events) - ?', max)
}

/** When the oldest event was, null without one. */
export function oldestEvent(sql: SqlStorage): number | null {
  return sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM events').one().at
}

export function forgetUser(sql: SqlStorage, user: string): void {
  sql.exec("DELETE FROM events WHERE user = ? AND user <> ''", user)
}
