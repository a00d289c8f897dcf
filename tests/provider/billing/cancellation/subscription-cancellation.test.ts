import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cancelSubscription,
  getCancellationPreview,
  pausePlan,
  payOpenInvoice,
  reactivateSubscription,
  resumePlan,
  getTrialExtensions,
  extendTrial,
} from '../../../../contract/billing/cancellation.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase, type Quote } from '../../../../contract/billing/purchase.ts'
import { getNotifications } from '../../../../contract/account/notifications.ts'
import { findMismatches } from '../../../../provider/billing/reconciliation/find-mismatches.ts'
import { type Account, addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { addCard } from '../../../support/cards.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

let neighborhood: Neighborhood
let accountCount = 0
let idempotencyKeyCount = 0

beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(() => neighborhood.close())

const nextIdempotencyKey = () => `intent_of_leaving_${String((idempotencyKeyCount += 1)).padStart(4, '0')}`
const CAM_AI_MONTHLY = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const UNLIMITED_ANNUAL = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 } as const

/** Creates an account that has just bought `plan` with a card that ends in `digits`. */
async function createBuyer(plan: object = UNLIMITED_ANNUAL, digits = '4242'): Promise<Account & { method_id: string }> {
  const account = await addAccount(neighborhood.bindings, `leaver${(accountCount += 1)}`)
  const { method_id } = await addCard(neighborhood.bindings, account.userId, digits)
  const { quote } = (await neighborhood.call(account, previewPurchase, { ...plan })).body.data as Quote
  await neighborhood.call(account, createPurchase, { ...plan, quote, method_id, intent: nextIdempotencyKey() })
  return { ...account, method_id }
}
const getPlan = async (account: Account) => {
  const { subscriptions } = (await neighborhood.call(account, getSubscriptions, {}, { uuid: account.userId })).body.data
  return (subscriptions as Subscription[])[0]!
}
const buildCancellation = async (account: Account) => {
  const { subscription_id, revision } = await getPlan(account)
  return { subscription_id, revision, intent: nextIdempotencyKey() }
}
const CARD_PROVIDER = { billing_provider: 'card' }
const getLedger = (account: Account) => neighborhood.bindings.LEDGERS.getByName(account.userId)
const listCharges = (account: Account) => neighborhood.bindings.GATEWAYS.getByName(account.userId).listCharges()
/** Asserts that the ledger and the payment gateway agree. Ignores the projection. */
async function expectNoMismatch(account: Account): Promise<void> {
  await getLedger(account).processDue(Date.now())
  const audit = await getLedger(account).createReconciliationSnapshot(Date.now())
  const emptyProjection = { subscriptions: [], bindings: [], cameras: new Set<string>() }
  const differences = findMismatches(
    { ...audit, subscriptions: [], bindings: [] },
    await listCharges(account),
    emptyProjection,
  )
  expect(differences).toEqual([])
}

test('CALL-09 a plan canceled within 14 days ends immediately with a full refund', async () => {
  const account = await createBuyer()
  const { subscription_id } = await getPlan(account)
  const preview = (await neighborhood.call(account, getCancellationPreview, { subscription_id })).body.data
  expect(preview.ways.map(({ way }: { way: string }) => way)).toEqual(['now', 'end'])
  expect(preview.ways[0]).toMatchObject({ to_method: 10_824, total: -10_824, method: { last_four: '4242' } })
  expect(preview.clips).toMatchObject({ bills: 1, kept_days: 1 })
  expect(preview.offers).toMatchObject({ pause_months: 3, other: { sku: 'unlimited', period: 'monthly', cents: 999 } })
  const request = { ...(await buildCancellation(account)), way: 'now', reason: 'price' }
  const { status, body } = await neighborhood.call(account, cancelSubscription, request, CARD_PROVIDER)
  expect([status, body.code]).toEqual([200, 200])
  expect(body.data).toMatchObject({ to_method: 10_824, to_balance: 0 })
  expect(body.data.bill).toMatch(/^[0-9A-Z]{10}-2$/)
  expect((await neighborhood.call(account, cancelSubscription, request, CARD_PROVIDER)).body).toEqual(body)
  await expect.poll(async () => await listCharges(account)).toMatchObject([{ cents: 10_824, refunded: 10_824 }])
  expect(await getPlan(account)).toMatchObject({ status: 'cancelled', running: false, next: null })
  await expectNoMismatch(account)
})

test('CALL-07 SUB-13 a canceled plan continues at no cost after it is reactivated', async () => {
  const account = await createBuyer()
  const before = await getPlan(account)
  const end = { ...(await buildCancellation(account)), way: 'end', reason: null }
  expect((await neighborhood.call(account, cancelSubscription, end, CARD_PROVIDER)).body.data.ends_at).toBe(
    before.renews_at,
  )
  expect(await getPlan(account)).toMatchObject({ status: 'cancelled', running: true, leaving: { to_method: 0 } })
  const { status, body } = await neighborhood.call(
    account,
    reactivateSubscription,
    await buildCancellation(account),
    CARD_PROVIDER,
  )
  expect([status, body.data.renews_at]).toEqual([200, before.renews_at])
  expect(await getPlan(account)).toEqual({ ...before, revision: before.revision + 2 })
  expect(
    (await neighborhood.call(account, reactivateSubscription, await buildCancellation(account), CARD_PROVIDER)).status,
  ).toBe(409)
  await expectNoMismatch(account)
})

