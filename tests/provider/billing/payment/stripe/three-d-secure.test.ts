import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payOpen } from '../../../../../contract/billing/cancellation.ts'
import { ACTION_MS } from '../../../../../provider/billing/payment/stripe/charges.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { askedFor, lastIntent, openShop, type Shop } from '../../../../support/stripe/shop.ts'

// The webhook secret is not set, as in a local deployment, so the provider processes no Stripe events.
let shop: Shop
beforeAll(async () => {
  shop = await openShop({ STRIPE_WEBHOOK_SECRET: '' })
})
afterAll(() => shop.close())

const ledger = (userId: string) => shop.town.bindings.LEDGERS.getByName(userId)

async function startChallenge() {
  const as = await shop.buyer({ does: 'asks' })
  const { body } = await shop.buy(as)
  expect(body.data).toEqual({ state: 'pending', process_id: expect.any(String) })
  return { as, process_id: body.data.process_id as string }
}

describe('CALL-10 a purchase with a 3-D Secure challenge', () => {
  test('is pending with the bank’s page, and continues automatically after the challenge', async () => {
    const { as, process_id } = await startChallenge()
    const pending = await shop.task(as, process_id)
    const intent = lastIntent(shop, as)
    expect(pending.body.data).toMatchObject({
      ...{ state: 'pending', step: 'asked' },
      action_url: `https://hooks.stripe.com/3d_secure_2/hosted?of=${intent.id}`,
    })
    const [made] = askedFor(shop, 'POST /v1/payment_intents', process_id)
    expect(made?.fields).toMatchObject({ return_url: `${shop.town.stage.env.PORTAL_ORIGIN}/account/services` })
    expect(await shop.plans(as)).toEqual([])
    shop.stripe.account.answerBank(intent, true)
    const done = await shop.task(as, process_id)
    expect(done.body.data).toMatchObject({ state: 'done', order: { order_id: process_id, sku: 'cam-ai' } })
    expect(await shop.differences(as)).toEqual([])
  })

  test('completes without a polling page and without a webhook event', async () => {
    const { as } = await startChallenge()
    shop.stripe.account.answerBank(lastIntent(shop, as), true)
    // Runs the ledger's alarm with a time one minute ahead.
    await ledger(as.userId).due(Date.now() + 60_000)
    expect(await shop.plans(as)).toMatchObject([{ sku: 'cam-ai', running: true }])
    expect(await shop.differences(as)).toEqual([])
  })

  test('is declined with 4220 after a failed challenge, and can be retried', async () => {
    const { as, process_id } = await startChallenge()
    expect((await shop.buy(as)).body.code).toBe('busy')
    shop.stripe.account.answerBank(lastIntent(shop, as), false)
    expect((await shop.task(as, process_id)).body.data).toMatchObject({ state: 'failed', code: '4220' })
    expect(await shop.plans(as)).toEqual([])
    const { method_id } = await shop.addCard(as, { does: 'pays' })
    expect((await shop.buy({ ...as, method_id })).body.data.state).toBe('done')
    expect(await shop.differences(as)).toEqual([])
  })

  test('is canceled at Stripe after 30 minutes without an answer, and blocks nothing', async () => {
    const { as, process_id } = await startChallenge()
    const { id } = lastIntent(shop, as)
    await ledger(as.userId).due(Date.now() + ACTION_MS - 60_000)
    expect(lastIntent(shop, as).status).toBe('requires_action')
    await ledger(as.userId).due(Date.now() + 2 * ACTION_MS)
    expect(lastIntent(shop, as).status).toBe('canceled')
    expect(askedFor(shop, `POST /v1/payment_intents/${id}/cancel`, `${process_id} cancel`)).toHaveLength(1)
    expect((await shop.task(as, process_id)).body.data).toMatchObject({ state: 'failed', code: '4220' })
    expect(await shop.differences(as)).toEqual([])
  })

  test('shows the bank’s page to no other account', async () => {
    const { process_id } = await startChallenge()
    expect((await shop.task(shop.town.a, process_id)).status).toBe(404)
  })
})

