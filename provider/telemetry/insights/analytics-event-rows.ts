import type { SqlStorage } from '@cloudflare/workers-types'
import { CAPTURED } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, type MeasuredEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { UTC_DAY_MS, getDayStart } from '../utc-days.ts'

/**
 * Tables of `Insights`. `at` and `session` are in ms UTC; `user` is '' if signed out; `props` is JSON. Reports use
 * separate columns: the `metric` of a `page` ('' if the page is irrelevant) with its `value`, and the `flag` and
 * `variant` that `who` saw (the account, or the device if signed out). `days` counts stored and left-out events per
 * day.
 */
export const INSIGHTS_SCHEMA = [
  `
  CREATE TABLE events (
    id TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, session INTEGER NOT NULL, device TEXT NOT NULL,
    user TEXT NOT NULL, route TEXT NOT NULL, build TEXT NOT NULL, props TEXT NOT NULL,
    metric TEXT, page TEXT NOT NULL, value REAL, flag TEXT, variant TEXT, who TEXT NOT NULL
  );
  CREATE INDEX events_at ON events (at, device, session);
  CREATE INDEX events_type ON events (type, at, device);
  CREATE INDEX events_done ON events (type, device, at);
  CREATE INDEX events_device ON events (device, at);
  CREATE INDEX events_visit ON events (device, session, at);
  CREATE INDEX events_value ON events (metric, page, value, at) WHERE metric IS NOT NULL AND value IS NOT NULL;
  CREATE INDEX events_shown ON events (flag, who, variant, at) WHERE flag IS NOT NULL;
  CREATE INDEX events_bought ON events (who, at) WHERE type = '${ANALYTICS_EVENTS.bought}';
  CREATE INDEX events_user ON events (user) WHERE user <> '';
  CREATE TABLE days (day INTEGER PRIMARY KEY, taken INTEGER NOT NULL, left_out INTEGER NOT NULL);
  `,
]

/** Top-level fields of an event, in column order. */
const FIELDS = ['id', 'type', 'at', 'session', 'device', 'user', 'route', 'build'] as const
/**
 * SQL expressions of the columns that reports count by, in column order. Each derives its value from the event
 * `told.value`.
 */
const COUNTED = `
  CASE told.value ->> 'type' WHEN '${CAPTURED.webVitals}' THEN told.value ->> '$.props.metric'
    WHEN '${ANALYTICS_EVENTS.firstPicture}' THEN told.value ->> 'type' END,
  CASE told.value ->> 'type' WHEN '${CAPTURED.webVitals}' THEN told.value ->> 'route' ELSE '' END,
  CASE told.value ->> 'type' WHEN '${CAPTURED.webVitals}' THEN told.value ->> '$.props.value'
    WHEN '${ANALYTICS_EVENTS.firstPicture}' THEN told.value ->> '$.props.ms' END,
  CASE told.value ->> 'type' WHEN '${CAPTURED.exposure}' THEN told.value ->> '$.props.flag' END,
  CASE told.value ->> 'type' WHEN '${CAPTURED.exposure}' THEN told.value ->> '$.props.variant' END,
  CASE told.value ->> 'user' WHEN '' THEN 'd ' || (told.value ->> 'device') ELSE 'u ' || (told.value ->> 'user') END`

export const KEEP_MS = 90 * UTC_DAY_MS
/**
 * Maximum number of events stored per UTC day; the rest are only counted. No day can evict another, and no step of a
 * report (`insights-report.ts`) reads more than this.
 */
export const DAY_ROWS_MAX = 100_000
/**
 * Maximum number of expired rows deleted per batch of new events: twice the maximum size of such a batch, so that
 * expired rows never pile up.
 */
const DROPPED_MAX = 1000
/** Interval of the automatic cleanup. */
export const SWEEP_MS = UTC_DAY_MS

/** Stores new events and returns their number; deletes expired rows. `now` and event times in ms UTC. */
export function addEvents(sql: SqlStorage, events: readonly MeasuredEvent[], now: number): number {
  const days = Map.groupBy(
    events.filter(({ at }) => at >= now - KEEP_MS),
    ({ at }) => getDayStart(at),
  )
  let added = 0
  for (const [day, its] of days) added += addToDay(sql, day, its)
  dropOldEvents(sql, now)
  return added
}

/** Stores events of one day until its limit is reached. Returns the number of events added. */
function addToDay(sql: SqlStorage, day: number, events: readonly MeasuredEvent[]): number {
  const [row] = sql.exec<{ taken: number }>('SELECT taken FROM days WHERE day = ?', day).toArray()
  const its = JSON.stringify(events)
  const { fresh } = sql
    .exec<{ fresh: number }>(
      `SELECT count(DISTINCT told.value ->> 'id') AS fresh FROM json_each(?) AS told
       WHERE NOT EXISTS (SELECT 1 FROM events AS kept WHERE kept.id = told.value ->> 'id')`,
      its,
    )
    .one()
  const added = sql
    .exec(
      `INSERT INTO events (id, type, at, session, device, user, route, build, props, metric, page, value, flag, variant, who)
       SELECT ${FIELDS.map((name) => `told.value ->> '${name}'`).join(', ')}, told.value -> 'props', ${COUNTED}
       FROM json_each(?1) AS told
       WHERE NOT EXISTS (SELECT 1 FROM events AS kept WHERE kept.id = told.value ->> 'id') LIMIT ?2
       ON CONFLICT DO NOTHING RETURNING 1`,
      its,
      Math.max(0, DAY_ROWS_MAX - (row?.taken ?? 0)),
    )
    .toArray().length
  sql.exec(
    `INSERT INTO days (day, taken, left_out) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET taken = taken + ?2, left_out = left_out + ?3`,
    day,
    added,
    fresh - added,
  )
  return added
}

/** Deletes at most `DROPPED_MAX` expired events and returns their number. */
export function dropOldEvents(sql: SqlStorage, now: number): number {
  sql.exec('DELETE FROM days WHERE day < ?', getDayStart(now - KEEP_MS))
  return sql
    .exec(
      'DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE at < ? ORDER BY at LIMIT ?) RETURNING 1',
      now - KEEP_MS,
      DROPPED_MAX,
    )
    .toArray().length
}

/** Returns the time of the oldest event in ms UTC; null if there is none. */
export function oldestEvent(sql: SqlStorage): number | null {
  return sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM events').one().at
}

/** Deletes at most `DROPPED_MAX` events of an account and returns their number. */
export function deleteUserEvents(sql: SqlStorage, user: string): number {
  return sql
    .exec(
      `DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE user = ? AND user <> '' LIMIT ?) RETURNING 1`,
      user,
      DROPPED_MAX,
    )
    .toArray().length
}
