import { describe, expect, test } from 'vitest'
import type { QueryInterpretation } from '../../../../contract/search/search-calls.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'
import {
  searchAsWrittenLabel,
  nearMissNote,
  noMatchText,
  searchNotes,
} from '../../../../src/domain/copy/search-notes.ts'

const EMPTY_INTERPRETATION: QueryInterpretation = {
  nowhere: [],
  instead: [],
  without: [],
  places: [],
  unknown: [],
  cameras: [],
  scope_only: false,
}
const SEARCH_COVERAGE = { clips: 430, searched: 412, arriving: 11, waiting: 0, undescribed: 7, kept_since: 0 }
const listNoteTexts = (interpretation: Partial<QueryInterpretation>, isFound = true) =>
  searchNotes({ ...EMPTY_INTERPRETATION, ...interpretation }, isFound).map(({ text }) => text)
const listNoteFacts = (interpretation: Partial<QueryInterpretation>) =>
  listNoteTexts(interpretation).map((text) => extractFacts(text))
const explainEmptyResult = (
  interpretation: Partial<QueryInterpretation>,
  isAnyClose = false,
  more: Partial<typeof SEARCH_COVERAGE> = {},
) =>
  noMatchText({ ...EMPTY_INTERPRETATION, ...interpretation }, { ...SEARCH_COVERAGE, arriving: 0, ...more }, isAnyClose)

describe('query interpretation notes', () => {
  test('are empty if the query was interpreted as written', () => expect(listNoteTexts({})).toEqual([]))

  test('name the words treated as typos and their replacements', () => {
    const instead = [{ asked: 'drivway', shown: 'driveway' }]
    expect(listNoteFacts({ instead })).toEqual([['“drivway”', '“driveway”']])
    expect(areDistinct([...listNoteTexts({ instead }), ...listNoteTexts({ instead }, false)])).toBe(true)
    expect(extractFacts(searchAsWrittenLabel(instead))).toEqual(['“drivway”'])
    const two = [...instead, { asked: 'curier', shown: 'courier' }]
    expect(listNoteFacts({ instead: two })).toEqual([['“drivway”', '“curier”', '“driveway”', '“courier”']])
    expect(extractFacts(searchAsWrittenLabel(two))).toEqual(['“drivway”', '“curier”'])
  })

  test('name excluded terms and words that were not understood', () => {
    const notes = searchNotes({ ...EMPTY_INTERPRETATION, without: ['hat'], unknown: ['foo', 'bar'] }, true)
    expect(notes.map(({ about, text }) => [about, extractFacts(text)])).toEqual([
      ['without', ['“hat”']],
      ['unknown', ['“foo”', '“bar”']],
    ])
    expect(listNoteFacts({ without: ['hat', 'scarf', 'glove'] })).toEqual([['“hat”', '“scarf”', '“glove”']])
  })
})

describe('reason for an empty search result', () => {
  test('is that no clip was close enough', () => {
    expect(extractFacts(explainEmptyResult({}))).toEqual(['412'])
    expect(extractFacts(explainEmptyResult({}, true, { arriving: 11 }))).toEqual(['412', '11'])
    expect(extractFacts(explainEmptyResult({}, false, { arriving: 1 }))).toEqual(['412', '1'])
    expect(extractFacts(explainEmptyResult({}, false, { clips: 0 }))).toEqual([])
    expect(
      areDistinct([
        nearMissNote(EMPTY_INTERPRETATION),
        nearMissNote({ ...EMPTY_INTERPRETATION, nowhere: ['unicorn'] }),
      ]),
    ).toBe(true)
  })

  test('names the unmatched terms, with or without near misses', () => {
    expect(extractFacts(explainEmptyResult({ nowhere: ['unicorn'] }, true))).toEqual(['412', '“unicorn”'])
    expect(extractFacts(explainEmptyResult({ nowhere: ['unicorn', 'zebra'] }))).toEqual(['412', '“unicorn”', '“zebra”'])
    expect(extractFacts(nearMissNote({ ...EMPTY_INTERPRETATION, nowhere: ['unicorn', 'zebra'] }))).toEqual([
      '“unicorn”',
      '“zebra”',
    ])
  })

  test('names the replacement if a corrected typo has no match', () => {
    const interpretation = { nowhere: ['drivway'], instead: [{ asked: 'drivway', shown: 'driveway' }] }
    expect(extractFacts(explainEmptyResult(interpretation))).toEqual(['412', '“driveway”'])
    expect(extractFacts(nearMissNote({ ...EMPTY_INTERPRETATION, ...interpretation }))).toEqual(['“driveway”'])
  })

  test('is a camera area that no camera covers: no clip was searched', () => {
    expect(extractFacts(explainEmptyResult({ places: ['upstairs'] }))).toEqual(['“upstairs”'])
  })

  test('is that nothing could be searched if no word was understood', () => {
    expect(extractFacts(explainEmptyResult({ unknown: ['qwertz'] }))).toEqual([])
    expect(
      areDistinct([explainEmptyResult({ unknown: ['qwertz'] }), explainEmptyResult({}, false, { clips: 0 })]),
    ).toBe(true)
    expect(extractFacts(explainEmptyResult({ unknown: ['qwertz'], nowhere: ['fox'] }))).toEqual(['412', '“fox”'])
    expect(explainEmptyResult({ unknown: ['qwertz'] }, true)).toBe(explainEmptyResult({}, true))
  })

  test('names clips still on their way beside those searched without a match', () => {
    expect(extractFacts(explainEmptyResult({}, true, { waiting: 31 }))).toEqual(['412', '31'])
    expect(extractFacts(explainEmptyResult({}, true, { arriving: 1, waiting: 2 }))).toEqual(['412', '1', '2'])
    expect(
      areDistinct([explainEmptyResult({}, true, { arriving: 3 }), explainEmptyResult({}, true, { waiting: 3 })]),
    ).toBe(true)
  })
})