describe('a charge', () => {
  test('that the bank processes slowly is pending without a page and collected once', async () => {
    const as = await shop.buyer({ does: 'slow' })
    const { process_id } = (await shop.buy(as)).body.data
    expect((await shop.task(as, process_id)).body.data).not.toHaveProperty('action_url')
    shop.stripe.account.answerBank(lastIntent(shop, as), true)
    await ledger(as.userId).due(Date.now() + 60_000)
    expect((await shop.task(as, process_id)).body.data).toMatchObject({ state: 'done' })
    expect(await selectGateway(shop.town.bindings)?.charges(as.userId)).toHaveLength(1)
  })

  test('for a renewal never starts a challenge: a bank that requires one declines it', async () => {
    const as = await shop.buyer({ does: 'pays' })
    await shop.buy(as)
    const [plan] = await shop.plans(as)
    const asks = await shop.addCard(as, { does: 'asks' })
    await ledger(as.userId).chooseMethod('choose_the_other_1', asks.method_id, Date.now())
    await ledger(as.userId).due((plan?.renews_at ?? 0) + 1000)
    expect(lastIntent(shop, as).status).toBe('requires_payment_method')
    const made = shop.stripe.asked.filter(({ what: endpoint }) => endpoint === 'POST /v1/payment_intents').at(-1)
    expect(made?.fields).toMatchObject({ off_session: 'true' })
    expect(made?.fields).not.toHaveProperty('return_url')
    expect(await shop.plans(as)).toMatchObject([{ status: 'past_due' }])
    expect(await shop.differences(as)).toEqual([])
  })

  test('for an open renewal invoice starts a challenge for its payer, and is reported as paid', async () => {
    const as = await shop.buyer({ does: 'pays' })
    await shop.buy(as)
    const { renews_at = 0 } = (await shop.plans(as))[0] ?? {}
    const asks = await shop.addCard(as, { does: 'asks' })
    await ledger(as.userId).chooseMethod('choose_the_other_2', asks.method_id, Date.now())
    await ledger(as.userId).due(renews_at + 1000)
    const [{ subscription_id = '', revision = 0 } = {}] = await shop.plans(as)
    const ask = { subscription_id, revision, method_id: asks.method_id, intent: 'pay_what_is_open_1' }
    const { process_id } = (await shop.town.call(as, payOpen, ask)).body.data
    expect((await shop.task(as, process_id)).body.data).toMatchObject({
      ...{ state: 'pending', action_url: expect.stringContaining('3d_secure_2') },
    })
    shop.stripe.account.answerBank(lastIntent(shop, as), true)
    const { order } = (await shop.task(as, process_id)).body.data
    expect(order).toMatchObject({ order_id: process_id, subscription_id, sku: 'cam-ai', starts_at: renews_at })
    expect([order.paid, order.bill]).toEqual([lastIntent(shop, as).amount_received, expect.stringMatching(/-2$/)])
    expect((await shop.town.call(as, payOpen, ask)).body.data).toMatchObject({ state: 'done', paid: order.paid })
    expect(await shop.plans(as)).toMatchObject([{ status: 'active' }])
    expect(await shop.differences(as)).toEqual([])
  })

  test('for a renewal is collected without the buyer', async () => {
    const as = await shop.buyer({ does: 'pays' })
    await shop.buy(as)
    const [plan] = await shop.plans(as)
    await ledger(as.userId).due((plan?.renews_at ?? 0) + 1000)
    expect(await shop.plans(as)).toMatchObject([{ status: 'active', revision: 2 }])
    expect(await selectGateway(shop.town.bindings)?.charges(as.userId)).toHaveLength(2)
    expect(await shop.differences(as)).toEqual([])
  })

  test('with an authorization that ended at the bank is declined with 4225 and collects nothing', async () => {
    const as = await shop.buyer({ does: 'pays' })
    shop.stripe.fail('POST /v1/payment_intents', {
      before: async () => void Object.assign(lastIntent(shop, as), { status: 'canceled' }),
    })
    expect((await shop.buy(as)).body.code).toBe(4225)
    expect([await shop.plans(as), await shop.differences(as)]).toEqual([[], []])
  })
})

test('no webhook event is accepted without a signing secret, and no card page is served', async () => {
  const sent = await shop.stripe.event('payment_intent.succeeded', {}, { secret: 'whsec_' })
  expect((await shop.hear(sent)).status).toBe(404)
  expect((await fetch(`${shop.town.stage.env.PAYMENT_ORIGIN}/card`)).status).toBe(404)
})
