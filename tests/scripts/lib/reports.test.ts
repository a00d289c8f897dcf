import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { countTests, readReports, REPORT_FILES, sumSecondsByFile } from '../../../scripts/lib/reports.ts'

function writeReports(vitest: readonly object[], browser: readonly object[], message = '', status = 'passed'): string {
  const root = mkdtempSync(join(tmpdir(), 'porchlight-reports-'))
  const write = (path: string, report: object) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(report))
  }
  const name = join(root, 'tests/unit/a.test.ts')
  write(REPORT_FILES.vitest.whole, { testResults: [{ name, message, status, assertionResults: vitest }] })
  write(REPORT_FILES.browser[0] ?? '', { suites: [{ suites: [{ specs: browser }] }] })
  return root
}

const buildSpec = (status: string, tries: readonly object[], ok = status !== 'unexpected') => ({
  title: 'a page',
  file: 'a.spec.ts',
  ok,
  tests: [{ status, results: tries }],
})
const COLORED_ERROR = `\u001B[31mexpected 1\u001B[39m\n${'at somewhere\n'.repeat(40)}`
const PLAIN_ERROR = `expected 1\n${'at somewhere\n'.repeat(40)}`

test('a failed test is reported by file and title, with its complete error and without colors', () => {
  const root = writeReports(
    [{ fullName: 'a sum', status: 'failed', failureMessages: [COLORED_ERROR] }],
    [
      buildSpec('unexpected', [
        { duration: 1500, errors: [{ message: COLORED_ERROR }] },
        { duration: 500, errors: [] },
      ]),
    ],
  )
  const reports = readReports(root)
  expect(reports.map(({ file, title, level, status, error }) => [file, title, level, status, error])).toEqual([
    ['tests/unit/a.test.ts', 'a sum', 'unit', 'failed', PLAIN_ERROR],
    ['tests/e2e/a.spec.ts', 'a page', 'browser', 'failed', PLAIN_ERROR],
  ])
  expect(sumSecondsByFile(reports).get('tests/e2e/a.spec.ts')).toBe(2)
})

test('a test that passes on the second try is flaky and keeps the error of the first', () => {
  const root = writeReports([], [buildSpec('flaky', [{ errors: [{ message: COLORED_ERROR }] }, { errors: [] }])])
  expect(readReports(root)).toMatchObject([{ status: 'flaky', error: PLAIN_ERROR }])
  expect(countTests(readReports(root))).toEqual({ passed: 1, failed: 0, skipped: 0 })
})

test('a passed test is no failure, and a test that did not run is a skip', () => {
  const root = writeReports(
    [
      { fullName: 'a sum', status: 'passed', duration: 250 },
      { fullName: 'another', status: 'pending' },
    ],
    [buildSpec('skipped', [])],
  )
  expect(readReports(root).map(({ status }) => status)).toEqual(['passed', 'skipped', 'skipped'])
})

test('a file that cannot be loaded counts as a failed test', () => {
  const root = writeReports([], [], 'SyntaxError: no', 'failed')
  expect(readReports(root)).toMatchObject([{ title: 'the file itself', status: 'failed', error: 'SyntaxError: no' }])
})
