import type { SqlStorage } from '@cloudflare/workers-types'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { judgeAnomalies } from '../../../../provider/events/anomalies.ts'
import {
  listEventsByIds,
  findOverlappingClip,
  findUploadingClip,
  insertEvent,
} from '../../../../provider/events/event-rows.ts'
import { listEvents, MAX_STEP_ROWS } from '../../../../provider/events/event-list-rows.ts'
import { GIGABYTE } from '../../../../contract/cameras/storage-calls.ts'
import { listOverLimitEvents, previewDeletion } from '../../../../provider/events/storage/camera-limits.ts'
import { listUnmeasuredClips, writeLimits } from '../../../../provider/events/storage/storage-rows.ts'
import { buildTimeline } from '../../../../provider/events/timeline/timeline-rows.ts'
import { findSightings } from '../../../../provider/people/people-rows.ts'
import { listPeopleClips } from '../../../../provider/people/same-person-rows.ts'
import { searchHome } from '../../../../provider/search/search-pipeline.ts'
import { suggestSearches } from '../../../../provider/search/suggestions.ts'
import { openHomeSql } from '../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../support/home.ts'

const FIRST_EVENT_MS = 1_790_000_000_000
const EVENT_COUNT = 12_000
const CAMERAS = ['door', 'yard', 'drive']
const VIEW = [{ devices: CAMERAS, since: 0, free: false }]
const { sql, transaction } = openHomeSql()

/**
 * Inserts the events. Three events share each timestamp, and one event in a thousand is a gunshot. The order of the IDs
 * differs from the order of arrival.
 */
beforeAll(() => {
  transaction(() => {
    for (let n = 0; n < EVENT_COUNT; n++) {
      const tags = n % 1000 === 7 ? ['4', '800006'] : ['4', '101']
      const event_values = n % 2000 === 8 ? ['Ms. "O’Hara"'] : ['person']
      const event_ts = FIRST_EVENT_MS + Math.floor(n / 3)
      const id = `e${(n * 7919) % EVENT_COUNT}`
      insertEvent(sql, createBridgeEvent(CAMERAS[n % 4 === 0 ? 1 : 0] ?? '', id, { event_ts, tags, event_values }))
    }
  })
})

const LIST_REQUEST = {
  begin_time: 0,
  end_time: 2 * FIRST_EVENT_MS,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  free: false,
  count: 10_000,
}

function recordStatements() {
  const seen: { text: string; values: readonly unknown[]; rows: readonly object[] }[] = []
  const exec = (text: string, ...values: never[]) => {
    const rows = sql.exec(text, ...values).toArray()
    seen.push({ text, values, rows })
    return { toArray: () => rows, one: () => rows[0] }
  }
  return { seen, sql: { exec } as unknown as SqlStorage }
}

function listAllEvents(): { event_id: string; event_ts: number; device_id: string; tags: string; labels: string }[] {
  return sql
    .exec<ReturnType<typeof listAllEvents>[number]>(
      'SELECT event_id, event_ts, device_id, tags, labels FROM events ORDER BY event_ts DESC, event_id DESC',
    )
    .toArray()
}
const parseIds = (list: string) => (JSON.parse(list) as Event[]).map(({ event_id }) => event_id)
const listExpectedIds = (keep: (event: ReturnType<typeof listAllEvents>[number]) => boolean, count = 10_000) =>
  listAllEvents()
    .filter(keep)
    .slice(0, count)
    .map(({ event_id }) => event_id)

