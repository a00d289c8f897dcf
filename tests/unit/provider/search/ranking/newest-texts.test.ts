import { expect, test } from 'vitest'
import { describeEvent } from '../../../../../provider/events/description-rows.ts'
import { toDocumentIdRange } from '../../../../../provider/events/document-id-rows.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import { tombstoneEvents } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { stemNewestTexts } from '../../../../../provider/search/ranking/newest-texts.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const EVENT_TIME_MS = 1_790_000_000_000

test('the newest texts are stemmed once, and again only after a change', () => {
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
  const readTexts = () => stemNewestTexts(sql, range, 3)
  const listMoments = () =>
    readTexts().map((texts) => texts.filter(({ column }) => column === 'moments').map(({ stems }) => stems.join(' ')))
  for (const n of [1, 2, 3, 4]) insert(n)
  const first = readTexts()
  expect(listMoments()).toEqual([['walk 4'], ['walk 3'], ['walk 2']])
  expect(readTexts().map((texts, n) => texts === first[n])).toEqual([true, true, true])

  insert(5)
  expect(readTexts().map((texts) => first.indexOf(texts))).toEqual([-1, 0, 1])
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
