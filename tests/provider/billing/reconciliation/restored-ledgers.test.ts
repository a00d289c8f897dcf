import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'
import type { Env } from '../../../../provider/env.ts'
import { callOperator } from '../../../../scripts/lib/operator.ts'
import { writeEnvironment } from '../../../../scripts/lib/secrets-file.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'

const root = new URL('../../../..', import.meta.url).pathname
const EMAIL = 'owner@example.com'
const TABLES = ['entries', 'postings', 'images', 'records', 'outbox', 'counters'] as const
type Row = Record<string, string | number | null>

let deployment: TestDeployment
let dataFolder: string
let DB: Env['DB']
let LEDGERS: Env['LEDGERS']
let userId: string
let ledgerRows: Map<string, Row[]>
let messageCount: number

beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
  dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-restored-'))
  writeEnvironment(dataFolder, deployment.env)
  ;({ DB, LEDGERS } = (await deployment.provider.getWorker().getEnv()) as Env)
  userId = (await DB.prepare('SELECT user_id FROM accounts WHERE email = ?').bind(EMAIL).first<string>('user_id')) ?? ''
})
afterAll(async () => {
  await deployment.close()
  rmSync(dataFolder, { recursive: true })
})

beforeEach(async () => {
  const ledger = await openStorage('LEDGERS')
  ledgerRows = new Map()
  for (const table of TABLES) ledgerRows.set(table, (await ledger.exec(`SELECT * FROM ${table}`)) as unknown as Row[])
  messageCount = await countMessages()
})

const openStorage = (binding: string) =>
  deployment.provider.getWorker().getDurableObjectStorage(binding, { name: userId })
const moveClock = (days: number) => callOperator(deployment.env, 'POST', ADMIN_PATHS.clock, { by_ms: days * DAY_MS })
const countMessages = async () =>
  (await DB.prepare('SELECT count(*) AS count FROM messages WHERE user_id = ?').bind(userId).first<number>('count')) ??
  0
const countCharges = async () => {
  const rows = await (
    await openStorage('GATEWAYS')
  ).exec(`SELECT count(*) AS count FROM charges WHERE state = 'captured'`)
  return (rows as unknown as { count: number }[])[0]?.count ?? 0
}
const getPaidUntil = async () =>
  await DB.prepare(`SELECT max(renews_at) AS at FROM subscriptions WHERE user_id = ? AND status = 'active'`)
    .bind(userId)
    .first<number>('at')

/** Replaces the ledger by its backup, on hold, as a restore does. The payment gateway stays as it is. */
async function restoreLedger(): Promise<void> {
  const ledger = await openStorage('LEDGERS')
  for (const table of TABLES.toReversed()) await ledger.exec(`DELETE FROM ${table}`)
  for (const [table, rows] of ledgerRows)
    for (const row of rows) {
      const values = Object.values(row)
      await ledger.exec(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`, ...values)
    }
  await ledger.exec(`INSERT INTO counters VALUES ('held', 1) ON CONFLICT DO UPDATE SET value = 1`)
  await DB.prepare(
    'DELETE FROM messages WHERE user_id = ? AND message_id IN (SELECT message_id FROM messages WHERE user_id = ? ORDER BY at DESC LIMIT ?)',
  )
    .bind(userId, userId, (await countMessages()) - messageCount)
    .run()
}

async function reconcile(...args: string[]) {
  const child = spawn(process.execPath, ['scripts/reconcile.ts', '--data', dataFolder, ...args], { cwd: root })
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exit: child.exitCode, output, errorOutput }
}

test('after a restore, nothing is charged or sent until reconcile; then each period is paid once', async () => {
  const before = await countCharges()
  await moveClock(400)
  const [charges, paidUntil] = [await countCharges(), await getPaidUntil()]
  expect([charges, await countMessages()]).toEqual([before + 1, expect.toSatisfy((count) => count > messageCount)])
  await restoreLedger()
  await moveClock(400)
  await LEDGERS.getByName(userId).processDue(Date.now())
  expect([await countCharges(), await countMessages()]).toEqual([charges, messageCount])
  const { exit, output, errorOutput } = await reconcile()
  expect([exit, errorOutput]).toEqual([0, ''])
  expect(output).toMatch(/^owner@example\.com {2}\$\d+\.\d\d collected after the backup was added to the balance\.$/m)
  expect(output).toMatch(/^Billing continues for 1 account\.$/m)
  expect(output).toMatch(/ledger, gateway, and projection agree\.$/m)
  expect([await countCharges(), await getPaidUntil(), await countMessages()]).toEqual([
    charges,
    paidUntil,
    messageCount,
  ])
  expect((await reconcile()).output).not.toContain('Billing continues')
  await moveClock(366)
  expect(await countMessages()).toBeGreaterThan(messageCount)
})

test('a refund that only the gateway has keeps the hold, until the operator releases the account', async () => {
  const gateway = await openStorage('GATEWAYS')
  const key =
    [...(ledgerRows.get('records') ?? [])].find(
      ({ kind, body }) => kind === 'charge' && String(body).includes('"booked"'),
    )?.['id'] ?? ''
  await gateway.exec(`INSERT INTO refunds VALUES ('of_the_test', ?, 're_of_the_test', 100, 0)`, key)
  await restoreLedger()
  const held = await reconcile()
  expect(held.exit).toBe(1)
  expect(held.output).toContain(`owner@example.com  on hold: gateway: refunds of charge ${key}`)
  expect(held.output).toMatch(/^Billing is still on hold for 1 account\./m)
  await gateway.exec(`UPDATE refunds SET cents = 50 WHERE refund_key = 'of_the_test'`)
  expect((await reconcile('--release', EMAIL)).output).toMatch(/^Billing continues for 1 account\.$/m)
  await gateway.exec(`DELETE FROM refunds WHERE refund_key = 'of_the_test'`)
  expect((await reconcile()).exit).toBe(0)
})

test('a backup that used Stripe keeps the hold while the provider has another gateway', async () => {
  await restoreLedger()
  await DB.prepare("INSERT INTO restored_accounts VALUES (?, 'stripe')").bind(userId).run()
  const held = await reconcile()
  expect(held.exit).toBe(1)
  expect(held.output).toMatch(/^owner@example\.com {2}on hold: gateway: the backup used Stripe, but BILLING_GATEWAY/m)
  expect((await reconcile('--release', EMAIL)).output).toMatch(/^Billing continues for 1 account\.$/m)
  expect(await DB.prepare('SELECT count(*) AS count FROM restored_accounts').first('count')).toBe(0)
})
