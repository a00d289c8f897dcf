import { expect, test } from 'vitest'
import { describeEvent } from '../../../../../provider/events/description-rows.ts'
import { toDocumentIdRange } from '../../../../../provider/events/document-id-rows.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import { tombstoneEvents } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { sampleNewestTexts } from '../../../../../provider/search/ranking/newest-texts.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const EVENT_TIME_MS = 1_790_000_000_000

test('the newest texts are read and stemmed again only after a change', () => {
  const { sql } = openHomeSql()
  const insert = (n: number) =>
    insertEvent(
      sql,
      createBridgeEvent('door', `e${n}`, {
        event_ts: EVENT_TIME_MS + n,
        title: 'Visit',
        moments: [{ at_s: 0, text: `Walking ${n}.` }],
      }),
    )
  const range = toDocumentIdRange(sql, { start: 0, end: 2 * EVENT_TIME_MS })
  const readTexts = () => sampleNewestTexts(sql, range, 3).texts
  const listMoments = () =>
    readTexts().map((texts) => texts.filter(({ column }) => column === 'moments').map(({ stems }) => stems.join(' ')))
  for (const n of [1, 2, 3, 4]) insert(n)
  const first = readTexts()
  expect(listMoments()).toEqual([['walk 4'], ['walk 3'], ['walk 2']])
  const sample = sampleNewestTexts(sql, range, 3)
  expect(sampleNewestTexts(sql, range, 3)).toBe(sample)
  const startAt = (start: number) =>
    sampleNewestTexts(sql, toDocumentIdRange(sql, { start, end: 2 * EVENT_TIME_MS }), 3)
  expect(startAt(EVENT_TIME_MS + 2)).toBe(sample)
  expect(startAt(EVENT_TIME_MS + 3).texts).toEqual(sample.texts.slice(0, 2))
  expect(sample.positions.get('walk')?.map(({ event, at }) => [event, at])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ])
  expect(readTexts()).toEqual(first)

  const beforeInsert = readTexts()
  insert(5)
  expect(readTexts().map((texts) => beforeInsert.indexOf(texts))).toEqual([-1, 0, 1])
  describeEvent(sql, {
    event_id: 'e4',
    device_id: 'door',
    tags: [],
    values: [],
    moments: [{ at_s: 0, text: 'Jumping.' }],
    by: { kind: 'model', model: 'm', at: EVENT_TIME_MS },
  })
  expect(listMoments()).toEqual([['walk 5'], ['jump'], ['walk 3']])
  tombstoneEvents(sql, [{ devices: ['door'], since: 0, free: false }], ['e5'], EVENT_TIME_MS)
  expect(listMoments()).toEqual([['jump'], ['walk 3']])
})
