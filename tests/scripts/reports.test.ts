import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readFailures, REPORTS } from '../../scripts/lib/reports.ts'

/** A folder in which both runners left a report. */
function reported(vitest: object, browser: object): string {
  const root = mkdtempSync(join(tmpdir(), 'porchlight-reports-'))
  const write = (path: string, report: object) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(report))
  }
  write(REPORTS.vitest, {
    testResults: [{ name: join(root, 'tests/unit/a.test.ts'), assertionResults: [vitest] }],
  })
  write(REPORTS.e2e[0] ?? '', { suites: [{ suites: [{ specs: [browser] }] }] })
  return root
}

test('what failed is named by file and title, with the first lines of why and without colours', () => {
  const why = `\u001B[31mexpected 1\u001B[39m\n${'at somewhere\n'.repeat(40)}`
  const root = reported(
    { fullName: 'a sum', status: 'failed', failureMessages: [why] },
    {
      title: 'a page',
      file: 'a.spec.ts',
      ok: false,
      tests: [{ status: 'unexpected', results: [{ error: { message: why } }] }],
    },
  )
  const failures = readFailures(root)
  expect(failures.map(({ file, title }) => [file, title])).toEqual([
    ['tests/unit/a.test.ts', 'a sum'],
    ['tests/e2e/a.spec.ts', 'a page'],
  ])
  for (const failure of failures)
    expect(failure.why.split('\n')).toEqual(['expected 1', ...Array(11).fill('at somewhere')])
})

test('what passed or did not run is no failure', () => {
  const root = reported(
    { fullName: 'a sum', status: 'passed' },
    { title: 'a page', file: 'a.spec.ts', ok: true, tests: [{ status: 'skipped' }] },
  )
  expect(readFailures(root)).toEqual([])
})
