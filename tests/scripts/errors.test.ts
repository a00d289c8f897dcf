import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { errorReports, REPORT_TIME_HEADER, formatSignedReport } from '../../contract/telemetry/telemetry-calls.ts'
import { writeEnvironment } from '../../scripts/lib/secrets-file.ts'
import { openTestDeployment, type TestDeployment } from '../support/harness.ts'

const root = new URL('../..', import.meta.url).pathname
let deployment: TestDeployment
let dataFolder: string

beforeAll(async () => {
  deployment = await openTestDeployment()
  dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-errors-'))
  writeEnvironment(dataFolder, deployment.env)
})
afterAll(async () => {
  await deployment.close()
  rmSync(dataFolder, { recursive: true })
})

async function sendReport(build: string, message: string): Promise<void> {
  const frames = ['at t (https://cam.example.com/_astro/a.js:1:2)']
  const errors = [{ name: 'TypeError', message, frames }]
  const body = JSON.stringify({ level: 'error', at: 1, page: 'https://cam.example.com/live', errors, trail: [] })
  const at = String(Date.now())
  const signature = createHmac('sha256', deployment.env.MEDIA_KEY)
    .update(formatSignedReport(body, build, at))
    .digest('hex')
  const headers = { 'app-version': build, [REPORT_TIME_HEADER]: at, [SIGNATURE_HEADER]: signature }
  expect(
    (await fetch(deployment.env.PROVIDER_ORIGIN + errorReports.path, { method: 'POST', headers, body })).status,
  ).toBe(200)
}

async function runScript(script: string, args: readonly string[]) {
  const child = spawn(process.execPath, [script, ...args, '--data', dataFolder], { cwd: root })
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { ok: child.exitCode === 0, output, errorOutput }
}
async function runErrorsCommand(...args: string[]) {
  const { ok, output } = await runScript('scripts/errors.ts', args)
  return { ok, output }
}
const runInsightsCommand = (...args: string[]) => runScript('scripts/insights.ts', args)

test('npm run errors lists the errors that the running provider stores, filtered by a named build', async () => {
  expect(await runErrorsCommand()).toEqual({ ok: true, output: 'No errors were reported in the last 30 days.\n' })
  await sendReport('not-here', 'x is undefined')
  await sendReport('other', 'y is undefined')
  const { output } = await runErrorsCommand('--build', 'not-here')
  expect(output).toMatch(/^1 × {2}[\d: -]+ {2}build not-here {2}error\n {2}https:\/\/cam\.example\.com\/live\n/)
  expect(output).toContain('  TypeError: x is undefined\n    at t (https://cam.example.com/_astro/a.js:1:2)\n')
  expect(output).toContain("      The source maps for build not-here aren't stored on this computer.\n")
  expect(output).not.toContain('y is undefined')
  expect(await runErrorsCommand('--build', 'nowhere')).toEqual({
    ok: true,
    output:
      'No errors from build nowhere were reported in the last 30 days. Other builds with errors: other, not-here.\n',
  })
  const all = JSON.parse((await runErrorsCommand('--json')).output) as { build: string }[]
  expect(all.map(({ build }) => build).toSorted()).toEqual(['not-here', 'other'])
})

test('npm run insights fetches today, 7 and 30 days from the running provider or prints a one-line reason', async () => {
  const { reports } = JSON.parse((await runInsightsCommand('--json')).output) as { reports: { days: number }[] }
  expect(reports.map(({ days }) => days)).toEqual([1, 7, 30])
  const page = join(dataFolder, 'page.html')
  expect((await runInsightsCommand('--days', '1', '--html', page)).ok).toBe(true)
  expect(readFileSync(page, 'utf8')).toContain('<h2>Today</h2>')
  for (const [args, why] of [
    [['--json', '--serve'], 'Use only one of these options: --json, --serve.'],
    [['--html', join(dataFolder, 'nowhere/page.html')], "can't be written"],
    [['--days', '91'], 'from 1 to 90'],
  ] as const) {
    const { ok, errorOutput } = await runInsightsCommand(...args)
    expect([ok, errorOutput]).toEqual([false, expect.stringContaining(why)])
    expect(errorOutput.trim().split('\n')).toHaveLength(1)
  }
})
