import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { expect, test } from 'vitest'
import { EVENT_RESTORE_MS } from '../../../../../contract/events/timeline.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../contract/time-units.ts'
import type { Entitlement } from '../../../../../provider/billing/plans/entitlements.ts'
import { toEventVisibility } from '../../../../../provider/billing/plans/event-visibility.ts'
import type { Env } from '../../../../../provider/env.ts'
import { listEvents } from '../../../../../provider/events/event-list-rows.ts'
import { findDetections, findClipObject, insertEvent } from '../../../../../provider/events/event-rows.ts'
import { putExport } from '../../../../../provider/events/export/clip-export-rows.ts'
import {
  findNextRetentionTime,
  getRetentionInterval,
  runRetentionStep,
} from '../../../../../provider/events/retention/retention-step.ts'
import {
  recordRetentionPeriods,
  SOFT_DELETE_PERIOD_MS,
} from '../../../../../provider/events/retention/retention-period-rows.ts'
import { BATCH_ROWS, TOMBSTONE_RETENTION_MS } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { writeLimits } from '../../../../../provider/events/storage/storage-rows.ts'
import { findThumbnail } from '../../../../../provider/events/thumbnail-rows.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const NOW = 20_000 * DAY_MS
const EVENT_INTERVAL_MS = 36 * MINUTE_MS
const KEPT_DAYS = 1
const DISK = {} as NonNullable<Env['DISK']>
const entitlements: ReadonlyMap<string, Entitlement> = new Map([
  ['door', { plan: 'unlimited', keepsDays: KEPT_DAYS } as unknown as Entitlement],
])

type Home = ReturnType<typeof openHomeSql>

/** Fake R2 bucket, because a unit test has no storage. */
const createBucket = (stored: Set<string>) =>
  ({
    head: () => Promise.resolve(null),
    delete: (keys: string[]) => Promise.resolve(keys.forEach((key) => stored.delete(key))),
  }) as unknown as R2Bucket

/** Runs the steps of an alarm. Returns the number of rows that each step has deleted. */
async function runAlarm({ sql, transaction }: Home, now: number, stored = new Set<string>()): Promise<number[]> {
  const context = { sql, media: createBucket(stored), atomically: (work: () => void) => transaction(work) }
  const deleted: number[] = []
  for (let hasMore = true; hasMore;) {
    const before = countRows(sql)
    hasMore = await runRetentionStep(context, { id: 'home', entitlements, limit: null }, now)
    deleted.push(before - countRows(sql))
  }
  return deleted
}

const countRows = (sql: SqlStorage) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM events').one().n
const findNextTime = (sql: SqlStorage, now: number) => findNextRetentionTime(sql, now, getRetentionInterval(sql, {}))

function addEvent(sql: SqlStorage, event_ts: number): string {
  const event_id = `e${event_ts}`
  const [clip_object, thumb_object] = [`h/home/clip/${event_id}.mp4`, `h/home/thumb/${event_id}.jpg`]
  const found = [{ kind: 'person', boxes: [[0, 0, 0, 1, 1]] }] as never
  insertEvent(sql, createBridgeEvent('door', event_id, { event_ts, clip_object, thumb_object, found }), 10)
  return event_id
}

/** Returns which calls reveal an event at a time: the list, its clip, its thumbnail and its detections. */
async function listRevealing(sql: SqlStorage, eventId: string, now: number): Promise<string[]> {
  const visibility = toEventVisibility(entitlements, now)
  const all = { device_id_list: [], event_tag_list: [], event_value_list: [], count: 10_000, free: false }
  const list = await listEvents(sql, visibility, { ...all, begin_time: 0, end_time: now })
  const calls = {
    list: list.includes(`"${eventId}"`),
    clip: findClipObject(sql, visibility, eventId) !== null,
    thumb: findThumbnail(sql, visibility, eventId) !== null,
    detections: findDetections(sql, visibility, eventId) !== null,
  }
  return Object.entries(calls).flatMap(([name, isRevealed]) => (isRevealed ? [name] : []))
}

