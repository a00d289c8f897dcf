import { describe, expect, test } from 'vitest'
import { insertEvent } from '../../../../provider/events/event-rows.ts'
import { PEOPLE_SCHEMA_STEP } from '../../../../provider/people/people-schema.ts'
import { listPeople, mergePersonRow, setPersonName, splitPersonRow } from '../../../../provider/people/people-rows.ts'
import { insertNames, insertNamesInJson, toPersonToken } from '../../../../provider/people/person-token.ts'
import {
  MAX_PEOPLE,
  storeRecognition,
  readRecognition,
  recognizePeople,
} from '../../../../provider/people/recognition.ts'
import { migrateStoredNames } from '../../../../provider/people/stored-names.ts'
import { insertPersonTokens } from '../../../../provider/search/named-people.ts'
import { HOME_SCHEMA } from '../../../../provider/homes/home-schema.ts'
import { insertIntoEarlierHome, openHomeSql } from '../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../support/home.ts'

const [ann, ben] = [toPersonToken(1), toPersonToken(2)]
const NAMES = new Map([[1, 'Ann "A" O’Hara']])
const RECOGNITION_ON = { is_on: 1, guests: 0, takes_names: 1 }

describe('names in texts', () => {
  test.each([
    [ann, 'Ann "A" O’Hara', 'Person'],
    [`${ann} rings.`, 'Ann "A" O’Hara rings.', 'Someone rings.'],
    [
      `It rains. ${ann} and ${ben} run.`,
      'It rains. Ann "A" O’Hara and someone run.',
      'It rains. Someone and someone run.',
    ],
    ['Nobody rings.', 'Nobody rings.', 'Nobody rings.'],
  ])('replace tokens: %j', (text, named, unnamed) => {
    expect([insertNames(text, NAMES), insertNames(text, new Map())]).toEqual([named, unnamed])
  })

  test('belong to the camera of each event, and stay valid JSON for any name', () => {
    const events = ['door', 'yard'].map((device_id) => ({
      device_id,
      event_values: ['person', ann, ben],
      title: `${ann} "rings", "device_id":"door"`,
    }))
    const json = insertNamesInJson(JSON.stringify(events), (device) => (device === 'door' ? NAMES : new Map()))
    expect(JSON.parse(json)).toEqual([
      {
        device_id: 'door',
        event_values: ['person', 'Ann "A" O’Hara'],
        title: 'Ann "A" O’Hara "rings", "device_id":"door"',
      },
      { device_id: 'yard', event_values: ['person'], title: 'Someone "rings", "device_id":"door"' },
    ])
  })
})

describe('person recognition', () => {
  test('replaces the names listed in the values, word by word, the longest first', () => {
    const { sql } = openHomeSql()
    storeRecognition(sql, RECOGNITION_ON)
    const texts = ['Sam Jr. and Sam walk to Samson.', 'A courier waits.']
    const report = recognizePeople(
      sql,
      { values: ['person', 'Sam', 'Sam Jr.', 'face:c', 'Barking', 'bicycle'], texts },
      false,
      0,
    )
    expect(report).toEqual({
      values: ['person', 'Barking', 'bicycle', toPersonToken(1), toPersonToken(2), toPersonToken(3)],
      texts: [`${toPersonToken(2)} and ${toPersonToken(1)} walk to Samson.`, 'A courier waits.'],
    })
    expect(listPeople(sql).map(({ name }) => name)).toEqual(['Sam', 'Sam Jr.', null])
  })

  test('creates no more people than a home can have', () => {
    const { sql, transaction } = openHomeSql()
    storeRecognition(sql, RECOGNITION_ON)
    const values = Array.from({ length: MAX_PEOPLE + 5 }, (_, n) => `face:${n}`)
    transaction(() => {
      expect(recognizePeople(sql, { values, texts: [] }, false, 0).values).toHaveLength(MAX_PEOPLE)
    })
    expect(listPeople(sql)).toHaveLength(MAX_PEOPLE)
  })

  test('adopts the event names of a home from an earlier version, also in texts', () => {
    const before = HOME_SCHEMA.indexOf(PEOPLE_SCHEMA_STEP)
    const { sql, runScript } = openHomeSql(before)
    const event = (id: string, event_values: string[], title: string) =>
      createBridgeEvent('door', id, { event_values, title, moments: [{ at_s: 0, text: `${title} comes home.` }] })
    insertIntoEarlierHome({ sql, runScript }, () => {
      for (const [n, name] of ['Maya', 'Sam', 'Maya'].entries())
        insertEvent(sql, event(`e${n}`, ['person', name], name))
      insertEvent(sql, event('e3', ['person'], 'Maya'))
    })
    runScript(HOME_SCHEMA.slice(before).join(';'))
    migrateStoredNames(sql, 5)
    const rows = sql.exec<{ title: string; moments: string; labels: string }>(
      'SELECT title, moments, labels FROM events ORDER BY event_id',
    )
    const stored = rows
      .toArray()
      .map(({ title, moments, labels }) => [title, ...(JSON.parse(moments) as string[]), labels])
    expect(stored).toEqual([
      [toPersonToken(1), `${toPersonToken(1)} comes home.`, JSON.stringify(['person', toPersonToken(1)])],
      [toPersonToken(2), `${toPersonToken(2)} comes home.`, JSON.stringify(['person', toPersonToken(2)])],
      [toPersonToken(1), `${toPersonToken(1)} comes home.`, JSON.stringify(['person', toPersonToken(1)])],
      ['Maya', 'Maya comes home.', '["person"]'],
    ])
    expect(listPeople(sql).map(({ name }) => name)).toEqual(['Maya', 'Sam'])
    expect(readRecognition(sql)).toMatchObject({ is_on: 1, guests: 0, takes_names: 0 })
    const words = sql.exec<{ n: number }>(`SELECT count(*) AS n FROM search_index WHERE search_index MATCH 'maya'`)
    expect(words.one().n).toBe(1)
  })

  test('stays off in a home whose events contain no names', () => {
    const { sql } = openHomeSql()
    insertEvent(sql, createBridgeEvent('door', 'e1'))
    migrateStoredNames(sql, 5)
    expect(readRecognition(sql)).toMatchObject({ is_on: 0 })
  })
})

test('a separated person loses a name that another person has taken since', () => {
  const { sql } = openHomeSql()
  storeRecognition(sql, RECOGNITION_ON)
  recognizePeople(sql, { values: ['Sam', 'Dan', 'face:1'], texts: [] }, false, 0)
  mergePersonRow(sql, 1, 2, 100)
  setPersonName(sql, 3, 'SAM')
  expect([splitPersonRow(sql, 1, 101), splitPersonRow(sql, 1, 100)]).toEqual([false, true])
  expect(listPeople(sql).map(({ name, members }) => [name, members])).toEqual([
    [null, [1]],
    ['Dan', [2]],
    ['SAM', [3]],
  ])
})

describe('names in a query', () => {
  const people = ['José', 'Mary Ann', 'Mary', 'Will', 'Person 12'].map((name, n) => ({
    name,
    tokens: [toPersonToken(n + 1)],
  }))
  test.each([
    ['jose’s dog', `${toPersonToken(1)}’s dog`],
    ['mary ann and MARY', `${toPersonToken(2)} and ${toPersonToken(3)}`],
    ['who will ring, Will?', `who will ring, ${toPersonToken(4)}?`],
    ['person 12 at night', `${toPersonToken(5)} at night`],
    ['12 people and Joseph', '12 people and Joseph'],
    ['', ''],
  ])('become tokens: %j', (question, expected) => {
    expect(insertPersonTokens(question, people)).toBe(expected)
  })
})
