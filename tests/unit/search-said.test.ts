import { describe, expect, it } from 'vitest'
import type { Said } from '../../contract/search/search-calls.ts'
import { areDistinct, factsOf } from '../support/facts.ts'
import { asWrittenLabel, closestNote, lookedThrough, notesOf } from '../../src/domain/copy/search-notes.ts'

const SAID: Said = { nowhere: [], instead: [], without: [], places: [], unknown: [] }
const coverage = { clips: 430, searched: 412, arriving: 11, waiting: 0, undescribed: 7, kept_since: 0 }
const texts = (said: Partial<Said>, isFound = true) => notesOf({ ...SAID, ...said }, isFound).map(({ text }) => text)
const facts = (said: Partial<Said>) => texts(said).map((text) => factsOf(text))
const looked = (said: Partial<Said>, isAnyClose = false, more: Partial<typeof coverage> = {}) =>
  lookedThrough({ ...SAID, ...said }, { ...coverage, arriving: 0, ...more }, isAnyClose)

describe('what was made of a question', () => {
  it('is not told where it is what was asked', () => expect(texts({})).toEqual([]))

  it('names the words that were taken for slips, and what was looked for instead', () => {
    const instead = [{ asked: 'drivway', shown: 'driveway' }]
    expect(facts({ instead })).toEqual([['“drivway”', '“driveway”']])
    expect(areDistinct([...texts({ instead }), ...texts({ instead }, false)])).toBe(true)
    expect(factsOf(asWrittenLabel(instead))).toEqual(['“drivway”'])
    const two = [...instead, { asked: 'curier', shown: 'courier' }]
    expect(facts({ instead: two })).toEqual([['“drivway”', '“curier”', '“driveway”', '“courier”']])
    expect(factsOf(asWrittenLabel(two))).toEqual(['“drivway”', '“curier”'])
  })

  it('names what is left out, and what was not understood', () => {
    const notes = notesOf({ ...SAID, without: ['hat'], unknown: ['foo', 'bar'] }, true)
    expect(notes.map(({ about, text }) => [about, factsOf(text)])).toEqual([
      ['without', ['“hat”']],
      ['unknown', ['“foo”', '“bar”']],
    ])
    expect(facts({ without: ['hat', 'scarf', 'glove'] })).toEqual([['“hat”', '“scarf”', '“glove”']])
  })
})

describe('why nothing was found', () => {
  it('is that nothing was close enough', () => {
    expect(factsOf(looked({}))).toEqual(['412'])
    expect(factsOf(looked({}, true, { arriving: 11 }))).toEqual(['412', '11'])
    expect(factsOf(looked({}, false, { arriving: 1 }))).toEqual(['412', '1'])
    expect(factsOf(looked({}, false, { clips: 0 }))).toEqual([])
    expect(areDistinct([closestNote(SAID), closestNote({ ...SAID, nowhere: ['unicorn'] })])).toBe(true)
  })

  it('is what nothing says, whatever else it has', () => {
    expect(factsOf(looked({ nowhere: ['unicorn'] }, true))).toEqual(['412', '“unicorn”'])
    expect(factsOf(looked({ nowhere: ['unicorn', 'zebra'] }))).toEqual(['412', '“unicorn”', '“zebra”'])
    expect(factsOf(closestNote({ ...SAID, nowhere: ['unicorn', 'zebra'] }))).toEqual(['“unicorn”', '“zebra”'])
  })

  it('is of a word that was taken for another that nothing says the other', () => {
    const said = { nowhere: ['drivway'], instead: [{ asked: 'drivway', shown: 'driveway' }] }
    expect(factsOf(looked(said))).toEqual(['412', '“driveway”'])
    expect(factsOf(closestNote({ ...SAID, ...said }))).toEqual(['“driveway”'])
  })

  it('is a place that no camera looks at: then no clip was looked at', () => {
    expect(factsOf(looked({ places: ['upstairs'] }))).toEqual(['“upstairs”'])
  })

  it('is that there was nothing to look for where nothing was understood', () => {
    expect(factsOf(looked({ unknown: ['qwertz'] }))).toEqual([])
    expect(areDistinct([looked({ unknown: ['qwertz'] }), looked({}, false, { clips: 0 })])).toBe(true)
    expect(factsOf(looked({ unknown: ['qwertz'], nowhere: ['fox'] }))).toEqual(['412', '“fox”'])
    expect(looked({ unknown: ['qwertz'] }, true)).toBe(looked({}, true))
  })

  it('says what is still on its way beside what was looked through in vain', () => {
    expect(factsOf(looked({}, true, { waiting: 31 }))).toEqual(['412', '31'])
    expect(factsOf(looked({}, true, { arriving: 1, waiting: 2 }))).toEqual(['412', '1', '2'])
    expect(areDistinct([looked({}, true, { arriving: 3 }), looked({}, true, { waiting: 3 })])).toBe(true)
  })
})
