import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../../contract/time-units.ts'
import { countEndedDays, COUNTED_DAYS_SCHEMA_STEP } from '../../../../../provider/events/day-counters.ts'
import { attachClipToEvent, insertEvent } from '../../../../../provider/events/event-rows.ts'
import { createTombstones, tombstoneEvents } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { listStoredDays } from '../../../../../provider/events/storage/storage-rows.ts'
import { HOME_SCHEMA } from '../../../../../provider/homes/home-schema.ts'
import { insertIntoEarlierHome, openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const FIRST_DAY = 20_000
const FIRST_DAY_MS = FIRST_DAY * DAY_MS
const CAMERAS = ['door', 'yard']
type Sql = ReturnType<typeof openHomeSql>['sql']
type Operation = (sql: Sql) => void

const arbitraryId = fc.constantFrom('e0', 'e1', 'e2', 'e3', 'e4', 'e5')
const arbitraryCamera = fc.constantFrom(...CAMERAS)
const arbitraryTime = fc.integer({ min: 0, max: 100 }).map((hours) => FIRST_DAY_MS + hours * HOUR_MS)
const arbitraryBytes = fc.option(fc.integer({ min: 1, max: 9 }))
const arbitraryClip = fc.constantFrom('h/a/clip/x.mp4', 'demo/clip/x.mp4', null)

const arbitraryOperation = fc.oneof(
  { arbitrary: fc.tuple(arbitraryId, arbitraryCamera, arbitraryTime, arbitraryClip, arbitraryBytes), weight: 4 },
  fc.tuple(arbitraryId, arbitraryCamera, arbitraryBytes),
  arbitraryId,
  fc.constant('count' as const),
)

function run(sql: Sql, operation: unknown, n: number): void {
  if (operation === 'count') return countEndedDays(sql, FIRST_DAY_MS + (n % 6) * DAY_MS)
  if (typeof operation === 'string') {
    if (n % 3 === 0) {
      createTombstones(sql, 'full', JSON.stringify(['e0', 'e1', 'e2', operation]), FIRST_DAY_MS)
      return
    }
    tombstoneEvents(sql, [{ devices: CAMERAS, since: 0, free: false }], [operation], FIRST_DAY_MS)
    if (n % 2 === 0) createTombstones(sql, 'deleted', JSON.stringify([operation]), FIRST_DAY_MS)
    return
  }
  const values = operation as [string, string, number | null, (string | null)?, (number | null)?]
  const [event_id, device_id, third, clip_object = null, bytes = null] = values
  if (values.length === 5)
    insertEvent(sql, createBridgeEvent(device_id, event_id, { event_ts: third ?? 0, clip_object }), bytes)
  else {
    const clip = { event_id, device_id, clip_object: 'h/a/clip/y.mp4', thumb_object: null, event_resources: [] }
    attachClipToEvent(sql, clip, third)
  }
}

const sumClips = (sql: Sql, device: string) =>
  sql
    .exec(
      `SELECT event_ts / ${DAY_MS} AS day, sum(clip_bytes) AS bytes, count(*) AS clips FROM events
       WHERE device_id = ? AND clip_bytes IS NOT NULL AND clip_object GLOB 'h/*' GROUP BY 1 ORDER BY 1 DESC`,
      device,
    )
    .toArray()

const expectExact = (sql: Sql) => {
  for (const camera of CAMERAS) expect(listStoredDays(sql, camera)).toEqual(sumClips(sql, camera))
}

test('the stored bytes of each day are exact after any sequence of changes, also of counted days', () => {
  fc.assert(
    fc.property(fc.array(arbitraryOperation, { maxLength: 25 }), (operations) => {
      const { sql } = openHomeSql()
      sql.exec('UPDATE counted_days SET before_day = ?', FIRST_DAY)
      for (const [n, operation] of operations.entries()) {
        run(sql, operation, n)
        expectExact(sql)
      }
    }),
    { numRuns: 150 },
  )
})

test('a day is counted once, a day after its end, and an event of a later day writes no counter', () => {
  const { sql } = openHomeSql()
  sql.exec('UPDATE counted_days SET before_day = ?', FIRST_DAY)
  const listDays = (): unknown[] => sql.exec<{ day: number }>('SELECT day FROM clip_storage').toArray()
  const add: Operation = (home) =>
    void insertEvent(
      home,
      createBridgeEvent('door', 'e0', { event_ts: FIRST_DAY_MS, clip_object: 'h/a/clip/e0.mp4' }),
      5,
    )
  add(sql)
  countEndedDays(sql, FIRST_DAY_MS + DAY_MS)
  expect(listDays()).toEqual([])
  for (let day = 2; day < 5; day += 1) countEndedDays(sql, FIRST_DAY_MS + day * DAY_MS)
  countEndedDays(sql, FIRST_DAY_MS)
  expect(listDays()).toEqual([{ day: FIRST_DAY }])
  expectExact(sql)
})

test('the stored bytes of an earlier home stay exact', () => {
  const before = HOME_SCHEMA.indexOf(COUNTED_DAYS_SCHEMA_STEP)
  const home = openHomeSql(before)
  const { sql, runScript } = home
  insertIntoEarlierHome(home, () => {
    for (const [n, event_ts] of [FIRST_DAY_MS, FIRST_DAY_MS + 1, Date.now() - DAY_MS, Date.now()].entries())
      insertEvent(
        sql,
        createBridgeEvent('door', `e${n}`, { event_ts, clip_object: `h/a/clip/e${n}.mp4`, event_resources: [] }),
      )
  })
  sql.exec('UPDATE events SET clip_bytes = 7')
  for (const step of HOME_SCHEMA.slice(before)) runScript(step)
  expect(sumClips(sql, 'door').length).toBeGreaterThan(1)
  expectExact(sql)
})
