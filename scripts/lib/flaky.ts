import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { DAY_MS } from '../../contract/time-units.ts'

/** Browser test that failed once and passed on retry. `error`: the reason of the failure. */
export interface FlakyTest {
  /** Path relative to the project folder. */
  readonly file: string
  readonly title: string
  readonly error: string
}

/** Entry of the checked-in list of flaky tests. Remove an entry when its test is stable, and never change its date. */
export interface KnownFlaky extends FlakyTest {
  /** Date of the first flaky run, `YYYY-MM-DD`. */
  readonly since: string
}

export const KNOWN_FLAKY_FILE = 'tests/known-flaky.json'
export const MAX_ENTRY_AGE_DAYS = 7
export const MAX_FLAKY_TESTS = 3

const nonEmptyText = v.pipe(v.string(), v.nonEmpty())
const knownFlakySchema = v.array(
  v.strictObject({
    file: nonEmptyText,
    title: nonEmptyText,
    since: v.pipe(v.string(), v.isoDate()),
    error: nonEmptyText,
  }),
)

/** Returns the checked-in list of known flaky tests. Throws if the file is missing or invalid. */
export const readKnownFlaky = (root: string): KnownFlaky[] =>
  parseKnownFlaky(readFileSync(join(root, KNOWN_FLAKY_FILE), 'utf8'))

/** Parses the text of the list file, current or from an earlier commit. Throws if the text is invalid. */
export const parseKnownFlaky = (json: string): KnownFlaky[] => v.parse(knownFlakySchema, JSON.parse(json))

/** Returns the entries that are older than `days` on `today` (`YYYY-MM-DD`), and entries with a date after `today`. */
export function findExpiredEntries(
  entries: readonly KnownFlaky[],
  today: string,
  days = MAX_ENTRY_AGE_DAYS,
): KnownFlaky[] {
  return entries.filter(({ since }) => {
    const age = (Date.parse(today) - Date.parse(since)) / DAY_MS
    // An unreadable date gives NaN and expires its entry.
    return !(age >= 0 && age <= days)
  })
}

/**
 * Returns the entries of `oldEntries` whose test has another date in `newEntries`. A new date would evade the maximum
 * age.
 */
export function findRedatedEntries(oldEntries: readonly KnownFlaky[], newEntries: readonly KnownFlaky[]): KnownFlaky[] {
  return oldEntries.filter((old) => newEntries.some((entry) => isSameTest(old, entry) && old.since !== entry.since))
}

const isSameTest = (a: FlakyTest, b: FlakyTest): boolean => a.file === b.file && a.title === b.title

export interface FlakyCheckResult {
  readonly failed: boolean
  /** One text per flaky test with its name and error, and, if the run fails, a text with the reason. */
  readonly lines: readonly string[]
}

/** Fails a run if more than `limit` tests were flaky. */
export function checkFlakyTests(flakyTests: readonly FlakyTest[], limit = MAX_FLAKY_TESTS): FlakyCheckResult {
  const tests = new Map(flakyTests.map((test) => [`${test.file}\n${test.title}`, test]))
  const lines = [...tests.values()].map(({ file, title, error }) => `flaky: ${file} ${title}\n${error}`)
  const failed = tests.size > limit
  return { failed, lines: failed ? [...lines, `${tests.size} tests were flaky. At most ${limit} are allowed.`] : lines }
}
