import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancelSubscription } from '../../../../contract/billing/cancellation.ts'
import { createPurchase, previewPurchase, type Quote } from '../../../../contract/billing/purchase.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { eventHistory } from '../../../../contract/events/events.ts'
import { eventsRequest } from '../../../../src/early/requests/events.ts'
import { addCard } from '../../../support/cards.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  RECENT_TIME_MS,
  type Account,
  type Neighborhood,
} from '../../../support/home.ts'
import { withoutDatabase } from '../../../support/unavailable-database.ts'

/** Type of an event that the free plan does not show. */
const PAID_EVENT_TAG = '12'
const EVENTS_INPUT = eventsRequest({ begin: RECENT_TIME_MS, end: RECENT_TIME_MS }, false).input
const UNLIMITED = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 } as const

/** Account `a` owns the camera, and account `b` is its guest. */
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  const { a, bindings } = neighborhood
  await bindings.DB.exec('DELETE FROM subscriptions')
  await a.bridge.register('door_a')
  await a.bridge.postEvent(createBridgeEvent('door_a', 'paid', { tags: [PAID_EVENT_TAG] }))
  await neighborhood.call(a, shareCamera, { device_id: 'door_a', email: 'b@example.com', role: 2 })
})
afterAll(() => neighborhood.close())

const countEvents = async (account: Account) =>
  ((await neighborhood.call(account, eventHistory, EVENTS_INPUT)).body.data.event_list as unknown[]).length
/** Returns the number of events that the owner and the guest see. */
const countForBoth = () => Promise.all([neighborhood.a, neighborhood.b].map(countEvents))
/** Expects this number for both accounts, and that both have cached their rights. */
async function expectCached(count: number): Promise<void> {
  expect(await countForBoth()).toEqual([count, count])
  expect(await withoutDatabase(neighborhood.bindings, countForBoth)).toEqual([count, count])
}

async function findSubscription(): Promise<Subscription> {
  const { a } = neighborhood
  const { body } = await neighborhood.call(a, getSubscriptions, {}, { uuid: a.userId })
  return (body.data.subscriptions as Subscription[]).find(({ running }) => running)!
}

test('the owner and a guest see a new plan, and the end of a plan, at the next call', async () => {
  const { a, bindings } = neighborhood
  await expectCached(0)
  const { method_id } = await addCard(bindings, a.userId, '4242')
  const { quote } = (await neighborhood.call(a, previewPurchase, { ...UNLIMITED })).body.data as Quote
  const purchase = { ...UNLIMITED, quote, method_id, intent: 'intent_of_cached_plans_1' }
  expect((await neighborhood.call(a, createPurchase, purchase)).status).toBe(200)
  await expectCached(1)
  const { subscription_id, revision } = await findSubscription()
  const end = { subscription_id, revision, way: 'now', reason: null, intent: 'intent_of_cached_plans_2' }
  expect((await neighborhood.call(a, cancelSubscription, end, { billing_provider: 'card' })).status).toBe(200)
  await expectCached(0)
})

test.each(['cancelled', 'past_due', 'trial'])(
  'a cached plan with the status %s stops at its end, also for a guest, although the outbox cannot write to D1',
  async (status) => {
    const { bindings } = neighborhood
    const endsAt = Date.now() + 3000
    await bindings.DB.prepare(
      `INSERT INTO subscriptions (subscription_id, user_id, sku, status, quantity, period, billing_provider, renews_at, created_at)
       VALUES (?1, 'user_a', 'unlimited', ?1, 1, 'annual', 'card', ?2, 0)`,
    )
      .bind(status, endsAt)
      .run()
    expect(await countForBoth()).toEqual([1, 1])
    await withoutDatabase(bindings, async () => {
      // Fewer calls than the rate limit.
      await expect.poll(countForBoth, { timeout: 10_000, interval: 500 }).toEqual([0, 0])
    })
    expect(Date.now()).toBeGreaterThanOrEqual(endsAt)
  },
)
