import { describe, expect, it } from 'vitest'
import type { Said } from '../../contract/search.ts'
import { asWrittenLabel, closestNote, lookedThrough, notesOf } from '../../src/domain/search-said.ts'

const SAID: Said = { nowhere: [], instead: [], without: [], places: [], unknown: [] }
const coverage = { clips: 430, searched: 412, arriving: 11, waiting: 0, undescribed: 7, kept_since: 0 }
const texts = (said: Partial<Said>, isFound = true) => notesOf({ ...SAID, ...said }, isFound).map(({ text }) => text)
const looked = (said: Partial<Said>, isAnyClose = false, more: Partial<typeof coverage> = {}) =>
  lookedThrough({ ...SAID, ...said }, { ...coverage, arriving: 0, ...more }, isAnyClose)

describe('what was made of a question', () => {
  it('is not told where it is what was asked', () => expect(texts({})).toEqual([]))

  it('names the words that were taken for slips, and what was looked for instead', () => {
    const instead = [{ asked: 'drivway', shown: 'driveway' }]
    expect(texts({ instead })).toEqual(['Nothing says “drivway”. Showing “driveway”.'])
    expect(texts({ instead }, false)).toEqual(['Nothing says “drivway”. Looked for “driveway” instead.'])
    expect(asWrittenLabel(instead)).toBe('Search for “drivway” as written')
    const two = [...instead, { asked: 'curier', shown: 'courier' }]
    expect(texts({ instead: two })).toEqual(['Nothing says “drivway” or “curier”. Showing “driveway” and “courier”.'])
    expect(asWrittenLabel(two)).toBe('Search for “drivway” and “curier” as written')
  })

  it('names what is left out, and what was not understood', () => {
    expect(texts({ without: ['hat'], unknown: ['foo', 'bar'] })).toEqual([
      'Leaving out clips that say “hat”.',
      'Not understood, and not looked for: “foo”, “bar”.',
    ])
    expect(texts({ without: ['hat', 'scarf', 'glove'] })).toEqual([
      'Leaving out clips that say “hat”, “scarf” or “glove”.',
    ])
  })
})

describe('why nothing was found', () => {
  it('is that nothing was close enough', () => {
    expect(looked({})).toBe('We looked through 412 clips and none was close enough to call a match.')
    expect(looked({}, true, { arriving: 11 })).toMatch(/ 11 clips are still arriving\.$/)
    expect(looked({}, false, { arriving: 1 })).toMatch(/ 1 clip is still arriving\.$/)
    expect(looked({}, false, { clips: 0 })).toBe('No camera recorded anything in this time.')
    expect(closestNote(SAID)).toBe('not close enough to be a match')
  })

  it('is what nothing says, whatever else it has', () => {
    expect(looked({ nowhere: ['unicorn'] }, true)).toBe('We looked through 412 clips and none says “unicorn”.')
    expect(looked({ nowhere: ['unicorn', 'zebra'] })).toMatch(/none says “unicorn” or “zebra”\.$/)
    expect(closestNote({ ...SAID, nowhere: ['unicorn', 'zebra'] })).toBe('without “unicorn” and “zebra”')
  })

  it('is of a word that was taken for another that nothing says the other', () => {
    const said = { nowhere: ['drivway'], instead: [{ asked: 'drivway', shown: 'driveway' }] }
    expect(looked(said)).toMatch(/none says “driveway”\.$/)
    expect(closestNote({ ...SAID, ...said })).toBe('without “driveway”')
  })

  it('is a place that no camera looks at: then no clip was looked at', () => {
    expect(looked({ places: ['upstairs'] })).toBe(
      'No camera is known to look at “upstairs”. Where a camera looks is said in its settings, or by its name.',
    )
  })

  it('is that there was nothing to look for where nothing was understood', () => {
    expect(looked({ unknown: ['qwertz'] })).toBe('There was nothing to look for. Say who, what, where or when.')
    expect(looked({ unknown: ['qwertz'], nowhere: ['fox'] })).toMatch(/none says “fox”/)
    expect(looked({ unknown: ['qwertz'] }, true)).toMatch(/none was close enough/)
  })

  it('says what is still on its way beside what was looked through in vain', () => {
    expect(looked({}, true, { waiting: 31 })).toBe(
      'We looked through 412 clips and none was close enough to call a match. 31 clips are still waiting for a description.',
    )
    expect(looked({}, true, { arriving: 1, waiting: 1 })).toMatch(
      /match\. 1 clip is still arriving\. 1 clip is still waiting for a description\.$/,
    )
  })
})