test('a home deletes in four steps a day, and hides an event at the moment of its expiry', async () => {
  const home = openHomeSql()
  const { sql } = home
  const stored = new Set<string>()
  recordRetentionPeriods(sql, new Map([['door', KEPT_DAYS]]), NOW - 2 * SOFT_DELETE_PERIOD_MS)
  const isDueMs = SOFT_DELETE_PERIOD_MS + KEPT_DAYS * DAY_MS
  const times = Array.from({ length: 100 }, (_, n) => NOW - isDueMs + n * EVENT_INTERVAL_MS)
  for (const time of times) stored.add(`h/home/clip/${addEvent(sql, time)}.mp4`)
  const alarms = [NOW]
  for (let at = NOW; at < NOW + 2 * DAY_MS;) {
    await runAlarm(home, at, stored)
    const oldest = Math.min(...[...stored].map((key) => Number(/\d+/.exec(key)?.[0])))
    expect(oldest).toBeGreaterThanOrEqual(at - isDueMs)
    at = findNextTime(sql, at) ?? Infinity
    alarms.push(at)
  }
  expect(alarms.map((at) => (at - NOW) / HOUR_MS)).toEqual([0, 6, 12, 18, 24, 30, 36, 42, 48])

  const at = NOW + 2 * DAY_MS
  const id = addEvent(sql, at)
  const expiry = at + KEPT_DAYS * DAY_MS
  expect(await listRevealing(sql, id, expiry)).toEqual(['list', 'clip', 'thumb', 'detections'])
  expect(await listRevealing(sql, id, expiry + 1)).toEqual([])
})

test('what a query does not hide is deleted within an hour, and on a full disk within minutes', () => {
  const { sql } = openHomeSql()
  const listIntervals = () =>
    [{}, { MEDIA_CAP_BYTES: '0' }, { MEDIA_CAP_BYTES: '9' }, { DISK }].map((env) => getRetentionInterval(sql, env))
  expect(listIntervals()).toEqual([6 * HOUR_MS, 6 * HOUR_MS, HOUR_MS, 5 * MINUTE_MS])
  writeLimits(sql, 'door', { max_bytes: null, max_days: 2 })
  expect(listIntervals()).toEqual([HOUR_MS, HOUR_MS, HOUR_MS, 5 * MINUTE_MS])
  writeLimits(sql, 'door', { max_bytes: null, max_days: null })
  expect(listIntervals()).toEqual([6 * HOUR_MS, 6 * HOUR_MS, HOUR_MS, 5 * MINUTE_MS])
})

test('a step runs when an archive, or the time to undo a deletion, ends', async () => {
  const home = openHomeSql()
  const { sql } = home
  expect(findNextTime(sql, NOW)).toBeNull()
  putExport(sql, 'archive', 'user', '[]', NOW - DAY_MS + MINUTE_MS)
  expect(findNextTime(sql, NOW)).toBe(NOW + MINUTE_MS)
  await runAlarm(home, NOW + MINUTE_MS - 1)
  expect(findNextTime(sql, NOW)).toBe(NOW + MINUTE_MS)
  await runAlarm(home, NOW + MINUTE_MS)
  expect(findNextTime(sql, NOW)).toBeNull()
  addEvent(sql, NOW)
  sql.exec("UPDATE events SET gone = 'deleted', gone_at = ?", NOW)
  expect(findNextTime(sql, NOW + 1)).toBe(NOW + EVENT_RESTORE_MS)
})

test('one alarm deletes all old tombstones of a camera, in bounded steps', async () => {
  const home = openHomeSql()
  const { sql, transaction } = home
  transaction(() => {
    for (let n = 0; n < 3 * BATCH_ROWS; n += 1) addEvent(sql, NOW - 2 * TOMBSTONE_RETENTION_MS + n)
  })
  sql.exec("UPDATE events SET gone = 'expired', gone_at = ?", NOW - TOMBSTONE_RETENTION_MS - 1)
  const deleted = await runAlarm(home, NOW)
  expect(countRows(sql)).toBe(0)
  expect(Math.max(...deleted)).toBeLessThanOrEqual(BATCH_ROWS)
})
