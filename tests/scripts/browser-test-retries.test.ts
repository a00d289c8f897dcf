import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

interface PlaywrightReport {
  suites: { specs: { title: string; tests: { status: string; results: { error?: { message: string } }[] }[] }[] }[]
}

const root = new URL('../..', import.meta.url).pathname

/** Runs Playwright on small pages with one fault each, with the fixtures and retries of the browser suite. */
describe('a failing browser test', () => {
  let report: PlaywrightReport
  beforeAll(() => {
    const results = mkdtempSync(join(tmpdir(), 'porchlight-second-try-'))
    spawnSync(join(root, 'node_modules/.bin/playwright'), ['test', '-c', 'tests/support/second-try'], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, E2E_RESULTS: results },
    })
    report = JSON.parse(readFileSync(join(results, 'e2e.json'), 'utf8')) as PlaywrightReport
  })
  const getOutcome = (title: string) => {
    const [run] = report.suites.flatMap(({ specs }) => specs).find((spec) => spec.title === title)?.tests ?? []
    return { status: run?.status, second: run?.results[1]?.error?.message }
  }

  test.each([
    ['an exception in a page', '/throws', /page error Error: broken/],
    ['a Content Security Policy violation', '/policy', /policy .*Content Security Policy/],
    ['an unexpected 5xx response', '/asks', /response 503 \/fails/],
  ])('is not retried because of %s', (_, title, why) => {
    expect(getOutcome(title).status).toBe('unexpected')
    expect(getOutcome(title).second).toMatch(/No second try after this fault/)
    expect(getOutcome(title).second).toMatch(why)
  })

  test('is retried because of a race, and counts as flaky', () => {
    expect(getOutcome('race').status).toBe('flaky')
  })

  test('passes if it forgives what it provokes, by status and path', () => {
    expect(getOutcome('provoked').status).toBe('expected')
  })
})
