import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { findAccountByEmail } from '../../../provider/accounts/account-rows.ts'
import type { Env } from '../../../provider/env.ts'
import { writeEnvironment } from '../../../scripts/lib/secrets-file.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'

const root = new URL('../../..', import.meta.url).pathname
let deployment: TestDeployment
let env: Env
let dataFolder: string

beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
  dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-clock-'))
  writeEnvironment(dataFolder, deployment.env)
  env = (await deployment.provider.getWorker().getEnv()) as Env
})
afterAll(async () => {
  await deployment.close()
  rmSync(dataFolder, { recursive: true })
})

async function runScript(script: string, ...args: string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, '--data', dataFolder, ...args], { cwd: root })
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exit: child.exitCode, output, errorOutput }
}
async function getLedger(email: string) {
  const account = await findAccountByEmail(env.DB, email)
  return env.LEDGERS.getByName(account?.userId ?? '')
}

test('a demo account has two years of rule-based invoices that are correct to the cent', async () => {
  const bills = await (await getLedger('owner@example.com')).listInvoices(Date.now())
  expect(bills.length).toBeGreaterThan(22)
  expect((Date.now() - (bills.at(-1)?.at ?? 0)) / 86_400_000).toBeGreaterThan(729)
  const late = bills.filter(({ at, paid_at }) => paid_at !== null && paid_at - at > 3_600_000)
  expect(late.length).toBeGreaterThan(0)
  expect((await runScript('reconcile')).output).toMatch(/10 accounts, \d+ charges, .*agree\./)
  // The seed's past events cause no notifications.
  const { results } = await env.DB.prepare(
    "SELECT kind FROM messages JOIN accounts USING (user_id) WHERE email = 'owner@example.com'",
  ).all()
  expect(results).toEqual([])
})

test('npm run clock shows a renewal and only moves forward', async () => {
  expect((await runScript('clock')).output).toContain("The clock for the 10 demo accounts shows today's date.")
  const ledger = await getLedger('expiring@example.com')
  const before = (await ledger.listInvoices(Date.now())).length
  expect((await runScript('clock', '+40d')).output).toMatch(
    /The clock for the 10 demo accounts is 40\.0 days ahead and shows \d{4}-\d\d-\d\d\./,
  )
  expect((await ledger.listInvoices(Date.now())).length).toBeGreaterThan(before)
  expect((await runScript('clock')).output).toContain('40.0 days ahead')
  for (const wrong of ['-3d', '+0d', '+3m', 'soon']) {
    const { exit, errorOutput } = await runScript('clock', '--', wrong)
    expect([exit, errorOutput.includes('Use a value such as +40d')]).toEqual([1, true])
  }
  expect((await runScript('reconcile')).exit).toBe(0)
})

test('only an operator can move the test clock', async () => {
  const advanceClock = (authorization: string, by_ms: number) =>
    fetch(deployment.env.PROVIDER_ORIGIN + ADMIN_PATHS.clock, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ by_ms }),
    })
  expect((await advanceClock('Admin wrong', 1000)).status).toBe(401)
  for (const by of [0, -1000, 0.5, 4 * 366 * 86_400_000])
    expect((await advanceClock(`Admin ${deployment.env.ADMIN_KEY}`, by)).status).toBe(400)
})