test('OPEN-85 OPEN-86 only listed billing providers cancel and reactivate', async () => {
  const account = await createBuyer()
  for (const billing_provider of ['embedded', 'CARD', '..', 'paypal']) {
    const leave = { ...(await buildCancellation(account)), way: 'end', reason: null }
    expect((await neighborhood.call(account, cancelSubscription, leave, { billing_provider })).status).toBe(404)
    expect(
      (await neighborhood.call(account, reactivateSubscription, await buildCancellation(account), { billing_provider }))
        .status,
    ).toBe(404)
  }
  expect((await getPlan(account)).status).toBe('active')
})

test('a request from an outdated page changes nothing', async () => {
  const account = await createBuyer()
  const old = await buildCancellation(account)
  await neighborhood.call(account, pausePlan, { ...old, months: 1 })
  const late = { ...old, intent: nextIdempotencyKey(), way: 'end', reason: null }
  expect((await neighborhood.call(account, cancelSubscription, late, CARD_PROVIDER)).body.code).toBe('stale')
})

test('a paused plan covers nothing until it resumes', async () => {
  const account = await createBuyer()
  const before = await getPlan(account)
  const { body } = await neighborhood.call(account, pausePlan, { ...(await buildCancellation(account)), months: 2 })
  expect(await getPlan(account)).toMatchObject({ running: false, paused_until: body.data.paused_until })
  expect(body.data.renews_at - before.renews_at).toBeGreaterThan(58 * DAY_MS)
  await neighborhood.call(account, resumePlan, await buildCancellation(account))
  const after = await getPlan(account)
  expect(after).toMatchObject({ running: true, paused_until: null })
  expect(after.renews_at - before.renews_at).toBeLessThan(60_000)
})

test('moving the test clock produces renewals, a failed charge, its payment and their notifications', async () => {
  const account = await createBuyer(CAM_AI_MONTHLY)
  await getLedger(account).moveClock(40 * DAY_MS, Date.now())
  expect(await getPlan(account)).toMatchObject({ status: 'active', clock: 40 * DAY_MS, running: true })
  expect(await listCharges(account)).toHaveLength(2)
  const empty = await addCard(neighborhood.bindings, account.userId, '4221')
  await getLedger(account).chooseMethod(nextIdempotencyKey(), empty.method_id, Date.now())
  await getLedger(account).moveClock(30 * DAY_MS, Date.now())
  const failedPlan = await getPlan(account)
  expect(failedPlan).toMatchObject({ status: 'past_due', running: true, open: { total: 324, code: '4221' } })
  expect(failedPlan.open?.next_tries.length).toBeGreaterThan(0)
  const payment = { ...(await buildCancellation(account)), method_id: account.method_id }
  expect((await neighborhood.call(account, payOpenInvoice, payment)).body.data).toMatchObject({
    state: 'done',
    paid: 324,
  })
  expect(await getPlan(account)).toMatchObject({ status: 'active', open: null })
  const listKinds = async () =>
    (await neighborhood.call(account, getNotifications, {})).body.data.messages.map(
      ({ kind }: { kind: string }) => kind,
    )
  await expect.poll(listKinds).toEqual(expect.arrayContaining(['bill', 'charge_failed']))
  await expectNoMismatch(account)
})

test('SUB-15 CALL-15 a free trial shows how far it can be extended, and returns 4302 beyond that', async () => {
  const account = await addAccount(neighborhood.bindings, `leaver${(accountCount += 1)}`)
  expect((await neighborhood.call(account, getTrialExtensions, {})).body.data).toEqual({ extension: null })
  const { quote } = (await neighborhood.call(account, previewPurchase, { ...CAM_AI_MONTHLY, trial: true })).body
    .data as Quote
  await neighborhood.call(account, createPurchase, {
    ...CAM_AI_MONTHLY,
    quote,
    method_id: null,
    intent: nextIdempotencyKey(),
  })
  const { extension } = (await neighborhood.call(account, getTrialExtensions, {})).body.data
  expect(extension).toMatchObject({ used: 0, maximum: 14 })
  const requestExtension = () =>
    neighborhood.call(account, extendTrial, {
      subscription_id: extension.subscription_id,
      intent: nextIdempotencyKey(),
    })
  expect((await requestExtension()).body.data.until).toBe(extension.until + 7 * DAY_MS)
  await requestExtension()
  const beyond = await requestExtension()
  expect([beyond.status, beyond.body.code]).toEqual([409, 4302])
  expect((await neighborhood.call(account, getTrialExtensions, {})).body.data.extension).toMatchObject({ used: 14 })
})
