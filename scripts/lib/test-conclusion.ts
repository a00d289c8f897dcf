import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findUnexpectedSkips } from './allowed-skips.ts'
import { readFileAtBase } from './changes.ts'
import {
  findExpiredEntries,
  KNOWN_FLAKY_FILE,
  parseKnownFlaky,
  readKnownFlaky,
  findRedatedEntries,
  checkFlakyTests,
} from './flaky.ts'
import { countTests, sumSecondsByFile, type TestReport } from './reports.ts'
import { describeStep, type StepResult } from './test-steps.ts'
import { listSlowerFiles, type TestDurations } from './times.ts'

const MAX_SHOWN_TESTS = 20

export interface TestRun {
  readonly root: string
  readonly reports: readonly TestReport[]
  readonly steps: readonly StepResult[]
  /** Slowness of this machine relative to the reference machine: 2 means half as fast (machine.ts). */
  readonly factor: number
  readonly isAll: boolean
  readonly times: TestDurations
}

/** Prints the result of a run; failures and their complete errors come last. Returns the exit code. */
export function concludeRun(run: TestRun): number {
  const { root, reports, steps, factor } = run
  console.log('\nSeconds per step:')
  for (const step of steps) console.log(`  ${describeStep(step)}`)
  console.log(`\nThe ${MAX_SHOWN_TESTS} slowest tests:`)
  for (const { file, title, seconds } of [...reports].sort((a, b) => b.seconds - a.seconds).slice(0, MAX_SHOWN_TESTS))
    console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}: ${title}`)
  for (const line of listSlowerFiles(run.times, sumSecondsByFile(reports), factor)) console.log(line)
  const flaky = reports.filter(({ status }) => status === 'flaky')
  writeFileSync(join(root, 'test-results/flaky.json'), `${JSON.stringify(flaky, null, 2)}\n`)
  const { failed: isTooFlaky, lines } = checkFlakyTests(flaky)
  for (const line of lines) console.log(`\n${line}`)
  for (const { file, title, error } of reports.filter(({ status }) => status === 'failed'))
    console.log(`\nFailed: ${file}: ${title}\n${error}`)
  const failureReasons = listFailureReasons(run)
  for (const refusal of failureReasons) console.log(`\n${refusal}`)
  const { passed, failed, skipped } = countTests(reports)
  const brokenSteps = steps.filter((step) => !step.passed).map(({ name }) => name)
  if (brokenSteps.length > 0) console.log(`\nFailed: ${brokenSteps.join(', ')}`)
  // A step can fail without a failed test (a type error, a crashed runner), so the number of failed steps counts too.
  const failures = Math.max(failed, brokenSteps.length) + failureReasons.length + (isTooFlaky ? 1 : 0)
  console.log(`\n${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return failures > 0 || steps.length === 0 ? 1 : 0
}

/**
 * Returns reasons to fail a run without failed tests: unexpected skips, re-dated entries of the list of known flaky
 * tests and, in `npm run test:all`, expired entries of this list.
 */
function listFailureReasons({ root, reports, isAll }: TestRun): string[] {
  const skips = findUnexpectedSkips(reports.filter(({ status }) => status === 'skipped'))
  const entries = readKnownFlaky(root)
  const oldEntries = parseKnownFlaky(readFileAtBase(root, KNOWN_FLAKY_FILE) ?? '[]')
  const today = new Date().toISOString().slice(0, 10)
  return [
    ...skips.map(({ file, title }) => `Skipped, but not listed in scripts/lib/allowed-skips.ts: ${file}: ${title}`),
    ...findRedatedEntries(oldEntries, entries).map(
      ({ file, title }) => `The date was changed in ${KNOWN_FLAKY_FILE}: ${file}: ${title}`,
    ),
    ...(isAll ? findExpiredEntries(entries, today) : []).map(
      ({ file, title, since }) => `Listed as flaky for too long, since ${since}: ${file}: ${title}`,
    ),
  ]
}
