import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * Both halves of the browser suite: where each leaves its results, the projects of playwright.config.ts, and the experiment that
 * is on: which form of a page somebody sees is a matter of chance, so that only its own spec looks at pages in two forms.
 */
export const E2E_HALVES = [
  { folder: 'test-results/pages', projects: ['pages'], experiment: '' },
  { folder: 'test-results/cameras', projects: ['experiment', 'cameras', 'waiting'], experiment: 'annual-first' },
] as const
/** Where the runners leave their JSON reports, from the project's folder. */
export const REPORTS = {
  vitest: 'test-results/vitest.json',
  e2e: E2E_HALVES.map(({ folder }) => `${folder}/e2e.json`),
} as const

/**
 * The level at which a test ran: `provider`, `edge` and `bridge` tests speak HTTP to real Workers; `store` tests run the code
 * of a page without one.
 */
export type Level = 'unit' | 'store' | 'http' | 'browser' | 'build'
export interface TestResult {
  readonly title: string
  readonly level: Level
  readonly passed: boolean
}

interface VitestReport {
  testResults: {
    name: string
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}
interface Suite {
  suites?: Suite[]
  specs?: { title: string; file: string; ok: boolean; tests: { status: string; results?: Attempt[] }[] }[]
}
interface Attempt {
  error?: { message?: string }
}

/** A test that did not run. `file` is relative to the project's folder. */
export interface Skip {
  readonly file: string
  readonly title: string
}

/** A test that failed, and the first lines of why. */
export interface Failure extends Skip {
  readonly why: string
}

/** Every test that ran, as both runners last reported it. */
export function readReports(root: string): TestResult[] {
  return [...readVitest(join(root, REPORTS.vitest)), ...REPORTS.e2e.flatMap((path) => readPlaywright(join(root, path)))]
}

export function countTests(results: readonly TestResult[]): { passed: number; failed: number } {
  const passed = results.filter((result) => result.passed).length
  return { passed, failed: results.length - passed }
}

/** Every test that both runners left out. */
export function readSkips(root: string): Skip[] {
  const vitest = vitestReport(join(root, REPORTS.vitest)).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => !hasRun(status))
      .map(({ fullName }) => ({ file: relative(root, name), title: fullName })),
  )
  const browser = REPORTS.e2e
    .flatMap((path) => specsOf(join(root, path)))
    .filter((spec) => !ranIn(spec))
    .map(({ title, file }) => ({ file: `tests/e2e/${file}`, title }))
  return [...vitest, ...browser]
}

/** Every test that failed at both runners. */
export function readFailures(root: string): Failure[] {
  const vitest = vitestReport(join(root, REPORTS.vitest)).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file: relative(root, name),
        title: fullName,
        why: firstLines(failureMessages?.[0]),
      })),
  )
  const browser = REPORTS.e2e
    .flatMap((path) => specsOf(join(root, path)))
    .filter((spec) => ranIn(spec) && !spec.ok)
    .map(({ title, file, tests }) => {
      const attempts = tests.flatMap(({ results }) => results ?? [])
      const why = firstLines(attempts.find(({ error }) => error !== undefined)?.error?.message)
      return { file: `tests/e2e/${file}`, title, why }
    })
  return [...vitest, ...browser]
}

/** Lines of a failure that are shown again at the end of a run. */
const WHY_LINES = 12
const firstLines = (message = 'It said nothing.'): string =>
  stripVTControlCharacters(message).split('\n').slice(0, WHY_LINES).join('\n')

const hasRun = (status: string): boolean => status === 'passed' || status === 'failed'

function vitestReport(path: string): VitestReport['testResults'] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as VitestReport).testResults : []
}

function readVitest(path: string): TestResult[] {
  return vitestReport(path).flatMap((file) =>
    file.assertionResults
      .filter((test) => hasRun(test.status))
      .map((test) => ({ title: test.fullName, level: levelOf(file.name), passed: test.status === 'passed' })),
  )
}

function levelOf(file: string): Level {
  if (/tests\/unit\//.test(file)) return 'unit'
  if (/tests\/stores\//.test(file)) return 'store'
  return /tests\/scripts\//.test(file) ? 'build' : 'http'
}

type Spec = NonNullable<Suite['specs']>[number]
const ranIn = (spec: Spec): boolean => spec.tests.some((test) => test.status !== 'skipped')

function specsOf(path: string): Spec[] {
  if (!existsSync(path)) return []
  const walk = (suite: Suite): Spec[] => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(walk)]
  return walk(JSON.parse(readFileSync(path, 'utf8')) as Suite)
}

function readPlaywright(path: string): TestResult[] {
  return specsOf(path)
    .filter(ranIn)
    .map((spec) => ({ title: spec.title, level: 'browser', passed: spec.ok }))
}
