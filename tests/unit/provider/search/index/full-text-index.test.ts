import { describe, expect, test } from 'vitest'
import { createTombstones } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import { HOME_SCHEMA } from '../../../../../provider/homes/home-schema.ts'
import { searchHome } from '../../../../../provider/search/search-pipeline.ts'
import { SEARCH_SCHEMA_STEP } from '../../../../../provider/search/index/search-schema.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const EVENT_TIME_MS = 1_790_000_000_000
const CAMERAS = [{ device_id: 'door', name: 'Door' }]
const VIEW = [{ devices: ['door'], since: 0, free: false }]
type Sql = ReturnType<typeof openHomeSql>['sql']

const search = (sql: Sql, query: string) =>
  searchHome(sql, CAMERAS, { query, devices: [], tags: [], start: 0, end: 2 * EVENT_TIME_MS }, VIEW)
const findEventIds = async (sql: Sql, query: string) =>
  (await search(sql, query)).found.map(({ match }) => match.event.event_id)
const listIndexedTerms = (sql: Sql) =>
  sql.exec<{ term: string }>("SELECT DISTINCT term FROM search_words WHERE col <> 'device_id' ORDER BY term").toArray()

describe('full-text index of a home', () => {
  test('is built from the titles, values and tags of an older home', async () => {
    const { sql, runScript } = openHomeSql(HOME_SCHEMA.indexOf(SEARCH_SCHEMA_STEP))
    const insert = `INSERT INTO events (event_id, device_id, event_ts, title, tags, labels, resources, tag_index, label_index, free, reviewed, gone)
      VALUES (?, 'door', ${EVENT_TIME_MS}, ?, '["800002"]', '["Maya"]', '[]', '', '', 1, 0, ?)`
    sql.exec(insert, 'e1', 'A postman', null)
    sql.exec(insert, 'e2', 'A postman', null)
    sql.exec(insert, 'e3', 'A postman', 'deleted')
    for (const step of HOME_SCHEMA.slice(HOME_SCHEMA.indexOf(SEARCH_SCHEMA_STEP))) runScript(step)
    expect((await findEventIds(sql, 'courier')).toSorted()).toEqual(['e1', 'e2'])
    expect((await findEventIds(sql, 'Maya barking')).toSorted()).toEqual(['e1', 'e2'])
    expect((await search(sql, 'Maya')).coverage).toEqual({
      clips: 2,
      searched: 0,
      arriving: 0,
      waiting: 0,
      undescribed: 2,
    })
    insertEvent(sql, createBridgeEvent('door', 'e4', { event_ts: EVENT_TIME_MS, title: 'A postman' }))
    expect((await findEventIds(sql, 'courier')).toSorted()).toEqual(['e1', 'e2', 'e4'])
  })

  test.each(['expired', 'purged', 'full'] as const)('contains no word of an event that is %s', async (reason) => {
    const { sql } = openHomeSql()
    insertEvent(
      sql,
      createBridgeEvent('door', 'e1', {
        event_ts: EVENT_TIME_MS,
        title: 'Secret',
        moments: [{ at_s: 0, text: 'Burgundy.' }],
      }),
    )
    expect(await findEventIds(sql, 'burgundy')).toEqual(['e1'])
    if (reason === 'purged') sql.exec("UPDATE events SET gone = 'deleted', gone_at = 1")
    const limits = { full: '["e1"]', expired: JSON.stringify([['door', EVENT_TIME_MS + 1]]), purged: EVENT_TIME_MS + 1 }
    createTombstones(sql, reason, limits[reason], EVENT_TIME_MS)
    expect(listIndexedTerms(sql)).toEqual([])
    const [row] = sql.exec('SELECT title, moments, moment_times FROM events').toArray()
    expect({ ...row }).toEqual({ title: '', moments: null, moment_times: null })
  })

  test('counts each match of a query once, including matches it does not return, up to five hundred', async () => {
    const { sql } = openHomeSql()
    const addEvents = (from: number, count: number, text: string) => {
      for (let n = from; n < from + count; n++)
        insertEvent(
          sql,
          createBridgeEvent('door', `e${n}`, {
            event_ts: EVENT_TIME_MS + n,
            title: 'Visit',
            moments: [{ at_s: 0, text }],
          }),
        )
    }
    addEvents(0, 40, 'A fox.')
    addEvents(40, 30, 'A hedgehog.')
    addEvents(70, 5, 'A fox and a hedgehog.')
    const countMatches = async (query: string) => [
      (await findEventIds(sql, query)).length,
      (await search(sql, query)).total,
    ]
    expect(await countMatches('hedgehog')).toEqual([35, 35])
    expect(await countMatches('fox hedgehog')).toEqual([5, 5])
    expect(await countMatches('fox or hedgehog')).toEqual([50, 75])
    expect(await countMatches('fox hedgehog zebra')).toEqual([0, 0])
    addEvents(75, 1000, 'A gull.')
    expect(await countMatches('gull')).toEqual([50, 500])
    expect(await countMatches('gull or fox')).toEqual([50, 500])
    expect(await countMatches('gull fox')).toEqual([0, 0])
  })

  test('distinguishes many events with the same timestamp', async () => {
    const { sql, transaction } = openHomeSql()
    transaction(() => {
      for (let n = 0; n < 3000; n++)
        insertEvent(sql, createBridgeEvent('door', `e${n}`, { event_ts: EVENT_TIME_MS, title: `Number ${n}` }))
    })
    expect(await findEventIds(sql, '2999')).toEqual(['e2999'])
  })

  test('finds a rare match among very many events, and the newest of equal matches', async () => {
    const { sql, transaction } = openHomeSql()
    transaction(() => {
      for (let n = 0; n < 3000; n++)
        insertEvent(sql, createBridgeEvent('door', `e${n}`, { event_ts: EVENT_TIME_MS + n, title: 'A cat' }))
      insertEvent(sql, createBridgeEvent('door', 'rare', { event_ts: EVENT_TIME_MS - 1, title: 'A cat and an ocelot' }))
    })
    expect(await findEventIds(sql, 'cat ocelot')).toEqual(['rare'])
    expect((await findEventIds(sql, 'kitten')).slice(0, 2)).toEqual(['e2999', 'e2998'])
  })
})
