import type { SqlStorage } from '@cloudflare/workers-types'
import { ACTIVITY_COUNT_MAX, ACTIVITY_DAYS } from '../../../contract/account/activity.ts'
import type { ActivityQuery, ActivityLogEntry, ActivityEvent, ClientInfo } from './entry.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

/** Maximum number of rows in a log. If a new row exceeds it, the oldest row is deleted. */
export const ACTIVITY_ROWS_MAX = 20_000
/** Maximum number of rows per kind per hour. One additional row counts all events for which no row is left. */
export const ROWS_PER_HOUR_MAX = 120

/**
 * Table of an activity log. The column `same` contains kind, hour and grouping key. Events with an equal `same` share
 * one row; an event whose `same` is null has its own row.
 */
export const ACTIVITY_SCHEMA = [
  `
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, until INTEGER NOT NULL,
    kind TEXT NOT NULL, who TEXT, whom TEXT, camera TEXT, value TEXT NOT NULL, count INTEGER NOT NULL, clips INTEGER NOT NULL,
    bytes INTEGER NOT NULL, device TEXT NOT NULL, address TEXT NOT NULL, same TEXT UNIQUE, part TEXT
  );
  CREATE INDEX entries_kind ON entries (kind, id);
  `,
]

const RETENTION_MS = ACTIVITY_DAYS * DAY_MS

const ENTRY_COLUMNS = 'id, at, until, kind, who, whom, camera, value, count, clips, bytes, device, address'
const UNKNOWN_CLIENT: ClientInfo = { device: '', address: '' }

type CountedRow = { seq: number; count: number; clips: number; part: string | null }

/**
 * Counts an event at `now` (ms UTC) in the row of its group, or adds a row. Once the kind has `ROWS_PER_HOUR_MAX` rows
 * in this hour, counts an event that needs a new row in one shared row without actor and client info.
 */
export function addEntry(
  sql: SqlStorage,
  event: ActivityEvent,
  clientInfo: ClientInfo | null,
  now: number,
  idSuffix: string,
): void {
  const hour = Math.floor(now / HOUR_MS)
  const same = event.same === undefined ? null : `${event.kind} ${hour} ${event.same}`
  if (same !== null && countInRow(sql, same, event, now)) return
  if (countRowsOfHour(sql, event.kind, hour * HOUR_MS) < ROWS_PER_HOUR_MAX) {
    insertEntry(sql, event, clientInfo ?? UNKNOWN_CLIENT, same, now, idSuffix)
    return
  }
  const overflowKey = `${event.kind} ${hour}`
  const { kind, count, clips, bytes } = event
  const anonymousEvent = { kind, who: null, ...(count && { count }), ...(clips && { clips }), ...(bytes && { bytes }) }
  if (!countInRow(sql, overflowKey, anonymousEvent, now))
    insertEntry(sql, anonymousEvent, UNKNOWN_CLIENT, overflowKey, now, idSuffix)
}

/**
 * Counts the event in the row with key `same`; returns false if there is no such row. Leaves the row unchanged if the
 * row is at its maximum count, or if the last event in the row has the same `part`.
 */
function countInRow(sql: SqlStorage, same: string, event: ActivityEvent, now: number): boolean {
  const row = sql.exec<CountedRow>('SELECT seq, count, clips, part FROM entries WHERE same = ?', same).toArray()[0]
  if (!row) return false
  const { count = 1, clips = 0, part = null, isCounted = false } = event
  const isFull = (clips > 0 ? row.clips : row.count) >= ACTIVITY_COUNT_MAX
  if (isFull || (part !== null && part === row.part)) return true
  sql.exec(
    `UPDATE entries SET until = ?2, part = ?3, count = min(count + ?4, ${ACTIVITY_COUNT_MAX}),
       clips = min(clips + ?5, ${ACTIVITY_COUNT_MAX}) WHERE seq = ?1`,
    row.seq,
    now,
    part,
    isCounted ? 0 : count,
    isCounted ? 0 : clips,
  )
  return true
}

function countRowsOfHour(sql: SqlStorage, kind: string, from: number): number {
  return sql
    .exec<{ n: number }>('SELECT count(*) AS n FROM entries WHERE kind = ? AND id >= ?', kind, formatIdPrefix(from))
    .one().n
}

function insertEntry(
  sql: SqlStorage,
  event: ActivityEvent,
  { device, address }: ClientInfo,
  same: string | null,
  now: number,
  idSuffix: string,
): void {
  const {
    kind,
    who: actor,
    whom: target = null,
    camera = null,
    value = '',
    count = 1,
    clips = 0,
    bytes = 0,
    part = null,
  } = event
  sql.exec(
    `INSERT INTO entries (${ENTRY_COLUMNS}, same, part) VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)`,
    `${formatIdPrefix(now)}-${idSuffix}`,
    now,
    kind,
    actor,
    target,
    camera,
    value.slice(0, 300),
    Math.min(count, ACTIVITY_COUNT_MAX),
    Math.min(clips, ACTIVITY_COUNT_MAX),
    bytes,
    device,
    address,
    same,
    part,
  )
  sql.exec('DELETE FROM entries WHERE seq <= (SELECT max(seq) FROM entries) - ?', ACTIVITY_ROWS_MAX)
  deleteExpiredEntries(sql, now)
}

/** Deletes entries older than 90 days. Returns when the oldest remaining one expires, ms UTC; null if none is left. */
export function deleteExpiredEntries(sql: SqlStorage, now: number): number | null {
  sql.exec('DELETE FROM entries WHERE id < ?', formatIdPrefix(now - RETENTION_MS))
  const { oldest } = sql
    .exec<{ oldest: number | null }>('SELECT min(at) AS oldest FROM (SELECT at FROM entries ORDER BY id LIMIT 1)')
    .one()
  return oldest === null ? null : oldest + RETENTION_MS + 1
}

/**
 * Removes a user id or email (`name`) from all entries. The entries remain. An entry that loses its actor or target
 * counts no later events.
 */
export function eraseName(sql: SqlStorage, name: string): void {
  sql.exec('UPDATE entries SET who = NULL, same = NULL WHERE who = ?', name)
  sql.exec('UPDATE entries SET whom = NULL, same = NULL WHERE whom = ?', name)
  sql.exec("UPDATE entries SET value = '' WHERE value = ?", name)
}

/** Returns entries of the last 90 days, newest first. Entry ids serve as the paging cursor. */
export function listEntries(sql: SqlStorage, { kinds, before, limit }: ActivityQuery, now: number): ActivityLogEntry[] {
  type Row = ActivityLogEntry & Record<string, string | number | null>
  return sql
    .exec<Row>(
      `SELECT ${ENTRY_COLUMNS} FROM entries WHERE id >= ?1 AND (?2 IS NULL OR id < ?2)
         AND (?3 IS NULL OR kind IN (SELECT value FROM json_each(?3))) ORDER BY id DESC LIMIT ?4`,
      formatIdPrefix(now - RETENTION_MS),
      before,
      kinds && JSON.stringify(kinds),
      limit,
    )
    .toArray()
}

/** Returns the time prefix of an entry id: ms in 13 digits, so that ids sort by time. */
const formatIdPrefix = (time: number): string => String(Math.max(time, 0)).padStart(13, '0')
