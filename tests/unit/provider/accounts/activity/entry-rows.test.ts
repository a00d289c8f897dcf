import { DatabaseSync } from 'node:sqlite'
import type { SqlStorage } from '@cloudflare/workers-types'
import { expect, test } from 'vitest'
import { ACTIVITY_COUNT_MAX, ACTIVITY_DAYS } from '../../../../../contract/account/activity.ts'
import type { ActivityEvent } from '../../../../../provider/accounts/activity/entry.ts'
import {
  ACTIVITY_SCHEMA,
  addEntry,
  deleteExpiredEntries,
  listEntries,
  ROWS_PER_HOUR_MAX,
  ACTIVITY_ROWS_MAX,
} from '../../../../../provider/accounts/activity/entry-rows.ts'
import { DAY_MS, HOUR_MS } from '../../../../../contract/time-units.ts'

const HOUR_START_MS = Math.floor(1_800_000_000_000 / HOUR_MS) * HOUR_MS

function openLog() {
  const db = new DatabaseSync(':memory:')
  for (const step of ACTIVITY_SCHEMA) db.exec(step)
  let written = 0
  const exec = (text: string, ...values: (string | number | null)[]) => {
    if (/^\s*(INSERT|UPDATE)/.test(text)) written++
    const rows = db.prepare(text).all(...values)
    return { toArray: () => rows, one: () => rows[0] }
  }
  const sql = { exec } as unknown as SqlStorage
  let entryCount = 0
  return {
    sql,
    add: (event: ActivityEvent, at: number) =>
      addEntry(
        sql,
        event,
        { device: 'Chrome on Linux', address: '203.0.113.x' },
        at,
        (entryCount++).toString(16).padStart(6, '0'),
      ),
    all: (at: number) => listEntries(sql, { kinds: null, before: null, limit: 100_000 }, at),
    written: () => written,
  }
}
const createFailedSignIn = (same: string): ActivityEvent => ({ kind: 'sign-in-refused', who: null, same })

test('a sign-in attack fills one row per network and hour, and stops writing at a maximum count', () => {
  const { add, all, written } = openLog()
  for (let n = 0; n < ACTIVITY_COUNT_MAX + 500; n++) add(createFailedSignIn('203.0.113.x'), HOUR_START_MS + n)
  expect(all(HOUR_START_MS + HOUR_MS)).toMatchObject([
    { count: ACTIVITY_COUNT_MAX, at: HOUR_START_MS, until: HOUR_START_MS + ACTIVITY_COUNT_MAX - 1 },
  ])
  expect(written()).toBe(ACTIVITY_COUNT_MAX)
  add(createFailedSignIn('203.0.113.x'), HOUR_START_MS + HOUR_MS)
  expect(all(HOUR_START_MS + HOUR_MS)).toHaveLength(2)
})

test('an attack from many networks gets a limited number of rows per hour, and the rest is counted without a source', () => {
  const { add, all } = openLog()
  for (let n = 0; n < ROWS_PER_HOUR_MAX + 300; n++) add(createFailedSignIn(`network ${n}`), HOUR_START_MS + n)
  add({ kind: 'sign-in', who: 'user_a' }, HOUR_START_MS + 1000)
  const entries = all(HOUR_START_MS + HOUR_MS)
  expect(entries.filter(({ kind }) => kind === 'sign-in')).toHaveLength(1)
  const failedSignIns = entries.filter(({ kind }) => kind === 'sign-in-refused')
  expect(failedSignIns).toHaveLength(ROWS_PER_HOUR_MAX + 1)
  expect(failedSignIns[0]).toMatchObject({ count: 300, address: '', device: '', who: null })
})

test('views within one hour are one row, and the parts of one clip count as one clip', () => {
  const { add, all } = openLog()
  const watched = { kind: 'watched', who: 'user_g', camera: 'door', same: 'user_g door' } as const
  add({ ...watched, count: 1 }, HOUR_START_MS)
  for (const part of ['one', 'one', 'two', 'two']) add({ ...watched, count: 0, clips: 1, part }, HOUR_START_MS + 5)
  add({ ...watched, count: 1 }, HOUR_START_MS + HOUR_MS - 1)
  add({ ...watched, count: 1 }, HOUR_START_MS + HOUR_MS)
  const rows = all(HOUR_START_MS + HOUR_MS).map(({ at, count, clips }) => [at - HOUR_START_MS, count, clips])
  expect(rows).toEqual([
    [HOUR_MS, 1, 0],
    [0, 2, 2],
  ])
})

test('entries are neither shown nor kept longer than 90 days', () => {
  const { sql, add, all } = openLog()
  add({ kind: 'sign-in', who: 'user_a' }, HOUR_START_MS)
  add({ kind: 'sign-out', who: 'user_a' }, HOUR_START_MS + DAY_MS)
  const end = HOUR_START_MS + ACTIVITY_DAYS * DAY_MS
  expect(all(end)).toHaveLength(2)
  expect(all(end + 1).map(({ kind }) => kind)).toEqual(['sign-out'])
  expect(deleteExpiredEntries(sql, end)).toBe(end + 1)
  expect(deleteExpiredEntries(sql, end + 1)).toBe(end + DAY_MS + 1)
  expect(deleteExpiredEntries(sql, end + DAY_MS + 1)).toBeNull()
})

test('a log has a maximum number of rows, and the oldest are deleted first', () => {
  const { add, all } = openLog()
  // Spreads the entries over the retention period so that no entry is too old and no hour exceeds `ROWS_PER_HOUR_MAX`.
  const intervalMs = (ACTIVITY_DAYS * DAY_MS) / (ACTIVITY_ROWS_MAX + 200)
  for (let n = 0; n < ACTIVITY_ROWS_MAX + 100; n++)
    add({ kind: 'camera-renamed', who: 'user_a', value: String(n) }, HOUR_START_MS + Math.floor(n * intervalMs))
  const entries = all(HOUR_START_MS + ACTIVITY_DAYS * DAY_MS)
  expect(entries).toHaveLength(ACTIVITY_ROWS_MAX)
  expect(entries.at(-1)?.value).toBe('100')
})
