import { describe, expect, test } from 'vitest'
import type { PostMomentsRequest } from '../../../../contract/bridge/event-descriptions.ts'
import { describeEvent } from '../../../../provider/events/description-rows.ts'
import { insertEvent } from '../../../../provider/events/event-rows.ts'
import { createTombstones } from '../../../../provider/events/retention/tombstone-rows.ts'
import { HOME_SCHEMA } from '../../../../provider/homes/home-schema.ts'
import { countCoverage } from '../../../../provider/search/index/search-coverage-rows.ts'
import { searchHome } from '../../../../provider/search/search-pipeline.ts'
import { DESCRIPTION_SCHEMA_STEP } from '../../../../provider/search/index/search-schema.ts'
import { insertIntoEarlierHome, openHomeSql } from '../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../support/home.ts'
import { DAY_MS, HOUR_MS } from '../../../../contract/time-units.ts'

const EVENT_TIME_MS = 1_790_000_000_000
const VIEW = [{ devices: ['door', 'yard'], since: 0, free: false }]
const CAMERAS = VIEW.flatMap(({ devices }) => devices).map((device_id) => ({ device_id, name: device_id }))
type Sql = ReturnType<typeof openHomeSql>['sql']

const findEventIds = async (sql: Sql, query: string) =>
  (await searchHome(sql, CAMERAS, { query, devices: [], tags: [], start: 0, end: 2 * EVENT_TIME_MS }, VIEW)).found.map(
    ({ match }) => match.event.event_id,
  )
const makeMoments = (
  event_id: string,
  text: string,
  at: number,
  change: Partial<PostMomentsRequest> = {},
): PostMomentsRequest => ({
  event_id,
  device_id: 'door',
  moments: [{ at_s: 1, text }],
  tags: ['4'],
  values: [],
  by: { kind: 'model', model: 'watcher', at },
  ...change,
})
const readTitle = (sql: Sql, id: string) =>
  sql.exec<{ title: string }>('SELECT title FROM events WHERE event_id = ?', id).one().title

describe('event descriptions', () => {
  const DESCRIPTIONS = [
    makeMoments('e1', 'A fox.', 1, { title: 'Fox' }),
    makeMoments('e1', 'A hedgehog.', 2, { title: 'Hedgehog', tags: ['4', '103'] }),
    makeMoments('e1', 'A badger.', 3, { values: ['pet'] }),
  ]
  test.each([
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ])('give the same result in any order: %i, %i, %i', async (...order) => {
    const { sql } = openHomeSql()
    insertEvent(sql, createBridgeEvent('door', 'e1', { event_ts: EVENT_TIME_MS, title: 'Motion' }))
    for (const n of order) describeEvent(sql, DESCRIPTIONS[n]!)
    expect(await Promise.all(['badger', 'hedgehog', 'fox'].map((word) => findEventIds(sql, word)))).toEqual([
      ['e1'],
      [],
      [],
    ])
    const [row] = sql.exec('SELECT title, tags, tag_index, labels, label_index, described_at FROM events').toArray()
    expect({ ...row }).toEqual({
      title: 'Motion',
      tags: '["4"]',
      tag_index: '\u001f4\u001f',
      described_at: 3,
      labels: '["pet"]',
      label_index: '\u001fpet\u001f',
    })
  })

  test('report whether they changed anything', () => {
    const { sql } = openHomeSql()
    insertEvent(sql, createBridgeEvent('door', 'e1', { event_ts: EVENT_TIME_MS, title: 'Motion' }))
    const description = makeMoments('e1', 'A fox.', 5)
    const answers = [
      describeEvent(sql, description),
      describeEvent(sql, description),
      describeEvent(sql, makeMoments('e1', 'A cat.', 4)),
    ]
    expect(answers).toEqual([true, false, false])
    expect(describeEvent(sql, makeMoments('e2', 'A fox.', 5))).toBeNull()
    expect(describeEvent(sql, makeMoments('e1', 'A fox.', 6, { device_id: 'yard' }))).toBeNull()
  })

  test('leave nothing behind after the event is permanently deleted', async () => {
    const { sql } = openHomeSql()
    insertEvent(sql, createBridgeEvent('door', 'e1', { event_ts: EVENT_TIME_MS, title: 'Secret' }))
    describeEvent(sql, makeMoments('e1', 'Burgundy.', 1, { title: 'Meeting' }))
    expect(await findEventIds(sql, 'burgundy')).toEqual(['e1'])
    createTombstones(sql, 'full', '["e1"]', EVENT_TIME_MS)
    const [row] = sql.exec('SELECT title, own_title, moments, described_at, described_by FROM events').toArray()
    expect({ ...row }).toEqual({ title: '', own_title: null, moments: null, described_at: null, described_by: null })
    expect(describeEvent(sql, makeMoments('e1', 'Burgundy.', 2))).toBe(false)
    expect(sql.exec("SELECT term FROM search_words WHERE col <> 'device_id'").toArray()).toEqual([])
  })

  test('apply to events stored before the migration, which keeps their moments', async () => {
    const { sql, runScript } = openHomeSql(HOME_SCHEMA.indexOf(DESCRIPTION_SCHEMA_STEP))
    const moments = [{ at_s: 0, text: 'An okapi.' }]
    insertIntoEarlierHome({ sql, runScript }, () => {
      insertEvent(sql, createBridgeEvent('door', 'e1', { event_ts: EVENT_TIME_MS, title: 'Motion', moments }))
      insertEvent(sql, createBridgeEvent('door', 'e2', { event_ts: EVENT_TIME_MS, title: 'Motion' }))
    })
    for (const step of HOME_SCHEMA.slice(HOME_SCHEMA.indexOf(DESCRIPTION_SCHEMA_STEP))) runScript(step)
    expect(await findEventIds(sql, 'okapi')).toEqual(['e1'])
    expect(describeEvent(sql, makeMoments('e2', 'A tapir.', 1, { title: 'Tapir' }))).toBe(true)
    expect([await findEventIds(sql, 'tapir'), readTitle(sql, 'e2')]).toEqual([['e2'], 'Tapir'])
    expect(describeEvent(sql, makeMoments('e1', 'A gnu.', 1))).toBe(true)
    expect([await findEventIds(sql, 'okapi'), await findEventIds(sql, 'gnu')]).toEqual([[], ['e1']])
  })
})

