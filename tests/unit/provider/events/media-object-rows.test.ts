import { expect, test } from 'vitest'
import { insertEvent } from '../../../../provider/events/event-rows.ts'
import { recordClipLengths } from '../../../../provider/events/export/data-export-rows.ts'
import {
  deleteQueuedBatches,
  listUnusedObjects,
  MAX_OBJECTS_PER_BATCH,
  MEDIA_OBJECTS_SCHEMA_STEP,
  queueObjectDeletion,
  readQueuedObjects,
} from '../../../../provider/events/media-object-rows.ts'
import { HOME_SCHEMA } from '../../../../provider/homes/home-schema.ts'
import { openHomeSql } from '../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../support/home.ts'

const NOW = 1_790_000_000_000
const EARLIER_STEPS = HOME_SCHEMA.indexOf(MEDIA_OBJECTS_SCHEMA_STEP)

/** Objects of events whose keys are easily confused: names with wildcards, parts of others, shared and foreign names. */
const USED = [
  ['e_1', 'h/home/clip/e_1.mp4', 'h/home/thumb/e_1.jpg'],
  ['e%', 'h/home/clip/e%.mp4', null],
  ['1', 'h/home/clip/e_1x.mp4', 'h/home/thumb/other.jpg'],
  ['demo_1', 'demo/clip/walk.mp4', 'demo/thumb/walk.jpg'],
  ['demo_2', 'demo/clip/walk.mp4', 'demo/thumb/walk.jpg'],
  ['walk', 'demo/clip/walk.mp4', null],
  ['shares', 'h/home/clip/e_1.mp4', null],
] as const
const UNUSED = [
  'h/home/clip/ex1.mp4',
  'h/home/clip/1.mp4',
  'h/home/clip/e_1.jpg',
  'h/home/thumb/e_1.mp4',
  'h/other/clip/e_1.mp4',
  'h/home/clip/demo_1.mp4',
  'demo/clip/e_1.mp4',
  'e_1',
  '',
]

function openHome() {
  const { sql } = openHomeSql()
  for (const [id, clip_object, thumb_object] of USED)
    insertEvent(sql, createBridgeEvent('door', id, { event_ts: NOW, clip_object, thumb_object }))
  return sql
}

test('an object is in use exactly if an event names it, whatever its name is', () => {
  const used = USED.flatMap(([, clip, thumb]) => [clip, thumb]).filter((object) => object !== null)
  expect(listUnusedObjects(openHome(), [...used, ...UNUSED])).toEqual(UNUSED)
})

test('the length of a clip is recorded for each of its events', () => {
  const sql = openHome()
  recordClipLengths(sql, [
    { key: 'h/home/clip/e_1.mp4', size: 5 },
    { key: 'demo/clip/walk.mp4', size: 7 },
    { key: 'h/home/clip/1.mp4', size: 9 },
  ])
  const rows = sql.exec<{ event_id: string; clip_bytes: number | null }>('SELECT event_id, clip_bytes FROM events')
  expect(Object.fromEntries(rows.toArray().map(({ event_id, clip_bytes }) => [event_id, clip_bytes]))).toEqual({
    e_1: 5,
    'e%': null,
    1: null,
    demo_1: 7,
    demo_2: 7,
    walk: 7,
    shares: 5,
  })
})

test('queued objects are read in bounded steps, and those that an event uses stay', () => {
  const sql = openHome()
  const many = Array.from({ length: 2 * MAX_OBJECTS_PER_BATCH + 1 }, (_, n) => `h/home/clip/many_${n}.mp4`)
  queueObjectDeletion(sql, ['h/home/clip/e_1.mp4', 'demo/clip/unused.mp4', 'h/home/clip/unused.mp4'])
  queueObjectDeletion(sql, many)
  const deleted: (readonly string[])[] = []
  for (let hasMore = true; hasMore;) {
    const queued = readQueuedObjects(sql)
    deleted.push(queued.unused)
    if (queued.lastBatch !== null) deleteQueuedBatches(sql, queued.lastBatch)
    hasMore = queued.hasMore
  }
  expect(deleted.flat()).toEqual(['h/home/clip/unused.mp4', ...many])
  expect(Math.max(...deleted.map(({ length }) => length))).toBeLessThanOrEqual(2 * MAX_OBJECTS_PER_BATCH)
  expect(readQueuedObjects(sql)).toEqual({ unused: [], lastBatch: null, hasMore: false })
})

test('the upgrade of an earlier home keeps its queue, its upload grants and their daily total', () => {
  const { sql, runScript } = openHomeSql(EARLIER_STEPS)
  const doomed = Array.from({ length: MAX_OBJECTS_PER_BATCH + 50 }, (_, n) => `h/home/clip/doomed_${n}.mp4`)
  const granted = Array.from({ length: 120 }, (_, n) => `h/home/thumb/granted_${n}.jpg`)
  sql.exec('INSERT INTO doomed_objects SELECT value FROM json_each(?)', JSON.stringify(doomed))
  sql.exec('INSERT INTO granted_objects SELECT value, ?, 10 FROM json_each(?)', NOW, JSON.stringify(granted))
  sql.exec('INSERT INTO granted_bytes VALUES (20000, 1), (20001, 1200)')
  for (const step of HOME_SCHEMA.slice(EARLIER_STEPS)) runScript(step)
  const queued = readQueuedObjects(sql)
  expect(queued.unused.length).toBe(MAX_OBJECTS_PER_BATCH)
  deleteQueuedBatches(sql, queued.lastBatch ?? 0)
  expect([...queued.unused, ...readQueuedObjects(sql).unused].toSorted()).toEqual(doomed.toSorted())
  const batches = sql.exec<{ day: number; day_bytes: number; grants: string }>(
    'SELECT day, day_bytes, grants FROM upload_batches ORDER BY batch',
  )
  const rows = batches.toArray()
  const grants = rows.flatMap((row) => Object.entries(JSON.parse(row.grants) as object))
  expect(grants.toSorted()).toEqual(granted.map((object) => [object, [10, NOW]]).toSorted())
  expect(rows.at(-1)).toEqual({ day: 20001, day_bytes: 1200, grants: '{}' })
})

test('an upgrade without a queue and grants adds no rows', () => {
  const { sql, runScript } = openHomeSql(EARLIER_STEPS)
  for (const step of HOME_SCHEMA.slice(EARLIER_STEPS)) runScript(step)
  for (const table of ['doomed_batches', 'upload_batches'])
    expect(sql.exec(`SELECT * FROM ${table}`).toArray()).toEqual([])
})
