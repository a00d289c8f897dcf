import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import { previewPurchase, updatePurchase } from '../../../../contract/billing/purchase.ts'
import type { Env } from '../../../../provider/env.ts'
import { writeEnvironment } from '../../../../scripts/lib/secrets-file.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { sendCallAsEdge, signInAtProvider } from '../../../support/provider.ts'

const root = new URL('../../../..', import.meta.url).pathname
const EMAIL = 'expiring@example.com'
let deployment: TestDeployment
let dataFolder: string
let DB: Env['DB']
let LEDGERS: Env['LEDGERS']
let user: { id: string; token: string }

beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
  dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-reconcile-'))
  writeEnvironment(dataFolder, deployment.env)
  ;({ DB, LEDGERS } = (await deployment.provider.getWorker().getEnv()) as Env)
  const { access_token: token } = await signInAtProvider(deployment.env, EMAIL)
  user = {
    token,
    id: ((await (await sendCallAsEdge(deployment.env, userMe, token)).json()) as { user_id: string }).user_id,
  }
  await buyLicense()
})
afterAll(async () => {
  await deployment.close()
  rmSync(dataFolder, { recursive: true })
})

const fetchData = async (call: Parameters<typeof sendCallAsEdge>[1], payload: Record<string, unknown>, params = {}) => {
  const answer = await sendCallAsEdge(deployment.env, call, user.token, {
    payload: { ...payload, user_id: user.id },
    params,
  })
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into, field by field
  const body = (await answer.json()) as any
  expect([answer.status, body.code]).toEqual([200, 200])
  return body.data
}

async function buyLicense(): Promise<void> {
  const { methods } = await LEDGERS.getByName(user.id).getPaymentOverview(Date.now())
  const [plan] = (await fetchData(getSubscriptions, {}, { uuid: user.id })).subscriptions as Subscription[]
  if (!plan) throw new Error('The demo account has no plan.')
  const { subscription_id, revision } = plan
  const target = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: plan.quantity + 1, subscription_id, revision }
  const { quote, due, change } = await fetchData(previewPurchase, target)
  expect(due).toBeGreaterThan(0)
  const paid = { quote, change, intent: 'an_intent_of_the_test', method_id: methods[0]?.method_id ?? '' }
  expect((await fetchData(updatePurchase, { ...target, ...paid })).order).toMatchObject({ paid: due, quantity: 4 })
}

async function reconcile(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/reconcile.ts', '--data', dataFolder, ...args], { cwd: root })
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exit: child.exitCode, output, errorOutput }
}
const openStorage = (binding: string) =>
  deployment.provider.getWorker().getDurableObjectStorage(binding, { name: user.id })

test('reports no mismatch when ledger, gateway and projection agree', async () => {
  const { exit, output, errorOutput } = await reconcile()
  expect([exit, errorOutput]).toEqual([0, ''])
  expect(output).toMatch(/^10 accounts, \d+ charges, \$\d+\.\d\d: ledger, gateway, and projection agree\.$/m)
})

