import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  findExpiredEntries,
  KNOWN_FLAKY_FILE,
  readKnownFlaky,
  findRedatedEntries,
  checkFlakyTests,
  type FlakyTest,
  type KnownFlaky,
} from '../../../scripts/lib/flaky.ts'

const buildFlakyTest = (title: string, file = 'tests/e2e/live.spec.ts'): FlakyTest => ({
  file,
  title,
  error: 'It was late.',
})
const buildKnownFlaky = (title: string, since: string, file?: string): KnownFlaky => ({
  ...buildFlakyTest(title, file),
  since,
})
const root = new URL('../../..', import.meta.url).pathname

describe('list of known flaky tests', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  function readList(json: string): KnownFlaky[] {
    const folder = mkdtempSync(join(tmpdir(), 'flaky-'))
    folders.push(folder)
    mkdirSync(join(folder, 'tests'))
    writeFileSync(join(folder, KNOWN_FLAKY_FILE), json)
    return readKnownFlaky(folder)
  }

  test('is parsed as checked in', () => {
    expect(readKnownFlaky(root)).toBeInstanceOf(Array)
    const entry = buildKnownFlaky('a page is late', '2026-03-01')
    expect(readList(JSON.stringify([entry]))).toEqual([entry])
  })

  test.each([
    ['no date', { file: 'a', title: 'b', error: 'c' }],
    ['an invalid date', { file: 'a', title: 'b', error: 'c', since: 'last week' }],
    ['an invalid month', { file: 'a', title: 'b', error: 'c', since: '2026-13-01' }],
    ['no error', { file: 'a', title: 'b', error: '', since: '2026-03-01' }],
    ['an unknown field', { file: 'a', title: 'b', error: 'c', since: '2026-03-01', until: '2027-01-01' }],
  ])('is rejected if an entry has %s', (_, entry) => {
    expect(() => readList(JSON.stringify([entry]))).toThrow()
  })
})

describe('known flaky test entry', () => {
  test.each([
    ['2026-03-08', 0],
    ['2026-03-09', 1],
    ['2026-04-01', 1],
    ['2026-02-28', 1],
  ])('dated March 1, on %s: %d expired', (today, count) => {
    expect(findExpiredEntries([buildKnownFlaky('a', '2026-03-01')], today)).toHaveLength(count)
  })

  test('expires after the given number of days, across changes of month and daylight saving time', () => {
    const entries = [buildKnownFlaky('a', '2026-02-26'), buildKnownFlaky('b', '2026-03-28')]
    expect(findExpiredEntries(entries, '2026-03-30', 2)).toEqual([entries[0]])
    expect(findExpiredEntries(entries, '2026-03-31', 2)).toEqual(entries)
  })

  test('with a changed date counts as re-dated, whether it was replaced or added again', () => {
    const before = [
      buildKnownFlaky('a', '2026-03-01'),
      buildKnownFlaky('b', '2026-03-02'),
      buildKnownFlaky('c', '2026-03-03'),
    ]
    const now = [
      buildKnownFlaky('a', '2026-03-05'),
      buildKnownFlaky('b', '2026-03-02'),
      buildKnownFlaky('c', '2026-03-03'),
      buildKnownFlaky('c', '2026-03-09'),
    ]
    expect(findRedatedEntries(before, now)).toEqual([before[0], before[2]])
  })

  test('does not count as re-dated if removed, new, or of the same title in another file', () => {
    const before = [buildKnownFlaky('a', '2026-03-01'), buildKnownFlaky('b', '2026-03-02')]
    const now = [buildKnownFlaky('b', '2026-03-02'), buildKnownFlaky('a', '2026-03-05', 'tests/e2e/events.spec.ts')]
    expect(findRedatedEntries(before, now)).toEqual([])
  })
})

describe('test run', () => {
  const tests = ['a', 'b', 'c', 'd'].map((title) => buildFlakyTest(title))

  test('without flaky tests passes and prints nothing', () => {
    expect(checkFlakyTests([])).toEqual({ failed: false, lines: [] })
  })

  test('with three flaky tests passes and names each with its error', () => {
    const { failed, lines } = checkFlakyTests(tests.slice(0, 3))
    expect(failed).toBe(false)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toBe('flaky: tests/e2e/live.spec.ts a\nIt was late.')
  })

  test('with a fourth flaky test fails and gives the reason', () => {
    const { failed, lines } = checkFlakyTests(tests)
    expect(failed).toBe(true)
    expect(lines).toHaveLength(5)
    expect(lines[4]).toMatch(/^4 tests were flaky\. At most 3/)
  })

  test('can have its own limit, and counts each test once', () => {
    expect(checkFlakyTests(tests.slice(0, 1), 0).failed).toBe(true)
    expect(checkFlakyTests([...tests.slice(0, 3), ...tests.slice(0, 3)]).failed).toBe(false)
  })
})