describe('clip waiting for its description', () => {
  const countClipCoverage = (sql: Sql, now: number, since: number | null = null) =>
    countCoverage(sql, { view: VIEW, start: 0, end: 2 * EVENT_TIME_MS, now }, since)
  /**
   * Creates a home with one clip per hour from each of two cameras. The newest clips are at `EVENT_TIME_MS`. The `door`
   * clip from ten hours earlier gets its description at `at`.
   */
  function createHome(at: number) {
    const { sql } = openHomeSql()
    for (let n = 0; n < 48; n++)
      for (const device of ['door', 'yard'])
        insertEvent(
          sql,
          createBridgeEvent(device, `${device}${n}`, { event_ts: EVENT_TIME_MS - n * HOUR_MS, tags: ['4'] }),
        )
    describeEvent(sql, makeMoments('door10', 'A fox.', at))
    return sql
  }

  test('waits for a day if its camera has a describer; other cameras’ clips do not wait', async () => {
    const sums = { clips: 96, searched: 1, arriving: 0 }
    // 25 `door` clips lie within the last day, including both ends of the day. One of them is described, so 24 are
    // waiting.
    expect(await countClipCoverage(createHome(EVENT_TIME_MS), EVENT_TIME_MS)).toEqual({
      ...sums,
      waiting: 24,
      undescribed: 71,
    })
    expect(await countClipCoverage(createHome(EVENT_TIME_MS), EVENT_TIME_MS + 6 * HOUR_MS)).toEqual({
      ...sums,
      waiting: 18,
      undescribed: 77,
    })
    expect(await countClipCoverage(createHome(EVENT_TIME_MS), EVENT_TIME_MS + 2 * DAY_MS)).toEqual({
      ...sums,
      waiting: 0,
      undescribed: 95,
    })
  })

  test('does not wait for a describer that has been silent for a week', async () => {
    expect(await countClipCoverage(createHome(EVENT_TIME_MS - 7 * DAY_MS), EVENT_TIME_MS)).toMatchObject({
      waiting: 24,
    })
    expect(await countClipCoverage(createHome(EVENT_TIME_MS - 7 * DAY_MS - 1), EVENT_TIME_MS)).toMatchObject({
      waiting: 0,
      undescribed: 95,
    })
  })

  test('is not counted before the clip arrives or outside the searched range', async () => {
    const sql = createHome(EVENT_TIME_MS)
    insertEvent(sql, createBridgeEvent('door', 'coming', { event_ts: EVENT_TIME_MS, clip_state: 'uploading' }))
    expect(await countClipCoverage(sql, EVENT_TIME_MS)).toMatchObject({
      clips: 97,
      arriving: 1,
      waiting: 24,
      undescribed: 71,
    })
    const partly = await countClipCoverage(sql, EVENT_TIME_MS, EVENT_TIME_MS - 4 * HOUR_MS)
    expect(partly).toMatchObject({ clips: 97, arriving: 1, waiting: 5, undescribed: 5, searched: 0 })
    expect(partly.left_out).toEqual({ before: EVENT_TIME_MS - 4 * HOUR_MS, clips: 86 })
  })
})