describe('mismatch report with account and amount', () => {
  const reverts: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const revert of reverts.splice(0)) await revert()
    expect((await reconcile()).exit).toBe(0)
  })

  async function alterCharge() {
    const gateway = await openStorage('GATEWAYS')
    const [row] = (await gateway.exec('SELECT key, cents FROM charges')) as unknown as { key: string; cents: number }[]
    await gateway.exec('UPDATE charges SET cents = cents - 1')
    reverts.push(async () => gateway.exec('UPDATE charges SET cents = cents + 1'))
    return row ?? { key: '', cents: 0 }
  }
  async function alterPosting() {
    const ledgerStorage = await openStorage('LEDGERS')
    const [row] = (await ledgerStorage.exec(
      "SELECT posting_id, entry_id FROM postings WHERE account = 'cash' LIMIT 1",
    )) as unknown as { posting_id: number; entry_id: number }[]
    const { posting_id = 0, entry_id = 0 } = row ?? {}
    await ledgerStorage.exec('UPDATE postings SET cents = cents + 7 WHERE posting_id = ?', posting_id)
    reverts.push(async () =>
      ledgerStorage.exec('UPDATE postings SET cents = cents - 7 WHERE posting_id = ?', posting_id),
    )
    return entry_id
  }
  async function alterRow() {
    await DB.prepare('UPDATE subscriptions SET quantity = 9, next_total = 1 WHERE user_id = ?').bind(user.id).run()
    reverts.push(() => reconcile('--rebuild'))
  }
  const dollarsPattern = (cents: number) => `\\$${(cents / 100).toFixed(2).replace('.', '\\.')}`

  test('names an altered gateway charge, ledger posting and projection row', async () => {
    const { key, cents } = await alterCharge()
    const entry = await alterPosting()
    await alterRow()
    const { exit, output } = await reconcile()
    expect(exit).toBe(1)
    const linePattern = (words: string) => new RegExp(`^expiring@example\\.com  ${words}$`, 'm')
    expect(output).toMatch(
      linePattern(
        `gateway: charge ${key} \\(ch_\\w+\\): ledger ${dollarsPattern(cents)}, gateway ${dollarsPattern(cents - 1)}`,
      ),
    )
    expect(output).toMatch(linePattern(`book: postings of entry ${entry}: ledger \\$0\\.07, should be \\$0\\.00`))
    expect(output).toMatch(
      linePattern(`book: cash, collected: ledger ${dollarsPattern(cents + 7)}, should be ${dollarsPattern(cents)}`),
    )
    expect(output).toMatch(linePattern('projection: quantity for subscription \\w+: 4 in the ledger, 9 in the row'))
    expect(output).toMatch(/projection: next_total for .*: ledger \$\d+\.\d\d, projection \$0\.01/)
    expect(output).toMatch(/^10 accounts, .*: 6 differences\.$/m)
  })

  test('names a charge unknown to the gateway and one unknown to the ledger', async () => {
    const gateway = await openStorage('GATEWAYS')
    await gateway.exec("UPDATE charges SET key = 'another'")
    const ledgerStorage = await openStorage('LEDGERS')
    const [row] = (await ledgerStorage.exec("SELECT id FROM records WHERE kind = 'charge'")) as unknown as {
      id: string
    }[]
    reverts.push(async () => gateway.exec('UPDATE charges SET key = ?', row?.id ?? ''))
    const { exit, output } = await reconcile()
    expect(exit).toBe(1)
    expect(output).toMatch(/gateway: charge another \(ch_\w+\): ledger nothing, gateway \$/)
    expect(output).toMatch(new RegExp(`gateway: charge ${row?.id ?? ''} .*: ledger \\$\\d+\\.\\d\\d, gateway nothing`))
  })

  test('names a record that differs from the journal', async () => {
    const ledgerStorage = await openStorage('LEDGERS')
    const swap = (from: string, to: string) =>
      ledgerStorage.exec("UPDATE records SET body = replace(body, ?, ?) WHERE kind = 'order'", from, to)
    await swap('"quantity":4', '"quantity":5')
    reverts.push(async () => swap('"quantity":5', '"quantity":4'))
    expect((await reconcile()).output).toMatch(/book: order \w+ differs from the journal/)
  })

  test('names rows that no ledger has and a missing row', async () => {
    await DB.prepare('DELETE FROM subscriptions WHERE user_id = ?').bind(user.id).run()
    await DB.prepare(
      `INSERT INTO subscriptions (subscription_id, user_id, sku, status, quantity, period, billing_provider, renews_at, created_at, seq)
       VALUES ('sub_given', ?, 'pro', 'active', 1, 'annual', 'card', 0, 0, 5)`,
    )
      .bind(user.id)
      .run()
    reverts.push(() => reconcile('--rebuild'))
    const { output } = await reconcile()
    expect(output).toMatch(
      /projection: the row for subscription sub_demo_\w+ is missing|subscription sub_given has a row/,
    )
    expect(output).toContain("subscription sub_given has a row but isn't in any ledger")
    expect(output).toMatch(/the row for subscription \w+ is missing/)
  })
})

test('--open creates missing ledgers, and --rebuild rewrites the projection', async () => {
  const { exit, output } = await reconcile('--open', '--rebuild')
  expect(exit).toBe(0)
  expect(output).toContain('Accounts with a ledger: 10')
  expect(output).toContain('Ledgers with rebuilt projections: 10')
})

test('rejects calls from anyone but an operator', async () => {
  for (const [method, path] of [
    ['GET', ADMIN_PATHS.books],
    ['POST', `${ADMIN_PATHS.books}/rebuild`],
    ['POST', `${ADMIN_PATHS.books}/open`],
  ] as const) {
    const headers = { authorization: 'Admin wrong' }
    expect((await fetch(deployment.env.PROVIDER_ORIGIN + path, { method, headers })).status).toBe(401)
  }
})
