import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payOpenInvoice } from '../../../../../contract/billing/cancellation.ts'
import { CHALLENGE_TIMEOUT_MS } from '../../../../../provider/billing/payment/stripe/charges.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { filterRequestsByKey, findLastIntent, openShop, type Shop } from '../../../../support/stripe/shop.ts'

// The webhook secret is not set, as in a local deployment, so the provider processes no Stripe events.
let shop: Shop
beforeAll(async () => {
  shop = await openShop({ STRIPE_WEBHOOK_SECRET: '' })
})
afterAll(() => shop.close())

const getLedger = (userId: string) => shop.neighborhood.bindings.LEDGERS.getByName(userId)

async function startChallenge() {
  const buyer = await shop.createBuyer({ behavior: 'asks' })
  const { body } = await shop.buy(buyer)
  expect(body.data).toEqual({ state: 'pending', process_id: expect.any(String) })
  return { buyer, process_id: body.data.process_id as string }
}

describe('CALL-10 a purchase with a 3-D Secure challenge', () => {
  test('is pending with the bank’s page, and continues automatically after the challenge', async () => {
    const { buyer, process_id } = await startChallenge()
    const pending = await shop.processTask(buyer, process_id)
    const intent = findLastIntent(shop, buyer)
    expect(pending.body.data).toMatchObject({
      state: 'pending',
      step: 'asked',
      action_url: `https://hooks.stripe.com/3d_secure_2/hosted?of=${intent.id}`,
    })
    const [request] = filterRequestsByKey(shop, 'POST /v1/payment_intents', process_id)
    expect(request?.fields).toMatchObject({
      return_url: `${shop.neighborhood.stage.env.PORTAL_ORIGIN}/account/services`,
    })
    expect(await shop.listSubscriptions(buyer)).toEqual([])
    shop.stripe.account.resolveBankChallenge(intent, true)
    const done = await shop.processTask(buyer, process_id)
    expect(done.body.data).toMatchObject({ state: 'done', order: { order_id: process_id, sku: 'cam-ai' } })
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('completes without a polling page and without a webhook event', async () => {
    const { buyer } = await startChallenge()
    shop.stripe.account.resolveBankChallenge(findLastIntent(shop, buyer), true)
    // Runs the ledger's alarm with a time one minute ahead.
    await getLedger(buyer.userId).processDue(Date.now() + 60_000)
    expect(await shop.listSubscriptions(buyer)).toMatchObject([{ sku: 'cam-ai', running: true }])
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('is declined with 4220 after a failed challenge, and can be retried', async () => {
    const { buyer, process_id } = await startChallenge()
    expect((await shop.buy(buyer)).body.code).toBe('busy')
    shop.stripe.account.resolveBankChallenge(findLastIntent(shop, buyer), false)
    expect((await shop.processTask(buyer, process_id)).body.data).toMatchObject({ state: 'failed', code: '4220' })
    expect(await shop.listSubscriptions(buyer)).toEqual([])
    const { method_id } = await shop.addCard(buyer, { behavior: 'pays' })
    expect((await shop.buy({ ...buyer, method_id })).body.data.state).toBe('done')
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('is canceled at Stripe after 30 minutes without an answer, and blocks nothing', async () => {
    const { buyer, process_id } = await startChallenge()
    const { id } = findLastIntent(shop, buyer)
    await getLedger(buyer.userId).processDue(Date.now() + CHALLENGE_TIMEOUT_MS - 60_000)
    expect(findLastIntent(shop, buyer).status).toBe('requires_action')
    await getLedger(buyer.userId).processDue(Date.now() + 2 * CHALLENGE_TIMEOUT_MS)
    expect(findLastIntent(shop, buyer).status).toBe('canceled')
    expect(filterRequestsByKey(shop, `POST /v1/payment_intents/${id}/cancel`, `${process_id} cancel`)).toHaveLength(1)
    expect((await shop.processTask(buyer, process_id)).body.data).toMatchObject({ state: 'failed', code: '4220' })
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('shows the bank’s page to no other account', async () => {
    const { process_id } = await startChallenge()
    expect((await shop.processTask(shop.neighborhood.a, process_id)).status).toBe(404)
  })
})

describe('a charge', () => {
  test('that the bank processes slowly is pending without a page and collected once', async () => {
    const buyer = await shop.createBuyer({ behavior: 'slow' })
    const { process_id } = (await shop.buy(buyer)).body.data
    expect((await shop.processTask(buyer, process_id)).body.data).not.toHaveProperty('action_url')
    shop.stripe.account.resolveBankChallenge(findLastIntent(shop, buyer), true)
    await getLedger(buyer.userId).processDue(Date.now() + 60_000)
    expect((await shop.processTask(buyer, process_id)).body.data).toMatchObject({ state: 'done' })
    expect(await selectGateway(shop.neighborhood.bindings)?.charges(buyer.userId)).toHaveLength(1)
  })

  test('for a renewal never starts a challenge: a bank that requires one declines it', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    await shop.buy(buyer)
    const [plan] = await shop.listSubscriptions(buyer)
    const challengeCard = await shop.addCard(buyer, { behavior: 'asks' })
    await getLedger(buyer.userId).chooseMethod('choose_the_other_1', challengeCard.method_id, Date.now())
    await getLedger(buyer.userId).processDue((plan?.renews_at ?? 0) + 1000)
    expect(findLastIntent(shop, buyer).status).toBe('requires_payment_method')
    const request = shop.stripe.requests
      .filter(({ operation: endpoint }) => endpoint === 'POST /v1/payment_intents')
      .at(-1)
    expect(request?.fields).toMatchObject({ off_session: 'true' })
    expect(request?.fields).not.toHaveProperty('return_url')
    expect(await shop.listSubscriptions(buyer)).toMatchObject([{ status: 'past_due' }])
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('for an open renewal invoice starts a challenge for its payer, and is reported as paid', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    await shop.buy(buyer)
    const { renews_at = 0 } = (await shop.listSubscriptions(buyer))[0] ?? {}
    const challengeCard = await shop.addCard(buyer, { behavior: 'asks' })
    await getLedger(buyer.userId).chooseMethod('choose_the_other_2', challengeCard.method_id, Date.now())
    await getLedger(buyer.userId).processDue(renews_at + 1000)
    const [{ subscription_id = '', revision = 0 } = {}] = await shop.listSubscriptions(buyer)
    const payment = { subscription_id, revision, method_id: challengeCard.method_id, intent: 'pay_what_is_open_1' }
    const { process_id } = (await shop.neighborhood.call(buyer, payOpenInvoice, payment)).body.data
    expect((await shop.processTask(buyer, process_id)).body.data).toMatchObject({
      state: 'pending',
      action_url: expect.stringContaining('3d_secure_2'),
    })
    shop.stripe.account.resolveBankChallenge(findLastIntent(shop, buyer), true)
    const { order } = (await shop.processTask(buyer, process_id)).body.data
    expect(order).toMatchObject({ order_id: process_id, subscription_id, sku: 'cam-ai', starts_at: renews_at })
    expect([order.paid, order.bill]).toEqual([
      findLastIntent(shop, buyer).amount_received,
      expect.stringMatching(/-2$/),
    ])
    expect((await shop.neighborhood.call(buyer, payOpenInvoice, payment)).body.data).toMatchObject({
      state: 'done',
      paid: order.paid,
    })
    expect(await shop.listSubscriptions(buyer)).toMatchObject([{ status: 'active' }])
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('for a renewal is collected without the buyer', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    await shop.buy(buyer)
    const [plan] = await shop.listSubscriptions(buyer)
    await getLedger(buyer.userId).processDue((plan?.renews_at ?? 0) + 1000)
    expect(await shop.listSubscriptions(buyer)).toMatchObject([{ status: 'active', revision: 2 }])
    expect(await selectGateway(shop.neighborhood.bindings)?.charges(buyer.userId)).toHaveLength(2)
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('with an authorization that ended at the bank is declined with 4225 and collects nothing', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    shop.stripe.fail('POST /v1/payment_intents', {
      before: async () => void Object.assign(findLastIntent(shop, buyer), { status: 'canceled' }),
    })
    expect((await shop.buy(buyer)).body.code).toBe(4225)
    expect([await shop.listSubscriptions(buyer), await shop.findMismatches(buyer)]).toEqual([[], []])
  })
})

test('no webhook event is accepted without a signing secret, and no card page is served', async () => {
  const sent = await shop.stripe.createSignedEvent('payment_intent.succeeded', {}, { secret: 'whsec_' })
  expect((await shop.postWebhookEvent(sent)).status).toBe(404)
  expect((await fetch(`${shop.neighborhood.stage.env.PAYMENT_ORIGIN}/card`)).status).toBe(404)
})
