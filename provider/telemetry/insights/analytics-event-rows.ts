import type { SqlStorage } from '@cloudflare/workers-types'
import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, type StoredAnalyticsEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { UTC_DAY_MS, getDayStart } from '../utc-days.ts'

/**
 * Tables of `Insights`. `at` is the time of the event, `session` the start of the browser's session, both ms UTC. The
 * columns from `metric` on are for reports; `who` is the account, or the device if signed out. `days` counts stored and
 * left-out events per day.
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
const EVENT_FIELDS = ['id', 'type', 'at', 'session', 'device', 'user', 'route', 'build'] as const
/**
 * SQL expressions of the columns that reports use, in column order. Each expression derives its value from the event
 * `told.value`.
 */
const REPORT_COLUMNS_SQL = `
  CASE told.value ->> 'type' WHEN '${AUTOMATIC_EVENTS.webVitals}' THEN told.value ->> '$.props.metric'
    WHEN '${ANALYTICS_EVENTS.firstPicture}' THEN told.value ->> 'type' END,
  CASE told.value ->> 'type' WHEN '${AUTOMATIC_EVENTS.webVitals}' THEN told.value ->> 'route' ELSE '' END,
  CASE told.value ->> 'type' WHEN '${AUTOMATIC_EVENTS.webVitals}' THEN told.value ->> '$.props.value'
    WHEN '${ANALYTICS_EVENTS.firstPicture}' THEN told.value ->> '$.props.ms' END,
  CASE told.value ->> 'type' WHEN '${AUTOMATIC_EVENTS.exposure}' THEN told.value ->> '$.props.flag' END,
  CASE told.value ->> 'type' WHEN '${AUTOMATIC_EVENTS.exposure}' THEN told.value ->> '$.props.variant' END,
  CASE told.value ->> 'user' WHEN '' THEN 'd ' || (told.value ->> 'device') ELSE 'u ' || (told.value ->> 'user') END`

export const RETENTION_MS = 90 * UTC_DAY_MS
/**
 * Maximum number of events stored per UTC day; further events are only counted. Therefore, one chunk of a report scan
 * never contains more events (chunked-scan.ts).
 */
export const MAX_EVENTS_PER_DAY = 100_000
/**
 * Maximum number of rows that one call deletes. Twice the maximum number of events in a batch, so that expired rows
 * never accumulate.
 */
const DELETE_BATCH_SIZE = 1000
export const CLEANUP_INTERVAL_MS = UTC_DAY_MS

/** Stores new events and returns their number. Also deletes expired events. `now` and event times in ms UTC. */
export function addEvents(sql: SqlStorage, events: readonly StoredAnalyticsEvent[], now: number): number {
  const days = Map.groupBy(
    events.filter(({ at }) => at >= now - RETENTION_MS),
    ({ at }) => getDayStart(at),
  )
  let added = 0
  for (const [day, dayEvents] of days) added += addToDay(sql, day, dayEvents)
  deleteExpiredEvents(sql, now)
  return added
}

function addToDay(sql: SqlStorage, day: number, events: readonly StoredAnalyticsEvent[]): number {
  const [row] = sql.exec<{ taken: number }>('SELECT taken FROM days WHERE day = ?', day).toArray()
  const eventsJson = JSON.stringify(events)
  const { fresh: newCount } = sql
    .exec<{ fresh: number }>(
      `SELECT count(DISTINCT told.value ->> 'id') AS fresh FROM json_each(?) AS told
       WHERE NOT EXISTS (SELECT 1 FROM events AS kept WHERE kept.id = told.value ->> 'id')`,
      eventsJson,
    )
    .one()
  const added = sql
    .exec(
      `INSERT INTO events (id, type, at, session, device, user, route, build, props, metric, page, value, flag, variant, who)
       SELECT ${EVENT_FIELDS.map((name) => `told.value ->> '${name}'`).join(', ')}, told.value -> 'props', ${REPORT_COLUMNS_SQL}
       FROM json_each(?1) AS told
       WHERE NOT EXISTS (SELECT 1 FROM events AS kept WHERE kept.id = told.value ->> 'id') LIMIT ?2
       ON CONFLICT DO NOTHING RETURNING 1`,
      eventsJson,
      Math.max(0, MAX_EVENTS_PER_DAY - (row?.taken ?? 0)),
    )
    .toArray().length
  sql.exec(
    `INSERT INTO days (day, taken, left_out) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET taken = taken + ?2, left_out = left_out + ?3`,
    day,
    added,
    newCount - added,
  )
  return added
}

/** Deletes expired day counts and at most `DELETE_BATCH_SIZE` expired events. Returns the number of deleted events. */
export function deleteExpiredEvents(sql: SqlStorage, now: number): number {
  sql.exec('DELETE FROM days WHERE day < ?', getDayStart(now - RETENTION_MS))
  return sql
    .exec(
      'DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE at < ? ORDER BY at LIMIT ?) RETURNING 1',
      now - RETENTION_MS,
      DELETE_BATCH_SIZE,
    )
    .toArray().length
}

/** Returns the time of the oldest event in ms UTC, or null if there is no event. */
export function getOldestEventTime(sql: SqlStorage): number | null {
  return sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM events').one().at
}

/** Deletes at most `DELETE_BATCH_SIZE` events of an account and returns their number. */
export function deleteUserEvents(sql: SqlStorage, user: string): number {
  return sql
    .exec(
      `DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE user = ? AND user <> '' LIMIT ?) RETURNING 1`,
      user,
      DELETE_BATCH_SIZE,
    )
    .toArray().length
}
