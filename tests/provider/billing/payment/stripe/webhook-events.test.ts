import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { lastIntent, openShop, type Buyer, type Shop } from '../../../../support/stripe/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const ok = { status: 200, code: 200 }
async function hear(sent: { body: string; signature: string }) {
  const answer = await shop.hear(sent)
  return { status: answer.status, code: ((await answer.json()) as { code: unknown }).code }
}
const collected = async ({ userId }: Buyer) => (await selectGateway(shop.town.bindings)?.charges(userId)) ?? []
const asksSince = (from: number) => shop.stripe.asked.slice(from).map(({ what: endpoint }) => endpoint)

/** Starts a purchase that stays pending at a slow bank, then lets the bank approve it. */
async function answered() {
  const as = await shop.buyer({ does: 'slow' })
  await shop.buy(as)
  const intent = lastIntent(shop, as)
  shop.stripe.account.answerBank(intent, true)
  return { as, intent }
}

describe('event signed by Stripe', () => {
  test('makes the ledger check the charge immediately', async () => {
    const { as, intent } = await answered()
    expect(await shop.plans(as)).toEqual([])
    expect(await hear(await shop.stripe.event('payment_intent.amount_capturable_updated', intent))).toEqual(ok)
    expect(await shop.plans(as)).toMatchObject([{ sku: 'cam-ai', running: true }])
    expect(await shop.differences(as)).toEqual([])
  })

  test('is processed once, however often it is delivered', async () => {
    const { as, intent } = await answered()
    const sent = await shop.stripe.event('payment_intent.amount_capturable_updated', intent)
    expect(await hear(sent)).toEqual(ok)
    const from = shop.stripe.asked.length
    expect(await hear(sent)).toEqual(ok)
    expect(asksSince(from)).toEqual([])
    expect(await collected(as)).toHaveLength(1)
  })

  test('collects once if it is delivered concurrently', async () => {
    const { as, intent } = await answered()
    const sent = await shop.stripe.event('payment_intent.amount_capturable_updated', intent)
    expect(await Promise.all([hear(sent), hear(sent), hear(sent)])).toEqual([ok, ok, ok])
    expect(await collected(as)).toHaveLength(1)
    expect(await shop.differences(as)).toEqual([])
  })

  test('is not trusted: its state and amount change nothing', async () => {
    const as = await shop.buyer({ does: 'slow' })
    const { process_id } = (await shop.buy(as)).body.data
    const intent = lastIntent(shop, as)
    const boast = { ...intent, status: 'succeeded', amount: 1, amount_received: 1, latest_charge: 'ch_of_nobody' }
    expect(await hear(await shop.stripe.event('payment_intent.succeeded', boast))).toEqual(ok)
    expect((await shop.task(as, process_id)).body.data).toMatchObject({ state: 'pending' })
    expect([await shop.plans(as), await collected(as)]).toEqual([[], []])
  })

  test('that is out of order, or about a purchase completed long ago, changes nothing', async () => {
    const { as, intent } = await answered()
    const begin = await shop.stripe.event('payment_intent.created', { ...intent, status: 'requires_action' })
    const end = await shop.stripe.event('payment_intent.succeeded', { ...intent, status: 'succeeded' })
    for (const sent of [end, begin]) expect(await hear(sent)).toEqual(ok)
    const before = await shop.plans(as)
    const failed = await shop.stripe.event('payment_intent.payment_failed', { ...intent, status: 'canceled' })
    expect(await hear(failed)).toEqual(ok)
    expect(await shop.plans(as)).toEqual(before)
    expect(await collected(as)).toHaveLength(1)
  })

  test('that arrives before the response to its own request leads to one charge', async () => {
    const as = await shop.buyer({ does: 'pays' })
    shop.stripe.fail('POST /v1/payment_intents', {
      before: async () => {
        const sent = await shop.stripe.event('payment_intent.created', lastIntent(shop, as))
        // Do not await the response to the event: the provider handles the event only after the purchase request, which
        // waits for this function.
        void shop.hear(sent)
      },
    })
    expect((await shop.buy(as)).body.data.state).toBe('done')
    expect(await collected(as)).toHaveLength(1)
    expect(await shop.differences(as)).toEqual([])
  })

  test.each([
    ['of a customer of another shop', { customer: 'cus_of_nobody', metadata: { key: 'order_x' } }],
    ['of a charge that the book does not know', { metadata: { key: 'order_of_nobody' } }],
    ['of nobody', { object: 'balance' }],
    ['of a shape of tomorrow', { customer: 7, metadata: 'none' }],
  ])('%s is accepted and changes nothing', async (_, object) => {
    expect(await hear(await shop.stripe.event('a.kind.of.tomorrow', object))).toEqual(ok)
  })

  test('that names the charge of another account changes neither account', async () => {
    const { as, intent } = await answered()
    const other = await shop.buyer({ does: 'pays' })
    const [, theirs] = [...shop.stripe.account.customers.values()].slice(-2)
    const sent = await shop.stripe.event('payment_intent.succeeded', { ...intent, customer: theirs?.id })
    expect(await hear(sent)).toEqual(ok)
    expect([await shop.plans(as), await shop.plans(other)]).toEqual([[], []])
  })
})

