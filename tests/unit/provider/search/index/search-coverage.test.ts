import fc from 'fast-check'
import { expect, test } from 'vitest'
import { insertEvent, attachClipToEvent } from '../../../../../provider/events/event-rows.ts'
import { describeEvent } from '../../../../../provider/events/description-rows.ts'
import {
  createTombstones,
  deleteOldTombstones,
  restoreTombstones,
  tombstoneEvents,
  TOMBSTONE_RETENTION_MS,
} from '../../../../../provider/events/retention/tombstone-rows.ts'
import { countEndedDays, readCountedBefore } from '../../../../../provider/events/day-counters.ts'
import { HOME_SCHEMA } from '../../../../../provider/homes/home-schema.ts'
import { countCoverage } from '../../../../../provider/search/index/search-coverage-rows.ts'
import { EVENT_DAYS_SCHEMA_STEP } from '../../../../../provider/search/index/search-schema.ts'
import { DAY_MS, HOUR_MS } from '../../../../../contract/time-units.ts'
import { insertIntoEarlierHome, openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const FIRST_DAY_MS = 20_000 * DAY_MS
const CAMERAS = ['door', 'yard']
const EVENT_IDS = ['e0', 'e1', 'e2', 'e3', 'e4', 'e5']
const VIEW = [
  { devices: ['door'], since: FIRST_DAY_MS + 5 * HOUR_MS, free: false },
  { devices: ['yard'], since: FIRST_DAY_MS, free: true },
]
type Sql = ReturnType<typeof openHomeSql>['sql']
type Operation = (sql: Sql) => void

const arbitraryTime = fc.integer({ min: 0, max: 100 }).map((hours) => FIRST_DAY_MS + hours * HOUR_MS)
const arbitraryId = fc.constantFrom(...EVENT_IDS)
const arbitraryCamera = fc.constantFrom(...CAMERAS)
/** Only paid plans show the tag 200001. */
const arbitraryTags = fc.constantFrom('4', '200001').map((tag) => [tag])
const createClip = (object: string | null) => ({
  clip_object: object,
  thumb_object: null,
  event_resources: [],
})

const arbitraryInsert = fc
  .record({
    id: arbitraryId,
    camera: arbitraryCamera,
    event_ts: arbitraryTime,
    tags: arbitraryTags,
    isDescribed: fc.boolean(),
    isUploading: fc.boolean(),
  })
  .map(({ id, camera, event_ts, tags, isDescribed, isUploading }): Operation => (sql) => {
    const moments = isDescribed ? { moments: [{ at_s: 0, text: 'A fox.' }] } : {}
    const clip = isUploading ? { ...createClip(null), clip_state: 'uploading' as const } : {}
    insertEvent(sql, createBridgeEvent(camera, id, { event_ts, tags, ...moments, ...clip }))
  })
const arbitraryClip = fc
  .record({ event_id: arbitraryId, device_id: arbitraryCamera, object: fc.constantFrom('h/a/clip/x', null) })
  .map(({ event_id, device_id, object }): Operation => (sql) => {
    attachClipToEvent(sql, { event_id, device_id, ...createClip(object) })
  })
const arbitraryDescription = fc
  .record({
    event_id: arbitraryId,
    device_id: arbitraryCamera,
    tags: arbitraryTags,
    at: arbitraryTime,
    texts: fc.constantFrom(['A cat.'], []),
  })
  .map(({ event_id, device_id, tags, at, texts }): Operation => (sql) => {
    const moments = texts.map((text) => ({ at_s: 0, text }))
    describeEvent(sql, { event_id, device_id, tags, values: [], moments, by: { kind: 'model', model: 'm', at } })
  })
const arbitraryIds = fc.uniqueArray(arbitraryId, { minLength: 1, maxLength: 3 })
const ALL_VISIBLE = [{ devices: CAMERAS, since: 0, free: false }]
const arbitraryDeletion = arbitraryIds.map((ids): Operation => (sql) => {
  tombstoneEvents(sql, ALL_VISIBLE, ids, FIRST_DAY_MS)
})
const arbitraryRestore = arbitraryIds.map((ids): Operation => (sql) => {
  restoreTombstones(sql, CAMERAS, ids, FIRST_DAY_MS)
})
const arbitraryRetention = fc.oneof(
  arbitraryIds.map((ids): Operation => (sql) => {
    createTombstones(sql, 'full', JSON.stringify(ids), FIRST_DAY_MS)
  }),
  arbitraryTime.map((cutoff): Operation => (sql) => {
    createTombstones(sql, 'expired', JSON.stringify([['door', cutoff]]), FIRST_DAY_MS)
  }),
  fc.constant<Operation>((sql) => createTombstones(sql, 'purged', FIRST_DAY_MS, FIRST_DAY_MS)),
  fc.constant<Operation>((sql) => {
    deleteOldTombstones(sql, FIRST_DAY_MS + 2 * TOMBSTONE_RETENTION_MS)
  }),
)
/** Counts the days that ended by a time around the events. Later changes of these events change the counters. */
const arbitraryCount = arbitraryTime.map(
  (time): Operation =>
    (sql) =>
      countEndedDays(sql, time + 3 * DAY_MS),
)
const arbitraryChange = fc.oneof(
  { arbitrary: arbitraryInsert, weight: 4 },
  arbitraryClip,
  arbitraryDescription,
  arbitraryDeletion,
  arbitraryRestore,
  arbitraryRetention,
)
const arbitraryChanges = fc.array(arbitraryChange, { maxLength: 25 })
const arbitraryOperations = fc.array(fc.oneof({ arbitrary: arbitraryChange, weight: 9 }, arbitraryCount), {
  maxLength: 25,
})

const listCounters = (sql: Sql) =>
  sql.exec('SELECT device_id, day, free, events, undescribed FROM event_days ORDER BY 1, 2, 3').toArray()
const countListedEvents = (sql: Sql) =>
  sql
    .exec(
      `SELECT device_id, event_ts / ${DAY_MS} AS day, free, count(*) AS events, sum(moments IS NULL) AS undescribed
       FROM events WHERE gone IS NULL AND day < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
      readCountedBefore(sql),
    )
    .toArray()

type ListedEvent = { device_id: string; event_ts: number; free: number; uploading: number; moments: string | null }

function countByReadingEvents(sql: Sql, range: { start: number; end: number }, since: number | null) {
  const all = sql
    .exec<ListedEvent>('SELECT device_id, event_ts, free, uploading, moments FROM events WHERE gone IS NULL')
    .toArray()
  const visible = all.filter(({ device_id, event_ts, free }) =>
    VIEW.some(
      (part) =>
        part.devices.includes(device_id) &&
        event_ts >= Math.max(part.since, range.start) &&
        event_ts <= range.end &&
        (!part.free || free === 1),
    ),
  )
  const searched = visible.filter(({ event_ts }) => event_ts >= (since ?? 0))
  const open = searched.filter(({ moments }) => moments === null)
  return {
    clips: visible.length,
    leftOut: visible.length - searched.length,
    arriving: open.filter(({ uploading }) => uploading === 1).length,
    expected: open.filter(({ uploading }) => uploading === 0).length,
  }
}

test('the counters of days equal the listed events after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryOperations,
      arbitraryTime,
      arbitraryTime,
      fc.option(arbitraryTime),
      async (operations, start, end, time) => {
        const { sql } = openHomeSql()
        sql.exec('UPDATE counted_days SET before_day = ?', FIRST_DAY_MS / DAY_MS)
        const since = time === null ? null : Math.min(time, end + 1)
        for (const operation of operations) operation(sql)
        expect(listCounters(sql)).toEqual(countListedEvents(sql))
        const scope = { view: VIEW, start, end, now: FIRST_DAY_MS + 3 * DAY_MS }
        const { clips, left_out, arriving, waiting, undescribed } = await countCoverage(sql, scope, since)
        const { leftOut, expected, ...counts } = countByReadingEvents(sql, { start, end }, since)
        expect({ clips, arriving, leftOut: left_out?.clips ?? 0 }).toEqual({ ...counts, leftOut })
        expect(waiting + undescribed).toBe(expected)
      },
    ),
    { numRuns: 150 },
  )
})

test('the counters of an earlier home start with its listed events, except those of the last two days', () => {
  const before = HOME_SCHEMA.indexOf(EVENT_DAYS_SCHEMA_STEP)
  const home = openHomeSql(before)
  const { sql, runScript } = home
  // The provider's statements name these tables of later steps.
  const laterTables = {
    doomed_batches: 'objects TEXT',
    counted_days: 'before_day INTEGER',
    event_days: 'device_id, day, free, events, undescribed',
  }
  for (const [table, columns] of Object.entries(laterTables)) runScript(`CREATE TABLE ${table} (${columns})`)
  insertIntoEarlierHome(home, () => {
    fc.assert(
      fc.property(arbitraryChanges, (changes) => {
        for (const change of changes) change(sql)
      }),
      { numRuns: 10 },
    )
    insertEvent(sql, createBridgeEvent('door', 'recent', { event_ts: Date.now() }))
  })
  for (const table of Object.keys(laterTables)) runScript(`DROP TABLE ${table}`)
  for (const step of HOME_SCHEMA.slice(before)) runScript(step)
  expect(listCounters(sql)).toEqual(countListedEvents(sql))
  expect(readCountedBefore(sql)).toBeGreaterThan(FIRST_DAY_MS / DAY_MS + 100)
})
