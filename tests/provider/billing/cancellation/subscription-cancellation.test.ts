import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cancelSubscription,
  getCancellationPreview,
  pausePlan,
  payOpen,
  reactivate,
  resumePlan,
  servicesExtension,
  useExtension,
} from '../../../../contract/billing/cancellation.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase, type Quote } from '../../../../contract/billing/purchase.ts'
import { getMessages } from '../../../../contract/account/notifications.ts'
import { findMismatches } from '../../../../provider/billing/reconciliation/find-mismatches.ts'
import { type Account, addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { addCard } from '../../../support/cards.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

let town: Neighborhood
let people = 0
let keys = 0

beforeAll(async () => {
  town = await openNeighborhood()
})
afterAll(() => town.close())

const key = () => `intent_of_leaving_${String((keys += 1)).padStart(4, '0')}`
const T1 = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const T2 = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 } as const

/** Creates an account that has just bought `plan` with a card that ends in `digits`. */
async function buyer(plan: object = T2, digits = '4242'): Promise<Account & { method_id: string }> {
  const as = await addAccount(town.bindings, `leaver${(people += 1)}`)
  const { method_id } = await addCard(town.bindings, as.userId, digits)
  const { quote } = (await town.call(as, previewPurchase, { ...plan })).body.data as Quote
  await town.call(as, createPurchase, { ...plan, quote, method_id, intent: key() })
  return { ...as, method_id }
}
const getPlan = async (as: Account) => {
  const { subscriptions } = (await town.call(as, getSubscriptions, {}, { uuid: as.userId })).body.data
  return (subscriptions as Subscription[])[0]!
}
const buildCancellation = async (as: Account) => {
  const { subscription_id, revision } = await getPlan(as)
  return { subscription_id, revision, intent: key() }
}
const CARD = { billing_provider: 'card' }
const getLedger = (as: Account) => town.bindings.LEDGERS.getByName(as.userId)
const charges = (as: Account) => town.bindings.GATEWAYS.getByName(as.userId).charges()
/** Asserts that ledger and gateway agree. */
async function mustAgree(as: Account): Promise<void> {
  await getLedger(as).due(Date.now())
  const audit = await getLedger(as).audit(Date.now())
  const nothing = { subscriptions: [], bindings: [], cameras: new Set<string>() }
  const differences = findMismatches({ ...audit, subscriptions: [], bindings: [] }, await charges(as), nothing)
  expect(differences).toEqual([])
}

test('CALL-09 a plan canceled within 14 days ends immediately with a full refund', async () => {
  const as = await buyer()
  const { subscription_id } = await getPlan(as)
  const seen = (await town.call(as, getCancellationPreview, { subscription_id })).body.data
  expect(seen.ways.map(({ way }: { way: string }) => way)).toEqual(['now', 'end'])
  expect(seen.ways[0]).toMatchObject({ to_method: 10_824, total: -10_824, method: { last_four: '4242' } })
  expect(seen.clips).toMatchObject({ bills: 1, kept_days: 1 })
  expect(seen.offers).toMatchObject({ pause_months: 3, other: { sku: 'unlimited', period: 'monthly', cents: 999 } })
  const ask = { ...(await buildCancellation(as)), way: 'now', reason: 'price' }
  const { status, body } = await town.call(as, cancelSubscription, ask, CARD)
  expect([status, body.code]).toEqual([200, 200])
  expect(body.data).toMatchObject({ to_method: 10_824, to_balance: 0 })
  expect(body.data.bill).toMatch(/^[0-9A-Z]{10}-2$/)
  // The repeated call gets the same response, and nothing is refunded twice.
  expect((await town.call(as, cancelSubscription, ask, CARD)).body).toEqual(body)
  await expect.poll(async () => await charges(as)).toMatchObject([{ cents: 10_824, refunded: 10_824 }])
  expect(await getPlan(as)).toMatchObject({ status: 'cancelled', running: false, next: null })
  await mustAgree(as)
})

test('CALL-07 SUB-13 a canceled plan continues at no cost after it is reactivated', async () => {
  const as = await buyer()
  const before = await getPlan(as)
  const end = { ...(await buildCancellation(as)), way: 'end', reason: null }
  expect((await town.call(as, cancelSubscription, end, CARD)).body.data.ends_at).toBe(before.renews_at)
  expect(await getPlan(as)).toMatchObject({ status: 'cancelled', running: true, leaving: { to_method: 0 } })
  const { status, body } = await town.call(as, reactivate, await buildCancellation(as), CARD)
  expect([status, body.data.renews_at]).toEqual([200, before.renews_at])
  expect(await getPlan(as)).toEqual({ ...before, revision: before.revision + 2 })
  expect((await town.call(as, reactivate, await buildCancellation(as), CARD)).status).toBe(409)
  await mustAgree(as)
})

