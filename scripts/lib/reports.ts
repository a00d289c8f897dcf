import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * Folders of the two browser test runs, relative to the project's folder. Each run starts its own Porchlight
 * deployment.
 */
export const BROWSER_RUN_FOLDERS = ['test-results/lane-1', 'test-results/lane-2'] as const
/** Paths of the runners' JSON reports, relative to the project's folder. */
export const REPORT_FILES = {
  vitest: { whole: 'test-results/vitest.json', part: 'test-results/vitest-part.json' },
  browser: BROWSER_RUN_FOLDERS.map((folder) => `${folder}/e2e.json`),
} as const

/**
 * Level of a test. `http`: the vitest projects `provider`, `edge` and `bridge`, which send HTTP requests to real
 * Workers. `store`: tests that run page code in jsdom.
 */
export type TestLevel = 'unit' | 'store' | 'http' | 'browser' | 'build'

export interface TestReport {
  /** Path of the test file, relative to the project's folder. */
  readonly file: string
  readonly title: string
  readonly level: TestLevel
  /** `flaky`: failed, then passed on the second try. */
  readonly status: 'passed' | 'failed' | 'flaky' | 'skipped'
  readonly seconds: number
  /** Complete errors of the failed tries, without colors. */
  readonly error: string
}

interface VitestReport {
  testResults: {
    name: string
    message?: string
    status?: string
    startTime?: number
    endTime?: number
    assertionResults: { fullName: string; status: string; duration?: number | null; failureMessages?: string[] }[]
  }[]
}
interface BrowserSuite {
  suites?: BrowserSuite[]
  specs?: BrowserSpec[]
}
interface BrowserSpec {
  title: string
  file: string
  ok: boolean
  tests: { status: string; results?: { duration?: number; errors?: { message?: string }[] }[] }[]
}

export function readReports(root: string): TestReport[] {
  return [
    ...Object.values(REPORT_FILES.vitest).flatMap((path) => readVitest(root, join(root, path))),
    ...REPORT_FILES.browser.flatMap((path) => readBrowser(join(root, path))),
  ]
}

export function countTests(reports: readonly TestReport[]): { passed: number; failed: number; skipped: number } {
  const count = (...statuses: TestReport['status'][]) =>
    reports.filter(({ status }) => statuses.includes(status)).length
  return { passed: count('passed', 'flaky'), failed: count('failed'), skipped: count('skipped') }
}

/** Returns the duration in seconds of the tests of each file, retries of browser tests included. */
export function sumSecondsByFile(reports: readonly TestReport[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { file, seconds } of reports) sums.set(file, (sums.get(file) ?? 0) + seconds)
  return sums
}

function readVitest(root: string, path: string): TestReport[] {
  if (!existsSync(path)) return []
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as VitestReport
  return testResults.flatMap(({ name, message = '', status: fileStatus, assertionResults }) => {
    const file = relative(root, name)
    const level = getTestLevel(file)
    const reports = assertionResults.map(({ fullName, status, duration, failureMessages = [] }): TestReport => ({
      file,
      level,
      title: fullName,
      seconds: (duration ?? 0) / 1000,
      error: joinWithoutColors(failureMessages),
      status: status === 'passed' || status === 'failed' ? status : 'skipped',
    }))
    // A file that fails to load reports no tests, so the file counts as one failed test.
    const isLost = fileStatus === 'failed' && !reports.some(({ status }) => status === 'failed')
    return isLost
      ? [
          ...reports,
          { file, level, title: 'the file itself', seconds: 0, status: 'failed', error: joinWithoutColors([message]) },
        ]
      : reports
  })
}

function getTestLevel(file: string): TestLevel {
  if (file.startsWith('tests/unit/')) return 'unit'
  if (file.startsWith('tests/stores/')) return 'store'
  return file.startsWith('tests/scripts/') ? 'build' : 'http'
}

function readBrowser(path: string): TestReport[] {
  if (!existsSync(path)) return []
  const walk = (suite: BrowserSuite): BrowserSpec[] => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(walk)]
  return walk(JSON.parse(readFileSync(path, 'utf8')) as BrowserSuite).map((spec) => {
    const attempts = spec.tests.flatMap(({ results }) => results ?? [])
    return {
      file: `tests/e2e/${spec.file}`,
      title: spec.title,
      level: 'browser',
      status: toStatus(spec),
      seconds: attempts.reduce((sum, { duration = 0 }) => sum + duration / 1000, 0),
      error: joinWithoutColors(attempts.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message))),
    }
  })
}

function toStatus({ ok, tests }: BrowserSpec): TestReport['status'] {
  if (tests.every(({ status }) => status === 'skipped')) return 'skipped'
  if (!ok) return 'failed'
  return tests.some(({ status }) => status === 'flaky') ? 'flaky' : 'passed'
}

const joinWithoutColors = (messages: readonly string[]): string => stripVTControlCharacters(messages.join('\n\n'))
