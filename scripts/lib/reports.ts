import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the runners leave their JSON reports, from the project's folder. */
export const REPORTS = { vitest: 'test-results/vitest.json', e2e: 'test-results/e2e.json' } as const

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
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}
interface Suite {
  suites?: Suite[]
  specs?: { title: string; ok: boolean; tests: { status: string }[] }[]
}

/** Every test that the last run of both runners reported. Skipped ones are left out. */
export function readReports(root: string): TestResult[] {
  return [...readVitest(join(root, REPORTS.vitest)), ...readPlaywright(join(root, REPORTS.e2e))]
}

export function countTests(results: readonly TestResult[]): { passed: number; failed: number } {
  const passed = results.filter((result) => result.passed).length
  return { passed, failed: results.length - passed }
}

function readVitest(path: string): TestResult[] {
  if (!existsSync(path)) return []
  const report = JSON.parse(readFileSync(path, 'utf8')) as VitestReport
  return report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'passed' || test.status === 'failed')
      .map((test) => ({ title: test.fullName, level: levelOf(file.name), passed: test.status === 'passed' })),
  )
}

function levelOf(file: string): Level {
  if (/tests\/unit\//.test(file)) return 'unit'
  if (/tests\/stores\//.test(file)) return 'store'
  return /tests\/scripts\//.test(file) ? 'build' : 'http'
}

function readPlaywright(path: string): TestResult[] {
  if (!existsSync(path)) return []
  const walk = (suite: Suite): TestResult[] => [
    ...(suite.specs ?? [])
      .filter((spec) => spec.tests.some((test) => test.status !== 'skipped'))
      .map((spec) => ({ title: spec.title, level: 'browser' as const, passed: spec.ok })),
    ...(suite.suites ?? []).flatMap(walk),
  ]
  return walk(JSON.parse(readFileSync(path, 'utf8')) as Suite)
}