test('OPEN-85 OPEN-86 only listed billing providers cancel and reactivate', async () => {
  const as = await buyer()
  for (const billing_provider of ['embedded', 'CARD', '..', 'paypal']) {
    const leave = { ...(await buildCancellation(as)), way: 'end', reason: null }
    expect((await town.call(as, cancelSubscription, leave, { billing_provider })).status).toBe(404)
    expect((await town.call(as, reactivate, await buildCancellation(as), { billing_provider })).status).toBe(404)
  }
  expect((await getPlan(as)).status).toBe('active')
})

test('a request from an outdated page changes nothing', async () => {
  const as = await buyer()
  const old = await buildCancellation(as)
  await town.call(as, pausePlan, { ...old, months: 1 })
  const late = { ...old, intent: key(), way: 'end', reason: null }
  expect((await town.call(as, cancelSubscription, late, CARD)).body.code).toBe('stale')
})

test('a paused plan covers nothing until it resumes', async () => {
  const as = await buyer()
  const before = await getPlan(as)
  const { body } = await town.call(as, pausePlan, { ...(await buildCancellation(as)), months: 2 })
  expect(await getPlan(as)).toMatchObject({ running: false, paused_until: body.data.paused_until })
  expect(body.data.renews_at - before.renews_at).toBeGreaterThan(58 * DAY_MS)
  await town.call(as, resumePlan, await buildCancellation(as))
  const after = await getPlan(as)
  expect(after).toMatchObject({ running: true, paused_until: null })
  expect(after.renews_at - before.renews_at).toBeLessThan(60_000)
})

test('moving the test clock produces renewals, a failed charge, its payment and their notifications', async () => {
  const as = await buyer(T1)
  await getLedger(as).moveClock(40 * DAY_MS, Date.now())
  expect(await getPlan(as)).toMatchObject({ status: 'active', clock: 40 * DAY_MS, running: true })
  expect(await charges(as)).toHaveLength(2)
  const empty = await addCard(town.bindings, as.userId, '4221')
  await getLedger(as).chooseMethod(key(), empty.method_id, Date.now())
  await getLedger(as).moveClock(30 * DAY_MS, Date.now())
  const failed = await getPlan(as)
  expect(failed).toMatchObject({ status: 'past_due', running: true, open: { total: 324, code: '4221' } })
  expect(failed.open?.next_tries.length).toBeGreaterThan(0)
  const mend = { ...(await buildCancellation(as)), method_id: as.method_id }
  expect((await town.call(as, payOpen, mend)).body.data).toMatchObject({ state: 'done', paid: 324 })
  expect(await getPlan(as)).toMatchObject({ status: 'active', open: null })
  const kinds = async () =>
    (await town.call(as, getMessages, {})).body.data.messages.map(({ kind }: { kind: string }) => kind)
  await expect.poll(kinds).toEqual(expect.arrayContaining(['bill', 'charge_failed']))
  await mustAgree(as)
})

test('SUB-15 CALL-15 a free trial shows how far it can be extended, and returns 4302 beyond that', async () => {
  const as = await addAccount(town.bindings, `leaver${(people += 1)}`)
  expect((await town.call(as, servicesExtension, {})).body.data).toEqual({ extension: null })
  const { quote } = (await town.call(as, previewPurchase, { ...T1, trial: true })).body.data as Quote
  await town.call(as, createPurchase, { ...T1, quote, method_id: null, intent: key() })
  const { extension } = (await town.call(as, servicesExtension, {})).body.data
  expect(extension).toMatchObject({ used: 0, maximum: 14 })
  const more = () => town.call(as, useExtension, { subscription_id: extension.subscription_id, intent: key() })
  expect((await more()).body.data.until).toBe(extension.until + 7 * DAY_MS)
  await more()
  const beyond = await more()
  expect([beyond.status, beyond.body.code]).toEqual([409, 4302])
  expect((await town.call(as, servicesExtension, {})).body.data.extension).toMatchObject({ used: 14 })
})
