import { describe, expect, test } from 'vitest'
import { dayNamedIn } from '../../src/domain/search-days.ts'

/** Sunday 22 November 2026, at noon. */
const NOW = new Date(2026, 10, 22, 12).getTime()
const WHOLE = [0, 23]

describe('the day that a question names', () => {
  test.each([
    ['who came today', '2026-11-22', WHOLE],
    ['Yesterday: a white van', '2026-11-21', WHOLE],
    ['the dog this morning', '2026-11-22', [5, 12]],
    ['parcel yesterday afternoon', '2026-11-21', [12, 18]],
    ['Maya on Monday', '2026-11-16', WHOLE],
    ['cat on SATURDAY evening', '2026-11-21', [17, 23]],
    ['anybody last sunday', '2026-11-15', WHOLE],
  ])('%s', (query, day, hours) => {
    expect(dayNamedIn(query, NOW)).toEqual({ start: day, end: day, hours })
  })

  test('is none where words only look like one', () => {
    for (const query of ['sundays best coat', 'a morning walk', 'the todays sign', '']) {
      expect(dayNamedIn(query, NOW), query).toBeNull()
    }
  })

  test('counts calendar days over a change of the clocks', () => {
    const after = new Date(2026, 9, 26, 0, 30).getTime()
    expect(dayNamedIn('yesterday', after)?.start).toBe('2026-10-25')
    expect(dayNamedIn('friday', after)?.start).toBe('2026-10-23')
  })
})
