import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCardSession } from '../../../../contract/billing/payment-calls.ts'
import { previewPurchase } from '../../../../contract/billing/purchase.ts'
import { getSubscriptions } from '../../../../contract/billing/subscriptions.ts'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { callOperator } from '../../../../scripts/lib/operator.ts'
import { CAMERA_AI_ORDER, findLastIntent, openShop, type Buyer, type Shop } from '../../../support/stripe/shop.ts'

const LEDGER_TABLES = ['postings', 'images', 'records', 'outbox', 'counters', 'entries'] as const

let shop: Shop
beforeAll(async () => void (shop = await openShop()))
afterAll(() => shop.close())

/** Removes what an account wrote after a backup from before its first purchase, as a restore does. */
async function restoreFromBeforePurchase({ userId }: Buyer, gateway = 'stripe'): Promise<void> {
  const { stage, bindings } = shop.neighborhood
  const ledger = await stage.provider.getWorker().getDurableObjectStorage('LEDGERS', { name: userId })
  for (const table of LEDGER_TABLES) await ledger.exec(`DELETE FROM ${table}`)
  await bindings.DB.batch([
    bindings.DB.prepare('DELETE FROM stripe_customers WHERE account = ?').bind(userId),
    bindings.DB.prepare('DELETE FROM stripe_sessions WHERE user_id = ?').bind(userId),
    bindings.DB.prepare('DELETE FROM subscriptions WHERE user_id = ?').bind(userId),
    bindings.DB.prepare('INSERT INTO restored_accounts (user_id, gateway) VALUES (?, ?)').bind(userId, gateway),
  ])
}

interface Settlement {
  readonly email: string
  readonly is_settled: boolean
  readonly cents: number
  readonly differences: readonly { readonly what: string }[]
}

async function settle({ userId }: Buyer, release = ''): Promise<Settlement | undefined> {
  const path = `${ADMIN_PATHS.books}/settle?release=${encodeURIComponent(release)}`
  const { data } = (await callOperator(shop.neighborhood.stage.env, 'POST', path)) as {
    data: { settled: Settlement[] }
  }
  return data.settled.find(({ email }) => email === toEmail(userId))
}

const toEmail = (userId: string) => `${userId.replace('user_', '')}@example.com`
const preview = async (buyer: Buyer) => (await shop.neighborhood.call(buyer, previewPurchase, CAMERA_AI_ORDER)).status
const isShownOnHold = async (buyer: Buyer) =>
  (await shop.neighborhood.call(buyer, getSubscriptions, {}, { uuid: buyer.userId })).body.data.is_on_hold === true
const readRestoredAccounts = async ({ userId }: Buyer) => {
  const { results } = await shop.neighborhood.bindings.DB.prepare('SELECT * FROM restored_accounts WHERE user_id = ?')
    .bind(userId)
    .all()
  return results
}
const listCustomers = ({ userId }: Buyer) =>
  [...shop.stripe.account.customers.values()].filter(({ metadata }) => metadata['account'] === userId)

async function createRestoredBuyer(): Promise<{ buyer: Buyer; paid: number }> {
  const buyer = await shop.createBuyer({ behavior: 'pays' })
  expect((await shop.buy(buyer)).status).toBe(200)
  await restoreFromBeforePurchase(buyer)
  return { buyer, paid: findLastIntent(shop, buyer).amount }
}

test('a ledger that is missing from the backup starts on hold, and gets what Stripe has collected', async () => {
  const { buyer, paid } = await createRestoredBuyer()
  expect([await preview(buyer), await isShownOnHold(buyer)]).toEqual([503, true])
  expect(await settle(buyer)).toMatchObject({ is_settled: true, cents: paid, differences: [] })
  expect([await preview(buyer), await isShownOnHold(buyer), await readRestoredAccounts(buyer)]).toEqual([
    200,
    false,
    [],
  ])
  const method = await shop.addCard(buyer, { behavior: 'pays' })
  const { body } = await shop.buy({ ...buyer, method_id: method.method_id })
  expect(body.data).toMatchObject({ state: 'done', order: { paid: 0 } })
  expect([await shop.findMismatches(buyer), listCustomers(buyer).length]).toEqual([[], 1])
})

test('a card that is added during the hold belongs to the customer from before the restore', async () => {
  const { buyer, paid } = await createRestoredBuyer()
  shop.stripe.expireIdempotencyKeys()
  expect((await shop.neighborhood.call(buyer, openCardSession)).status).toBe(200)
  expect(listCustomers(buyer)).toHaveLength(1)
  expect(await settle(buyer)).toMatchObject({ is_settled: true, cents: paid })
})

test('the hold stays while Stripe can’t be searched for the customer, unless the operator releases the account', async () => {
  const { buyer } = await createRestoredBuyer()
  shop.stripe.fail('GET /v1/customers/search', 'broken')
  shop.stripe.fail('GET /v1/customers/search', 'broken')
  const held = await settle(buyer)
  expect(held).toMatchObject({ is_settled: false, cents: 0 })
  expect(held?.differences[0]?.what).toMatch(/^the customer of this account can’t be found at Stripe/)
  expect(await preview(buyer)).toBe(503)
  shop.stripe.fail('GET /v1/customers/search', 'broken')
  shop.stripe.fail('GET /v1/customers/search', 'broken')
  expect(await settle(buyer, toEmail(buyer.userId))).toMatchObject({ is_settled: true })
  expect(await preview(buyer)).toBe(200)
})

test('several customers of one account keep the hold', async () => {
  const { buyer } = await createRestoredBuyer()
  const [first] = listCustomers(buyer)
  if (first) shop.stripe.account.customers.set('cus_second', { ...first, id: 'cus_second' })
  expect((await settle(buyer))?.differences[0]?.what).toMatch(/2 customers/)
  expect(await preview(buyer)).toBe(503)
})