describe('event rejected with 400, without any change', () => {
  const rejection = { status: 400, code: 400 }

  test.each([
    ['that somebody else has signed', { secret: 'whsec_of_somebody_else' }],
    ['that was signed more than five minutes ago', { at: Date.now() - 400_000 }],
  ])('%s', async (_, change) => {
    const { as, intent } = await answered()
    const from = shop.stripe.asked.length
    expect(await hear(await shop.stripe.event('payment_intent.succeeded', intent, change))).toEqual(rejection)
    expect(asksSince(from)).toEqual([])
    expect(await shop.plans(as)).toEqual([])
  })

  test('whose body was changed after signing', async () => {
    const { intent } = await answered()
    const { body, signature } = await shop.stripe.event('payment_intent.succeeded', intent)
    expect(await hear({ body: body.replace('succeeded', 'processing'), signature })).toEqual(rejection)
  })

  test('without a signature, or with an invalid one', async () => {
    const { body } = await shop.stripe.event('payment_intent.succeeded', {})
    for (const signature of ['', 't=1,v1=0', 'nonsense']) expect(await hear({ body, signature })).toEqual(rejection)
  })

  test('above the size limit is rejected unread', async () => {
    const { signature } = await shop.stripe.event('payment_intent.succeeded', {})
    expect((await hear({ body: 'x'.repeat(300_000), signature })).status).toBe(413)
  })
})

test('a refund that the bank returns is sent again under a new key, once for all its events', async () => {
  const as = await shop.buyer({ does: 'pays' })
  await shop.buy(as)
  const gateway = selectGateway(shop.town.bindings)
  const [plan] = await shop.plans(as)
  const ledger = shop.town.bindings.LEDGERS.getByName(as.userId)
  const planVersion = { subscription_id: plan?.subscription_id ?? '', revision: plan?.revision ?? 0 }
  await ledger.leave({ ...planVersion, intent: 'an_intent_of_leaving', way: 'now', reason: null }, Date.now())
  const sent = () => [...shop.stripe.account.refunds.values()].filter(({ metadata }) => metadata.account === as.userId)
  await expect.poll(() => sent().map(({ status }) => status)).toEqual(['succeeded'])
  const [first] = sent()
  if (!first) throw new Error('Nothing was refunded.')
  const returned = shop.stripe.account.returnRefund(first)
  for (const kind of ['refund.failed', 'refund.updated'])
    expect(await hear(await shop.stripe.event(kind, returned))).toEqual(ok)
  await expect.poll(() => sent().map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  expect(new Set(sent().map(({ metadata }) => metadata.key)).size).toBe(2)
  const [charge] = (await gateway?.charges(as.userId)) ?? []
  expect(charge).toMatchObject({ refunded: charge?.cents })
  expect(await shop.differences(as)).toEqual([])
})
