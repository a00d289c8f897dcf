import { describe, expect, test } from 'vitest'
import type { QueryInterpretation } from '../../../../contract/search/search-calls.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'
import { asWrittenLabel, closestNote, lookedThrough, searchNotes } from '../../../../src/domain/copy/search-notes.ts'

const SAID: QueryInterpretation = { nowhere: [], instead: [], without: [], places: [], unknown: [] }
const coverage = { clips: 430, searched: 412, arriving: 11, waiting: 0, undescribed: 7, kept_since: 0 }
const texts = (interpretation: Partial<QueryInterpretation>, isFound = true) =>
  searchNotes({ ...SAID, ...interpretation }, isFound).map(({ text }) => text)
const facts = (interpretation: Partial<QueryInterpretation>) => texts(interpretation).map((text) => extractFacts(text))
const describeSearch = (
  interpretation: Partial<QueryInterpretation>,
  isAnyClose = false,
  more: Partial<typeof coverage> = {},
) => lookedThrough({ ...SAID, ...interpretation }, { ...coverage, arriving: 0, ...more }, isAnyClose)

describe('query interpretation notes', () => {
  test('are empty if the query was interpreted as written', () => expect(texts({})).toEqual([]))

  test('name the words treated as typos and their replacements', () => {
    const instead = [{ asked: 'drivway', shown: 'driveway' }]
    expect(facts({ instead })).toEqual([['“drivway”', '“driveway”']])
    expect(areDistinct([...texts({ instead }), ...texts({ instead }, false)])).toBe(true)
    expect(extractFacts(asWrittenLabel(instead))).toEqual(['“drivway”'])
    const two = [...instead, { asked: 'curier', shown: 'courier' }]
    expect(facts({ instead: two })).toEqual([['“drivway”', '“curier”', '“driveway”', '“courier”']])
    expect(extractFacts(asWrittenLabel(two))).toEqual(['“drivway”', '“curier”'])
  })

  test('name excluded terms and words that were not understood', () => {
    const notes = searchNotes({ ...SAID, without: ['hat'], unknown: ['foo', 'bar'] }, true)
    expect(notes.map(({ about, text }) => [about, extractFacts(text)])).toEqual([
      ['without', ['“hat”']],
      ['unknown', ['“foo”', '“bar”']],
    ])
    expect(facts({ without: ['hat', 'scarf', 'glove'] })).toEqual([['“hat”', '“scarf”', '“glove”']])
  })
})

describe('reason for an empty search result', () => {
  test('is that no clip was close enough', () => {
    expect(extractFacts(describeSearch({}))).toEqual(['412'])
    expect(extractFacts(describeSearch({}, true, { arriving: 11 }))).toEqual(['412', '11'])
    expect(extractFacts(describeSearch({}, false, { arriving: 1 }))).toEqual(['412', '1'])
    expect(extractFacts(describeSearch({}, false, { clips: 0 }))).toEqual([])
    expect(areDistinct([closestNote(SAID), closestNote({ ...SAID, nowhere: ['unicorn'] })])).toBe(true)
  })

  test('names the unmatched terms, with or without near misses', () => {
    expect(extractFacts(describeSearch({ nowhere: ['unicorn'] }, true))).toEqual(['412', '“unicorn”'])
    expect(extractFacts(describeSearch({ nowhere: ['unicorn', 'zebra'] }))).toEqual(['412', '“unicorn”', '“zebra”'])
    expect(extractFacts(closestNote({ ...SAID, nowhere: ['unicorn', 'zebra'] }))).toEqual(['“unicorn”', '“zebra”'])
  })

  test('names the replacement if a corrected typo has no match', () => {
    const interpretation = { nowhere: ['drivway'], instead: [{ asked: 'drivway', shown: 'driveway' }] }
    expect(extractFacts(describeSearch(interpretation))).toEqual(['412', '“driveway”'])
    expect(extractFacts(closestNote({ ...SAID, ...interpretation }))).toEqual(['“driveway”'])
  })

  test('is a camera area that no camera covers: no clip was searched', () => {
    expect(extractFacts(describeSearch({ places: ['upstairs'] }))).toEqual(['“upstairs”'])
  })

  test('is that nothing could be searched if no word was understood', () => {
    expect(extractFacts(describeSearch({ unknown: ['qwertz'] }))).toEqual([])
    expect(areDistinct([describeSearch({ unknown: ['qwertz'] }), describeSearch({}, false, { clips: 0 })])).toBe(true)
    expect(extractFacts(describeSearch({ unknown: ['qwertz'], nowhere: ['fox'] }))).toEqual(['412', '“fox”'])
    expect(describeSearch({ unknown: ['qwertz'] }, true)).toBe(describeSearch({}, true))
  })

  test('names clips still on their way beside those searched without a match', () => {
    expect(extractFacts(describeSearch({}, true, { waiting: 31 }))).toEqual(['412', '31'])
    expect(extractFacts(describeSearch({}, true, { arriving: 1, waiting: 2 }))).toEqual(['412', '1', '2'])
    expect(areDistinct([describeSearch({}, true, { arriving: 3 }), describeSearch({}, true, { waiting: 3 })])).toBe(
      true,
    )
  })
})
