import type { SqlStorage } from '@cloudflare/workers-types'
import { DAY_MS } from '../../contract/time-units.ts'
import { firstDocumentIdSql } from './index-columns.ts'
import { createCountedClipSql } from './storage/storage-rows.ts'

/**
 * The counters of days (`event_days`, `clip_storage`) contain only days before `counted_days.before_day`. The events of
 * later days are counted when a query needs them, because a counter would cost a written row for each event.
 */
const COUNTED_BEFORE_SQL = '(SELECT before_day FROM counted_days)'

/** Days after the end of a day until its events are counted. Descriptions may arrive late. */
const DAYS_UNTIL_COUNTED = 1

const createDay = (row: string) => `${row}.event_ts / ${DAY_MS}`
const isCountedSql = (row: string) => `${createDay(row)} < ${COUNTED_BEFORE_SQL}`

const createEventDayFilter = (row: string) =>
  `device_id = ${row}.device_id AND day = ${createDay(row)} AND free = ${row}.free`
const ADD_EVENT_SQL = `INSERT INTO event_days
    SELECT NEW.device_id, ${createDay('NEW')}, NEW.free, 1, NEW.moments IS NULL WHERE NEW.gone IS NULL
    ON CONFLICT DO UPDATE SET events = events + 1, undescribed = undescribed + excluded.undescribed;`
const REMOVE_EVENT_SQL = `UPDATE event_days SET events = events - 1, undescribed = undescribed - (OLD.moments IS NULL)
    WHERE OLD.gone IS NULL AND ${createEventDayFilter('OLD')};
  DELETE FROM event_days WHERE OLD.gone IS NULL AND ${createEventDayFilter('OLD')} AND events <= 0;`
const ADD_CLIP_SQL = `INSERT INTO clip_storage
    SELECT NEW.device_id, ${createDay('NEW')}, NEW.clip_bytes, 1 WHERE ${createCountedClipSql('NEW')}
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes, clips = clips + 1;`

/** Schema step that limits the counters to the days before `counted_days.before_day` (days since 1970). */
export const COUNTED_DAYS_SCHEMA_STEP = `
  CREATE TABLE counted_days (one INTEGER PRIMARY KEY CHECK (one = 1), before_day INTEGER NOT NULL);
  INSERT INTO counted_days VALUES (1, CAST(strftime('%s', 'now') AS INTEGER) / 86400 - ${DAYS_UNTIL_COUNTED});
  DELETE FROM event_days WHERE day >= ${COUNTED_BEFORE_SQL};
  DELETE FROM clip_storage WHERE day >= ${COUNTED_BEFORE_SQL};
  DROP TRIGGER event_days_insert;
  DROP TRIGGER event_days_update;
  DROP TRIGGER event_days_delete;
  DROP TRIGGER clip_storage_update;
  CREATE TRIGGER event_days_insert AFTER INSERT ON events WHEN NEW.gone IS NULL AND ${isCountedSql('NEW')}
    BEGIN ${ADD_EVENT_SQL} END;
  CREATE TRIGGER event_days_update AFTER UPDATE OF gone, free, moments ON events
    WHEN ((OLD.gone IS NULL) <> (NEW.gone IS NULL) OR OLD.free <> NEW.free OR (OLD.moments IS NULL) <> (NEW.moments IS NULL))
      AND ${isCountedSql('NEW')}
    BEGIN ${REMOVE_EVENT_SQL} ${ADD_EVENT_SQL} END;
  CREATE TRIGGER event_days_delete AFTER DELETE ON events WHEN OLD.gone IS NULL AND ${isCountedSql('OLD')}
    BEGIN ${REMOVE_EVENT_SQL} END;
  CREATE TRIGGER clip_storage_insert AFTER INSERT ON events WHEN NEW.clip_bytes IS NOT NULL AND ${isCountedSql('NEW')}
    BEGIN ${ADD_CLIP_SQL} END;
  CREATE TRIGGER clip_storage_update AFTER UPDATE OF clip_bytes, clip_object ON events
    WHEN (OLD.clip_bytes IS NOT NEW.clip_bytes OR OLD.clip_object IS NOT NEW.clip_object) AND ${isCountedSql('NEW')} BEGIN
    UPDATE clip_storage SET bytes = bytes - OLD.clip_bytes, clips = clips - 1
      WHERE ${createCountedClipSql('OLD')} AND device_id = OLD.device_id AND day = ${createDay('OLD')};
    ${ADD_CLIP_SQL}
    DELETE FROM clip_storage WHERE device_id = OLD.device_id AND day = ${createDay('OLD')} AND clips <= 0;
  END;
`

/** SQL condition: the event does not become a tombstone. `removeFromCounters` counts tombstones per batch. */
const STAYS_SQL = "coalesce(NEW.gone, 'deleted') = 'deleted'"

