import type { SqlStorage } from '@cloudflare/workers-types'
import type { StoredAnalyticsEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { UtcSpan } from '../utc-days.ts'
import type { CountedEvent } from './event-counts.ts'

/**
 * Tables of `Insights`. `at` is the time of the event, `session` the start of the browser's session, both ms UTC. The
 * table has no index, so that each event is one written row. The archive `all` has the tables of earlier versions.
 */
export const INSIGHTS_SCHEMA = [
  `
  CREATE TABLE events (
    id TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, session INTEGER NOT NULL, device TEXT NOT NULL,
    user TEXT NOT NULL, route TEXT NOT NULL, build TEXT NOT NULL, props TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE self (
    name TEXT NOT NULL, day INTEGER NOT NULL, listed_rate INTEGER NOT NULL, left_out INTEGER NOT NULL
  );
  `,
]

/** Maximum number of events stored per object; further events are only counted. */
export const MAX_EVENTS_PER_OBJECT = 100_000
/** Number of events that a scan reads before it yields to the event loop. Reading them takes a few milliseconds. */
const EVENTS_PER_CHUNK = 4000
/** Maximum number of expired rows that one transaction deletes. */
const DELETE_BATCH_SIZE = 1000

const EVENT_FIELDS = ['id', 'type', 'at', 'session', 'device', 'user', 'route', 'build'] as const

export interface AddedEvents {
  readonly added: number
  /** Number of new events beyond `room`. */
  readonly leftOut: number
  /** Number of rows of tables and indexes that the storage charges for. */
  readonly rowsWritten: number
}

/** Stores at most `room` new events. Ignores events whose id is already stored. */
export function addEvents(sql: SqlStorage, events: readonly StoredAnalyticsEvent[], room: number): AddedEvents {
  const eventsJson = JSON.stringify(events)
  const isNew = `NOT EXISTS (SELECT 1 FROM events AS stored WHERE stored.id = sent.value ->> 'id')`
  const { newCount } = sql
    .exec<{ newCount: number }>(
      `SELECT count(DISTINCT sent.value ->> 'id') AS newCount FROM json_each(?) AS sent WHERE ${isNew}`,
      eventsJson,
    )
    .one()
  const insertion = sql.exec(
    `INSERT INTO events (id, type, at, session, device, user, route, build, props)
     SELECT ${EVENT_FIELDS.map((name) => `sent.value ->> '${name}'`).join(', ')}, sent.value -> 'props'
     FROM json_each(?1) AS sent WHERE ${isNew} LIMIT ?2 ON CONFLICT DO NOTHING RETURNING 1`,
    eventsJson,
    room,
  )
  const added = insertion.toArray().length
  return { added, leftOut: newCount - added, rowsWritten: insertion.rowsWritten }
}

export const countEvents = (sql: SqlStorage): number =>
  sql.exec<{ n: number }>('SELECT count(*) AS n FROM events').one().n

type EventRow = Record<'id' | 'type' | 'device' | 'user' | 'route' | 'props', string> & { at: number; session: number }

/**
 * Calls `visit` for each event of a span, in any order. Yields between chunks, so that the Durable Object can serve
 * other requests. Events that arrive meanwhile may be missing.
 */
export async function scanEvents(
  sql: SqlStorage,
  { from, to }: UtcSpan,
  visit: (event: CountedEvent) => void,
): Promise<void> {
  for (let lastId: string | null = ''; lastId !== null;) {
    await yieldToEventLoop()
    const rows: EventRow[] = sql
      .exec<EventRow>(
        `SELECT id, type, at, session, device, user, route, props FROM events WHERE id > ? ORDER BY id
         LIMIT ${EVENTS_PER_CHUNK}`,
        lastId,
      )
      .toArray()
    for (const row of rows) if (row.at >= from && row.at < to) visit(row)
    lastId = rows.length < EVENTS_PER_CHUNK ? null : (rows.at(-1)?.id ?? null)
  }
}

/** Returns true if the span contains an event. Reads few rows of an archive, which has an index of times. */
export const hasEvents = (sql: SqlStorage, { from, to }: UtcSpan): boolean =>
  sql.exec('SELECT 1 FROM events WHERE at >= ? AND at < ? LIMIT 1', from, to).toArray().length > 0

/** Returns the time of the oldest event in ms UTC, or null if there is no event. */
export function getOldestEventTime(sql: SqlStorage): number | null {
  return sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM events').one().at
}

/** Deletes at most `DELETE_BATCH_SIZE` events that are older than `before` (ms UTC) and returns their number. */
export function deleteEventsBefore(sql: SqlStorage, before: number): number {
  const query = 'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ? LIMIT ?) RETURNING 1'
  return sql.exec(query, before, DELETE_BATCH_SIZE).toArray().length
}

/** Deletes at most `DELETE_BATCH_SIZE` events of an account and returns their number. */
export function deleteUserEvents(sql: SqlStorage, user: string): number {
  const query = `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE user = ? AND user <> '' LIMIT ?) RETURNING 1`
  return sql.exec(query, user, DELETE_BATCH_SIZE).toArray().length
}
