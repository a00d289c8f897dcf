import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { readRestoredRecord } from '../../../scripts/lib/backup/swap-folders.ts'
import { continueBillingAfterRestore } from '../../../scripts/lib/settle-ledgers.ts'
import { backUp, createTestFolder, readRows, restore, unpackDataFolder } from '../../support/backups.ts'

const D1 = 'state/provider/v3/d1/miniflare-D1DatabaseObject'

let folder: string
let original: string
let data: string
let restored: string
let count = 0
beforeAll(() => {
  folder = createTestFolder()
  original = join(folder, 'original')
  unpackDataFolder(original)
})
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => {
  count += 1
  data = join(folder, `data-${count}`)
  restored = join(folder, `restored-${count}`)
  cpSync(original, data, { recursive: true })
  rmSync(join(data, 'run.env'), { force: true })
})

const getDatabase = (path: string) =>
  join(path, D1, readdirSync(join(path, D1)).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name)) ?? '')
const listRestoredAccounts = (path: string) =>
  (readRows(getDatabase(path))['restored_accounts'] ?? []).map((row) => JSON.parse(row) as object)
const listAccountIds = (path: string) =>
  (readRows(getDatabase(path))['accounts'] ?? []).map((row) => (JSON.parse(row) as { user_id: string }).user_id)

async function backUpAndRestore(): Promise<void> {
  await backUp(data, join(folder, `${count}.backup`))
  await restore(join(folder, `${count}.backup`), restored)
}

/** Runs the step of a start that ends the hold, without a provider. */
async function continueBilling(gateway: 'stripe' | 'embedded'): Promise<string[]> {
  const lines: string[] = []
  const operator = { PROVIDER_ORIGIN: 'http://127.0.0.1:9', ADMIN_KEY: 'of the test', BILLING_GATEWAY: gateway }
  await continueBillingAfterRestore(restored, operator, (line) => lines.push(line))
  return lines
}

test('every account of the backup is listed, with the gateway of the last start', async () => {
  writeFileSync(join(data, 'run.env'), 'BILLING_GATEWAY=embedded\n')
  await backUpAndRestore()
  expect(readRestoredRecord(restored)?.gateway).toBe('embedded')
  expect(listAccountIds(data).length).toBeGreaterThan(3)
  expect(listRestoredAccounts(restored)).toEqual(
    listAccountIds(data).map((user_id) => expect.objectContaining({ user_id, gateway: 'embedded' })),
  )
})

const storeCustomer = () => {
  const database = new DatabaseSync(getDatabase(data))
  database.exec(`INSERT INTO stripe_customers VALUES ('user_of_the_test', 'cus_of_the_test')`)
  database.close()
}
test.each([
  ['the last start used Stripe', () => writeFileSync(join(data, 'run.env'), 'BILLING_GATEWAY=stripe\n')],
  ['it contains customers of Stripe', storeCustomer],
])('a start without Stripe keeps the hold of a backup if %s', async (_reason, prepare) => {
  prepare()
  await backUpAndRestore()
  vi.stubEnv('npm_lifecycle_event', 'start')
  expect(await continueBilling('embedded')).toEqual([
    expect.stringMatching(/^Billing is on hold, .* It used Stripe, but .* then run npm run reconcile\.$/),
  ])
  vi.unstubAllEnvs()
  expect((await continueBilling('stripe'))[0]).toMatch(/^Billing is on hold, .* run porchlight reconcile\.$/)
  expect(readRestoredRecord(restored)?.gateway).toBe('stripe')
  expect(listRestoredAccounts(restored)).toContainEqual(expect.objectContaining({ gateway: 'stripe' }))
})

test('a start settles a backup without Stripe', async () => {
  await backUpAndRestore()
  // Without a provider, the attempt fails.
  expect((await continueBilling('embedded'))[0]).toMatch(/^Billing is on hold after the restore\. The provider at/)
})