/** Schema step that writes the counters of a camera's day once for all events that a retention step deletes. */
export const BATCH_COUNTERS_SCHEMA_STEP = `
  DROP TRIGGER event_days_update;
  DROP TRIGGER clip_storage_update;
  CREATE TRIGGER event_days_update AFTER UPDATE OF gone, free, moments ON events
    WHEN ((OLD.gone IS NULL) <> (NEW.gone IS NULL) OR OLD.free <> NEW.free OR (OLD.moments IS NULL) <> (NEW.moments IS NULL))
      AND ${STAYS_SQL} AND ${isCountedSql('NEW')}
    BEGIN ${REMOVE_EVENT_SQL} ${ADD_EVENT_SQL} END;
  CREATE TRIGGER clip_storage_update AFTER UPDATE OF clip_bytes, clip_object ON events
    WHEN (OLD.clip_bytes IS NOT NEW.clip_bytes OR OLD.clip_object IS NOT NEW.clip_object)
      AND ${STAYS_SQL} AND ${isCountedSql('NEW')} BEGIN
    UPDATE clip_storage SET bytes = bytes - OLD.clip_bytes, clips = clips - 1
      WHERE ${createCountedClipSql('OLD')} AND device_id = OLD.device_id AND day = ${createDay('OLD')};
    ${ADD_CLIP_SQL}
    DELETE FROM clip_storage WHERE device_id = OLD.device_id AND day = ${createDay('OLD')} AND clips <= 0;
  END;
`

/**
 * Removes events from the counters before they become tombstones. Writes each counter once. `eventIds`: JSON array. Must
 * run in a transaction with the change of the events.
 */
export function removeFromCounters(sql: SqlStorage, eventIds: string): void {
  const select = <Row extends Record<string, string | number>>(columns: string, filter: string) =>
    sql
      .exec<Row>(
        `SELECT device_id, ${createDay('events')} AS day, count(*) AS events, ${columns} FROM events
         WHERE event_id IN (SELECT value FROM json_each(?)) AND ${filter} AND ${isCountedSql('events')}
         GROUP BY 1, 2`,
        eventIds,
      )
      .toArray()
  for (const free of [0, 1])
    for (const row of select<{ device_id: string; day: number; events: number; undescribed: number }>(
      'sum(moments IS NULL) AS undescribed',
      `gone IS NULL AND free = ${free}`,
    )) {
      const key = [row.device_id, row.day, free] as const
      const keySql = 'device_id = ?1 AND day = ?2 AND free = ?3'
      sql.exec(`DELETE FROM event_days WHERE ${keySql} AND events <= ?4`, ...key, row.events)
      sql.exec(
        `UPDATE event_days SET events = events - ?4, undescribed = undescribed - ?5 WHERE ${keySql}`,
        ...key,
        row.events,
        row.undescribed,
      )
    }
  for (const row of select<{ device_id: string; day: number; events: number; bytes: number }>(
    'sum(clip_bytes) AS bytes',
    createCountedClipSql('events'),
  )) {
    const key = [row.device_id, row.day] as const
    const keySql = 'device_id = ?1 AND day = ?2'
    sql.exec(`DELETE FROM clip_storage WHERE ${keySql} AND clips <= ?3`, ...key, row.events)
    sql.exec(
      `UPDATE clip_storage SET bytes = bytes - ?4, clips = clips - ?3 WHERE ${keySql}`,
      ...key,
      row.events,
      row.bytes,
    )
  }
}

/** Returns the first day without counters, in days since 1970. */
export const readCountedBefore = (sql: SqlStorage): number =>
  sql.exec<{ before_day: number }>('SELECT before_day FROM counted_days').one().before_day

/** Counts the events of the days that ended at least `DAYS_UNTIL_COUNTED` days ago. Must run in a transaction. */
export function countEndedDays(sql: SqlStorage, now: number): void {
  const countedBefore = readCountedBefore(sql)
  const before = Math.floor(now / DAY_MS) - DAYS_UNTIL_COUNTED
  if (before <= countedBefore) return
  const rangeSql = `doc >= ${firstDocumentIdSql('?1')} AND doc < ${firstDocumentIdSql('?2')}`
  const range = [countedBefore * DAY_MS, before * DAY_MS]
  sql.exec(
    `INSERT INTO event_days SELECT device_id, ${createDay('events')}, free, count(*), sum(moments IS NULL)
     FROM events WHERE ${rangeSql} AND gone IS NULL GROUP BY 1, 2, 3`,
    ...range,
  )
  sql.exec(
    `INSERT INTO clip_storage SELECT device_id, ${createDay('events')}, sum(clip_bytes), count(*)
     FROM events WHERE ${rangeSql} AND ${createCountedClipSql('events')} GROUP BY 1, 2`,
    ...range,
  )
  sql.exec('UPDATE counted_days SET before_day = ?', before)
}
