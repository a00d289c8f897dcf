import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { findLastIntent, openShop, type Buyer, type Shop } from '../../../../support/stripe/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const ACCEPTED = { status: 200, code: 200 }
async function deliverEvent(sent: { body: string; signature: string }) {
  const answer = await shop.postWebhookEvent(sent)
  return { status: answer.status, code: ((await answer.json()) as { code: unknown }).code }
}
const listCharges = async ({ userId }: Buyer) =>
  (await selectGateway(shop.neighborhood.bindings)?.charges(userId)) ?? []
const listRequestsSince = (from: number) => shop.stripe.requests.slice(from).map(({ operation: endpoint }) => endpoint)

/** Starts a purchase that stays pending at a slow bank, then lets the bank approve it. */
async function startApprovedPurchase() {
  const buyer = await shop.createBuyer({ behavior: 'slow' })
  await shop.buy(buyer)
  const intent = findLastIntent(shop, buyer)
  shop.stripe.account.resolveBankChallenge(intent, true)
  return { buyer, intent }
}

describe('event signed by Stripe', () => {
  test('makes the ledger check the charge immediately', async () => {
    const { buyer, intent } = await startApprovedPurchase()
    expect(await shop.listSubscriptions(buyer)).toEqual([])
    expect(
      await deliverEvent(await shop.stripe.createSignedEvent('payment_intent.amount_capturable_updated', intent)),
    ).toEqual(ACCEPTED)
    expect(await shop.listSubscriptions(buyer)).toMatchObject([{ sku: 'cam-ai', running: true }])
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('is processed once, however often it is delivered', async () => {
    const { buyer, intent } = await startApprovedPurchase()
    const sent = await shop.stripe.createSignedEvent('payment_intent.amount_capturable_updated', intent)
    expect(await deliverEvent(sent)).toEqual(ACCEPTED)
    const from = shop.stripe.requests.length
    expect(await deliverEvent(sent)).toEqual(ACCEPTED)
    expect(listRequestsSince(from)).toEqual([])
    expect(await listCharges(buyer)).toHaveLength(1)
  })

  test('collects once if it is delivered concurrently', async () => {
    const { buyer, intent } = await startApprovedPurchase()
    const sent = await shop.stripe.createSignedEvent('payment_intent.amount_capturable_updated', intent)
    expect(await Promise.all([deliverEvent(sent), deliverEvent(sent), deliverEvent(sent)])).toEqual([
      ACCEPTED,
      ACCEPTED,
      ACCEPTED,
    ])
    expect(await listCharges(buyer)).toHaveLength(1)
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('is not trusted: its state and amount change nothing', async () => {
    const buyer = await shop.createBuyer({ behavior: 'slow' })
    const { process_id } = (await shop.buy(buyer)).body.data
    const intent = findLastIntent(shop, buyer)
    const forgedIntent = {
      ...intent,
      status: 'succeeded',
      amount: 1,
      amount_received: 1,
      latest_charge: 'ch_of_nobody',
    }
    expect(await deliverEvent(await shop.stripe.createSignedEvent('payment_intent.succeeded', forgedIntent))).toEqual(
      ACCEPTED,
    )
    expect((await shop.processTask(buyer, process_id)).body.data).toMatchObject({ state: 'pending' })
    expect([await shop.listSubscriptions(buyer), await listCharges(buyer)]).toEqual([[], []])
  })

  test('that is out of order, or about a purchase completed long ago, changes nothing', async () => {
    const { buyer, intent } = await startApprovedPurchase()
    const createdEvent = await shop.stripe.createSignedEvent('payment_intent.created', {
      ...intent,
      status: 'requires_action',
    })
    const succeededEvent = await shop.stripe.createSignedEvent('payment_intent.succeeded', {
      ...intent,
      status: 'succeeded',
    })
    for (const sent of [succeededEvent, createdEvent]) expect(await deliverEvent(sent)).toEqual(ACCEPTED)
    const before = await shop.listSubscriptions(buyer)
    const failed = await shop.stripe.createSignedEvent('payment_intent.payment_failed', {
      ...intent,
      status: 'canceled',
    })
    expect(await deliverEvent(failed)).toEqual(ACCEPTED)
    expect(await shop.listSubscriptions(buyer)).toEqual(before)
    expect(await listCharges(buyer)).toHaveLength(1)
  })

  test('that arrives before the response to its own request leads to one charge', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    shop.stripe.fail('POST /v1/payment_intents', {
      before: async () => {
        const sent = await shop.stripe.createSignedEvent('payment_intent.created', findLastIntent(shop, buyer))
        // Do not await the response to the event: the provider handles the event only after the purchase request, which
        // waits for this function.
        void shop.postWebhookEvent(sent)
      },
    })
    expect((await shop.buy(buyer)).body.data.state).toBe('done')
    expect(await listCharges(buyer)).toHaveLength(1)
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test.each([
    ['for a customer of another shop', { customer: 'cus_of_nobody', metadata: { key: 'order_x' } }],
    ['for a charge unknown to the ledger', { metadata: { key: 'order_of_nobody' } }],
    ['without a customer', { object: 'balance' }],
    ['with malformed fields', { customer: 7, metadata: 'none' }],
  ])('%s is accepted and changes nothing', async (_, object) => {
    expect(await deliverEvent(await shop.stripe.createSignedEvent('a.kind.of.tomorrow', object))).toEqual(ACCEPTED)
  })

  test('that names the charge of another account changes neither account', async () => {
    const { buyer, intent } = await startApprovedPurchase()
    const other = await shop.createBuyer({ behavior: 'pays' })
    const [, theirs] = [...shop.stripe.account.customers.values()].slice(-2)
    const sent = await shop.stripe.createSignedEvent('payment_intent.succeeded', { ...intent, customer: theirs?.id })
    expect(await deliverEvent(sent)).toEqual(ACCEPTED)
    expect([await shop.listSubscriptions(buyer), await shop.listSubscriptions(other)]).toEqual([[], []])
  })
})

describe('event rejected with 400, without any change', () => {
  const rejection = { status: 400, code: 400 }

  test.each([
    ['signed with another secret', { secret: 'whsec_of_somebody_else' }],
    ['signed more than five minutes ago', { at: Date.now() - 400_000 }],
  ])('%s', async (_, change) => {
    const { buyer, intent } = await startApprovedPurchase()
    const from = shop.stripe.requests.length
    expect(await deliverEvent(await shop.stripe.createSignedEvent('payment_intent.succeeded', intent, change))).toEqual(
      rejection,
    )
    expect(listRequestsSince(from)).toEqual([])
    expect(await shop.listSubscriptions(buyer)).toEqual([])
  })

  test('whose body was changed after signing', async () => {
    const { intent } = await startApprovedPurchase()
    const { body, signature } = await shop.stripe.createSignedEvent('payment_intent.succeeded', intent)
    expect(await deliverEvent({ body: body.replace('succeeded', 'processing'), signature })).toEqual(rejection)
  })

  test('without a signature, or with an invalid one', async () => {
    const { body } = await shop.stripe.createSignedEvent('payment_intent.succeeded', {})
    for (const signature of ['', 't=1,v1=0', 'nonsense'])
      expect(await deliverEvent({ body, signature })).toEqual(rejection)
  })

  test('above the size limit is rejected unread', async () => {
    const { signature } = await shop.stripe.createSignedEvent('payment_intent.succeeded', {})
    expect((await deliverEvent({ body: 'x'.repeat(300_000), signature })).status).toBe(413)
  })
})

test('a refund that the bank returns is sent again under a new key, once for all its events', async () => {
  const buyer = await shop.createBuyer({ behavior: 'pays' })
  await shop.buy(buyer)
  const gateway = selectGateway(shop.neighborhood.bindings)
  const [plan] = await shop.listSubscriptions(buyer)
  const ledger = shop.neighborhood.bindings.LEDGERS.getByName(buyer.userId)
  const planVersion = { subscription_id: plan?.subscription_id ?? '', revision: plan?.revision ?? 0 }
  await ledger.cancelSubscription(
    { ...planVersion, intent: 'an_intent_of_leaving', way: 'now', reason: null },
    Date.now(),
  )
  const sent = () =>
    [...shop.stripe.account.refunds.values()].filter(({ metadata }) => metadata.account === buyer.userId)
  await expect.poll(() => sent().map(({ status }) => status)).toEqual(['succeeded'])
  const [first] = sent()
  if (!first) throw new Error('The gateway made no refund.')
  const returned = shop.stripe.account.failRefund(first)
  for (const kind of ['refund.failed', 'refund.updated'])
    expect(await deliverEvent(await shop.stripe.createSignedEvent(kind, returned))).toEqual(ACCEPTED)
  await expect.poll(() => sent().map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  expect(new Set(sent().map(({ metadata }) => metadata.key)).size).toBe(2)
  const [charge] = (await gateway?.charges(buyer.userId)) ?? []
  expect(charge).toMatchObject({ refunded: charge?.cents })
  expect(await shop.findMismatches(buyer)).toEqual([])
})
