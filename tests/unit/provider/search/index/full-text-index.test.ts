import { describe, expect, test } from 'vitest'
import { createTombstones } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import { HOME_SCHEMA } from '../../../../../provider/homes/home-schema.ts'
import { findInHome } from '../../../../../provider/search/search-pipeline.ts'
import { SEARCH_STEP } from '../../../../../provider/search/index/search-schema.ts'
import { openSql } from '../../../../support/home-sql.ts'
import { makeEvent } from '../../../../support/home.ts'

const T = 1_790_000_000_000
const CAMERAS = [{ device_id: 'door', name: 'Door' }]
const VIEW = [{ devices: ['door'], since: 0, free: false }]
type Sql = ReturnType<typeof openSql>['sql']

const search = (sql: Sql, query: string) =>
  findInHome(sql, CAMERAS, { query, devices: [], tags: [], start: 0, end: 2 * T }, VIEW)
const found = async (sql: Sql, query: string) =>
  (await search(sql, query)).found.map(({ match }) => match.event.event_id)
const indexed = (sql: Sql) =>
  sql.exec<{ term: string }>("SELECT DISTINCT term FROM search_words WHERE col <> 'device_id' ORDER BY term").toArray()

describe('full-text index of a home', () => {
  test('is built from the titles, values and tags of an older home', async () => {
    const { sql, script } = openSql(HOME_SCHEMA.indexOf(SEARCH_STEP))
    const insert = `INSERT INTO events (event_id, device_id, event_ts, title, tags, labels, resources, tag_index, label_index, free, reviewed, gone)
      VALUES (?, 'door', ${T}, ?, '["800002"]', '["Maya"]', '[]', '', '', 1, 0, ?)`
    sql.exec(insert, 'e1', 'A postman', null)
    sql.exec(insert, 'e2', 'A postman', null)
    sql.exec(insert, 'e3', 'A postman', 'deleted')
    for (const step of HOME_SCHEMA.slice(HOME_SCHEMA.indexOf(SEARCH_STEP))) script(step)
    expect((await found(sql, 'courier')).toSorted()).toEqual(['e1', 'e2'])
    expect((await found(sql, 'Maya barking')).toSorted()).toEqual(['e1', 'e2'])
    expect((await search(sql, 'Maya')).coverage).toEqual({
      clips: 2,
      searched: 0,
      arriving: 0,
      waiting: 0,
      undescribed: 2,
    })
    insertEvent(sql, makeEvent('door', 'e4', { event_ts: T, title: 'A postman' }))
    expect((await found(sql, 'courier')).toSorted()).toEqual(['e1', 'e2', 'e4'])
  })

  test.each(['expired', 'purged', 'full'] as const)('contains no word of an event that is %s', async (reason) => {
    const { sql } = openSql()
    insertEvent(
      sql,
      makeEvent('door', 'e1', { event_ts: T, title: 'Secret', moments: [{ at_s: 0, text: 'Burgundy.' }] }),
    )
    expect(await found(sql, 'burgundy')).toEqual(['e1'])
    if (reason === 'purged') sql.exec("UPDATE events SET gone = 'deleted', gone_at = 1")
    const limits = { full: '["e1"]', expired: JSON.stringify([['door', T + 1]]), purged: T + 1 }
    createTombstones(sql, reason, limits[reason], T)
    expect(indexed(sql)).toEqual([])
    const [row] = sql.exec('SELECT title, moments, moment_times FROM events').toArray()
    expect({ ...row }).toEqual({ title: '', moments: null, moment_times: null })
  })

  test('counts each match of a query once, including matches it does not return, up to five hundred', async () => {
    const { sql } = openSql()
    const fill = (from: number, count: number, text: string) => {
      for (let n = from; n < from + count; n++)
        insertEvent(sql, makeEvent('door', `e${n}`, { event_ts: T + n, title: 'Visit', moments: [{ at_s: 0, text }] }))
    }
    fill(0, 40, 'A fox.')
    fill(40, 30, 'A hedgehog.')
    fill(70, 5, 'A fox and a hedgehog.')
    const counted = async (query: string) => [(await found(sql, query)).length, (await search(sql, query)).total]
    expect(await counted('hedgehog')).toEqual([35, 35])
    expect(await counted('fox hedgehog')).toEqual([5, 5])
    expect(await counted('fox or hedgehog')).toEqual([50, 75])
    expect(await counted('fox hedgehog zebra')).toEqual([0, 0])
    fill(75, 1000, 'A gull.')
    expect(await counted('gull')).toEqual([50, 500])
    expect(await counted('gull or fox')).toEqual([50, 500])
    expect(await counted('gull fox')).toEqual([0, 0])
  })

  test('distinguishes many events with the same timestamp', async () => {
    const { sql, transaction } = openSql()
    transaction(() => {
      for (let n = 0; n < 3000; n++) insertEvent(sql, makeEvent('door', `e${n}`, { event_ts: T, title: `Number ${n}` }))
    })
    expect(await found(sql, '2999')).toEqual(['e2999'])
  })

  test('finds a rare match among very many events, and the newest of equal matches', async () => {
    const { sql, transaction } = openSql()
    transaction(() => {
      for (let n = 0; n < 3000; n++) insertEvent(sql, makeEvent('door', `e${n}`, { event_ts: T + n, title: 'A cat' }))
      insertEvent(sql, makeEvent('door', 'rare', { event_ts: T - 1, title: 'A cat and an ocelot' }))
    })
    expect(await found(sql, 'cat ocelot')).toEqual(['rare'])
    expect((await found(sql, 'kitten')).slice(0, 2)).toEqual(['e2999', 'e2998'])
  })
})