describe('event list', () => {
  test('of 10,000 events is built from small parts, and equals the result of one query', async () => {
    const { seen, sql: home } = recordStatements()
    const list = await listEvents(home, VIEW, LIST_REQUEST)
    expect(list).toBe(
      listEventsByIds(
        sql,
        VIEW,
        listExpectedIds(() => true),
      ),
    )
    const parts = seen.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row) as unknown[]))
    expect(Math.max(...parts.map((part) => String(part).length))).toBeLessThan(10_000)
    expect(list.length).toBeGreaterThan(1_000_000)
    expect(Math.max(...seen.map(({ rows }) => rows.length))).toBeLessThanOrEqual(MAX_STEP_ROWS + 3)
  })

  test.each([1, 2, 50, 51, 4000])('ends correctly between events with the same timestamp: %i events', async (count) => {
    expect(parseIds(await listEvents(sql, VIEW, { ...LIST_REQUEST, count }))).toEqual(
      listExpectedIds(() => true, count),
    )
    const yard = { ...LIST_REQUEST, count, device_id_list: ['yard'] }
    expect(parseIds(await listEvents(sql, VIEW, yard))).toEqual(
      listExpectedIds(({ device_id }) => device_id === 'yard', count),
    )
  })

  test('of a rare event kind reads only those events', async () => {
    const { seen, sql: home } = recordStatements()
    const list = await listEvents(home, VIEW, { ...LIST_REQUEST, event_tag_list: ['800006'] })
    expect(parseIds(list)).toEqual(listExpectedIds(({ tags }) => tags.includes('800006')))
    expect([parseIds(list).length, seen.length]).toEqual([12, 3])
    const [name] = ['Ms. "O’Hara"']
    const value = await listEvents(sql, VIEW, { ...LIST_REQUEST, event_value_list: [name] })
    expect(parseIds(value)).toEqual(listExpectedIds(({ labels }) => labels.includes('Hara')))
    expect(parseIds(value)).toHaveLength(6)
    expect(await listEvents(sql, VIEW, { ...LIST_REQUEST, event_value_list: ['Hara', '—'] })).toBe('[]')
  })

  test('of a common kind continues step by step until it is full', async () => {
    const { seen, sql: home } = recordStatements()
    const yard = { ...LIST_REQUEST, event_tag_list: ['101'], device_id_list: ['yard', 'drive'], count: 900 }
    const list = await listEvents(home, VIEW, yard)
    expect(parseIds(list)).toEqual(
      listExpectedIds(({ device_id, tags }) => device_id === 'yard' && tags.includes('101'), 900),
    )
    expect(seen.length).toBeGreaterThan(3)
  })
})

test('every event query uses an index, and there are ten indexes', async () => {
  const { seen, sql: home } = recordStatements()
  const cameras = CAMERAS.map((device_id) => ({ device_id, name: device_id }))
  const range = { device: 'door', start: FIRST_EVENT_MS, end: FIRST_EVENT_MS + 1000 }
  for (const filter of [{}, { device_id_list: ['door'] }, { event_tag_list: ['800006'] }, { event_tag_list: ['101'] }])
    await listEvents(home, VIEW, { ...LIST_REQUEST, ...filter, count: 50 })
  for (const query of ['person dog', 'gunshot', 'nobody here'])
    await searchHome(home, cameras, { query, devices: [], tags: ['101'], start: 0, end: 2 * FIRST_EVENT_MS }, VIEW)
  await suggestSearches(home, cameras, { start: 0, end: 2 * FIRST_EVENT_MS }, VIEW)
  findSightings(home, VIEW, { person: 1, name: null, hidden: false, members: [1] })
  listPeopleClips(home, VIEW, ['person'], 10)
  judgeAnomalies(home, VIEW, ['e1'])
  findOverlappingClip(home, VIEW, range)
  findUploadingClip(home, VIEW, range)
  buildTimeline(home, 'door', { begin: FIRST_EVENT_MS, end: FIRST_EVENT_MS + 1000, now: 2 * FIRST_EVENT_MS }, VIEW)
  listUnmeasuredClips(home, 10)
  writeLimits(home, 'door', { max_bytes: GIGABYTE, max_days: 1 })
  previewDeletion(home, 'door', { max_bytes: GIGABYTE, max_days: 1 }, 2 * FIRST_EVENT_MS)
  listOverLimitEvents(home, 2 * FIRST_EVENT_MS)
  const scans = seen.flatMap(({ text, values }) =>
    sql
      .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...(values as string[]))
      .toArray()
      .filter(({ detail }) => /^SCAN events/.test(detail))
      .map(({ detail }) => `${detail}: ${text}`),
  )
  expect(scans).toEqual([])
  const indexes = sql.exec<{ name: string }>("SELECT name FROM pragma_index_list('events') ORDER BY name").toArray()
  expect(indexes.map(({ name }) => name)).toEqual([
    'events_deleted',
    'events_described',
    'events_device',
    'events_doc',
    'events_other_clip',
    'events_other_thumb',
    'events_past',
    'events_undescribed',
    'events_unmeasured',
    'sqlite_autoindex_events_1',
  ])
})
