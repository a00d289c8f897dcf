import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  expired,
  KNOWN_FLAKY,
  readKnownFlaky,
  redated,
  checkFlakyTests,
  type FlakyTest,
  type KnownFlaky,
} from '../../../scripts/lib/flaky.ts'

const flaky = (title: string, file = 'tests/e2e/live.spec.ts'): FlakyTest => ({ file, title, error: 'It was late.' })
const toKnownFlaky = (title: string, since: string, file?: string): KnownFlaky => ({ ...flaky(title, file), since })
const root = new URL('../../..', import.meta.url).pathname

describe('the list of known flaky tests', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  function read(json: string): KnownFlaky[] {
    const folder = mkdtempSync(join(tmpdir(), 'flaky-'))
    folders.push(folder)
    mkdirSync(join(folder, 'tests'))
    writeFileSync(join(folder, KNOWN_FLAKY), json)
    return readKnownFlaky(folder)
  }

  test('is read as it is checked in', () => {
    expect(readKnownFlaky(root)).toBeInstanceOf(Array)
    const entry = toKnownFlaky('a page is late', '2026-03-01')
    expect(read(JSON.stringify([entry]))).toEqual([entry])
  })

  test.each([
    ['no date', { file: 'a', title: 'b', error: 'c' }],
    ['a date that is none', { file: 'a', title: 'b', error: 'c', since: 'last week' }],
    ['a month that is none', { file: 'a', title: 'b', error: 'c', since: '2026-13-01' }],
    ['no error', { file: 'a', title: 'b', error: '', since: '2026-03-01' }],
    ['another field', { file: 'a', title: 'b', error: 'c', since: '2026-03-01', until: '2027-01-01' }],
  ])('with an entry that has %s is refused', (_, entry) => {
    expect(() => read(JSON.stringify([entry]))).toThrow()
  })
})

describe('an entry', () => {
  test.each([
    ['2026-03-08', 0],
    ['2026-03-09', 1],
    ['2026-04-01', 1],
    ['2026-02-28', 1],
  ])('of March 1 on %s: %d expired', (today, count) => {
    expect(expired([toKnownFlaky('a', '2026-03-01')], today)).toHaveLength(count)
  })

  test('expires after the days that are asked for, across a change of the month and of daylight saving time', () => {
    const entries = [toKnownFlaky('a', '2026-02-26'), toKnownFlaky('b', '2026-03-28')]
    expect(expired(entries, '2026-03-30', 2)).toEqual([entries[0]])
    expect(expired(entries, '2026-03-31', 2)).toEqual(entries)
  })

  test('with another date than before is re-dated, whether it was replaced or added once more', () => {
    const before = [toKnownFlaky('a', '2026-03-01'), toKnownFlaky('b', '2026-03-02'), toKnownFlaky('c', '2026-03-03')]
    const now = [
      toKnownFlaky('a', '2026-03-05'),
      toKnownFlaky('b', '2026-03-02'),
      toKnownFlaky('c', '2026-03-03'),
      toKnownFlaky('c', '2026-03-09'),
    ]
    expect(redated(before, now)).toEqual([before[0], before[2]])
  })

  test('that was removed or is new is not re-dated, nor is a test of the same title in another file', () => {
    const before = [toKnownFlaky('a', '2026-03-01'), toKnownFlaky('b', '2026-03-02')]
    const now = [toKnownFlaky('b', '2026-03-02'), toKnownFlaky('a', '2026-03-05', 'tests/e2e/events.spec.ts')]
    expect(redated(before, now)).toEqual([])
  })
})

describe('a run', () => {
  const tests = ['a', 'b', 'c', 'd'].map((title) => flaky(title))

  test('without flaky tests passes and says nothing', () => {
    expect(checkFlakyTests([])).toEqual({ failed: false, lines: [] })
  })

  test('with three flaky tests passes and names each with its error', () => {
    const { failed, lines } = checkFlakyTests(tests.slice(0, 3))
    expect(failed).toBe(false)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toBe('flaky: tests/e2e/live.spec.ts a\nIt was late.')
  })

  test('with a fourth one fails and says why', () => {
    const { failed, lines } = checkFlakyTests(tests)
    expect(failed).toBe(true)
    expect(lines).toHaveLength(5)
    expect(lines[4]).toMatch(/^4 tests were flaky; at most 3/)
  })

  test('has a limit of its own, and counts a test once', () => {
    expect(checkFlakyTests(tests.slice(0, 1), 0).failed).toBe(true)
    expect(checkFlakyTests([...tests.slice(0, 3), ...tests.slice(0, 3)]).failed).toBe(false)
  })
})
