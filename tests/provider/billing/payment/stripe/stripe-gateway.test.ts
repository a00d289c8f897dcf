import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cancelSubscription } from '../../../../../contract/billing/cancellation.ts'
import { confirmCardSession, openCardSession, removeMethod } from '../../../../../contract/billing/payment-calls.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { GatewayDownError, type PaymentGateway } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { filterRequestsByKey, findLastIntent, openShop, type Shop } from '../../../../support/stripe/shop.ts'

let shop: Shop
let gateway: PaymentGateway

beforeAll(async () => {
  shop = await openShop()
  const made = selectGateway(shop.neighborhood.bindings)
  if (made === null) throw new Error('The shop has no payment gateway.')
  gateway = made
})
afterAll(() => shop.close())

describe('card on the Stripe page', () => {
  test('is entered there for one customer per account and stored in displayable form', async () => {
    const buyer = await shop.createBuyer()
    const { session_id, url } = (await shop.neighborhood.call(buyer, openCardSession)).body.data
    expect(new URL(url).origin).toBe('https://checkout.stripe.com')
    const [page] = [...shop.stripe.account.checkoutSessions.values()].filter((cardPage) => cardPage.url === url)
    const portal = shop.neighborhood.stage.env.PORTAL_ORIGIN
    expect(page).toMatchObject({
      mode: 'setup',
      metadata: { account: buyer.userId },
      success_url: `${portal}/account/payment?payment=200`,
      cancel_url: `${portal}/account/payment?payment=closed`,
    })
    // The buyer has not entered a card yet.
    expect((await shop.neighborhood.call(buyer, confirmCardSession, { session_id })).body.code).toBe(4226)
    shop.stripe.account.enterCard(url, { behavior: 'pays' })
    const other = await shop.createBuyer()
    expect((await shop.neighborhood.call(other, confirmCardSession, { session_id })).body.code).toBe(4226)
    const { method } = (await shop.neighborhood.call(buyer, confirmCardSession, { session_id })).body.data
    expect(method).toMatchObject({
      type: 'card',
      brand: 'visa',
      last_four: '4242',
      name: '',
      ends: { month: 8, year: 2038 },
    })
    await shop.addCard(buyer, { behavior: 'pays' })
    const customers = [...shop.stripe.account.customers.values()].filter(
      (customer) => customer.metadata['account'] === buyer.userId,
    )
    expect(customers).toHaveLength(1)
    expect(customers[0]?.email).toMatch(/^payer\d+@example\.com$/)
  })

  test('creates one customer for concurrent requests', async () => {
    const buyer = await shop.createBuyer()
    await Promise.all(Array.from({ length: 4 }, () => shop.neighborhood.call(buyer, openCardSession)))
    const customers = [...shop.stripe.account.customers.values()].filter(
      (customer) => customer.metadata['account'] === buyer.userId,
    )
    expect(customers).toHaveLength(1)
  })

  test('from a wallet is shown by the wallet name, without digits unknown to its owner', async () => {
    const buyer = await shop.createBuyer()
    const method = await shop.addCard(buyer, { behavior: 'pays', wallet: 'apple_pay' })
    expect(method).toMatchObject({ type: 'wallet', brand: 'wallet', last_four: '', name: 'Apple Pay', ends: null })
  })

  test('is deleted at Stripe once it is removed, and only by its own account', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    const token = [...shop.stripe.account.methods.keys()].at(-1) ?? ''
    await gateway.deleteMethod('user_a', token)
    expect(shop.stripe.account.methods.get(token)?.customer).not.toBeNull()
    await shop.neighborhood.call(buyer, removeMethod, { method_id: buyer.method_id, intent: 'remove_the_method_1' })
    await expect.poll(() => shop.stripe.account.methods.get(token)?.customer).toBeNull()
    await gateway.deleteMethod(buyer.userId, token)
    await gateway.deleteMethod(buyer.userId, 'pm_of_nobody')
  })

  test('is deleted with its account, even if it never came back from Stripe', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    await gateway.eraseAccount(buyer.userId)
    const [, method] = [...shop.stripe.account.methods].at(-1) ?? []
    expect(method?.customer).toBeNull()
  })
})

describe('Stripe purchase', () => {
  test('below the bank’s minimum is declined and blocks nothing', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    const request = {
      key: 'of_a_few_cents_only',
      account: buyer.userId,
      token: [...shop.stripe.account.methods.keys()].at(-1) ?? '',
    }
    const details = { cents: 20, currency: 'USD', isPresent: true, begunAt: Date.now() }
    expect((await gateway.authorize({ ...request, ...details }, Date.now())).state).toBe('declined')
  })

  test('is authorized and captured under the ledger key, and Stripe matches the ledger', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    const { status, body } = await shop.buy(buyer)
    expect([status, body.data.state]).toEqual([200, 'done'])
    const { order_id: key, paid } = body.data.order
    const intent = findLastIntent(shop, buyer)
    expect(intent).toMatchObject({ status: 'succeeded', amount: paid, amount_received: paid, currency: 'usd' })
    expect(intent.metadata).toEqual({ key, account: buyer.userId })
    const [made] = filterRequestsByKey(shop, 'POST /v1/payment_intents', key)
    expect(made).toMatchObject({ key, fields: { capture_method: 'manual', confirm: 'true' } })
    expect(filterRequestsByKey(shop, `POST /v1/payment_intents/${intent.id}/capture`, `${key} capture`)).toHaveLength(1)
    expect(await shop.findMismatches(buyer)).toEqual([])
    expect(await shop.listSubscriptions(buyer)).toMatchObject([{ sku: 'cam-ai', running: true, channel: 'web' }])
  })

  test.each([
    ['insufficient_funds', 4221, []],
    ['stolen_card', 4222, []],
    ['incorrect_zip', 4223, []],
    ['processing_error', 4225, []],
    ['card_not_supported', 4226, []],
    ['incorrect_cvc', '0000', ['code']],
    ['a_code_of_tomorrow', 4222, []],
  ])(
    'declined by Stripe with %s is rejected with %s, also on a retry, and nothing is bought',
    async (does, code, fields) => {
      const buyer = await shop.createBuyer({ behavior: does })
      const request = { intent: `declined_by_${does}`, quote: await shop.requestQuote(buyer) }
      const first = await shop.buy(buyer, request)
      expect([first.status, first.body.code]).toEqual([402, code])
      expect((first.body.data?.errors ?? []).map(({ field }: { field: string }) => field)).toEqual(fields)
      expect(await shop.buy(buyer, request)).toEqual(first)
      expect([await shop.listSubscriptions(buyer), await gateway.charges(buyer.userId)]).toEqual([[], []])
      expect(await shop.findMismatches(buyer)).toEqual([])
    },
  )

  test('by a wallet declined without a reason is rejected with 4224', async () => {
    const buyer = await shop.createBuyer({ behavior: 'generic_decline', wallet: 'apple_pay' })
    expect((await shop.buy(buyer)).body.code).toBe(4224)
  })

  test('by a card that Stripe no longer knows is rejected with 4226', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    const token = [...shop.stripe.account.methods.keys()].at(-1) ?? ''
    await gateway.deleteMethod(buyer.userId, token)
    expect((await shop.buy(buyer)).body.code).toBe(4226)
  })
})

describe('Stripe refund', () => {
  test('is made once per key and never exceeds the captured amount', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    const { order_id: key, paid } = (await shop.buy(buyer)).body.data.order
    const first = await gateway.refund(buyer.userId, key, `${key} refund`, 100, Date.now())
    expect(await gateway.refund(buyer.userId, key, `${key} refund`, 100, Date.now())).toEqual(first)
    expect(filterRequestsByKey(shop, 'POST /v1/refunds', `${key} refund`)).toHaveLength(1)
    expect(await gateway.charges(buyer.userId)).toMatchObject([{ key, cents: paid, refunded: 100 }])
    await expect(gateway.refund(buyer.userId, key, 'another', paid, Date.now())).rejects.toThrow(GatewayDownError)
    // The refund above bypassed the ledger, like a refund made by hand at Stripe.
    expect(await shop.findMismatches(buyer)).toMatchObject([{ where: 'gateway', other: 100 }])
  })

  test('CALL-09 of a canceled plan goes to the card under the ledger key, without a mismatch', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    const { order_id: key, paid } = (await shop.buy(buyer)).body.data.order
    const [plan] = await shop.listSubscriptions(buyer)
    const cancellation = await shop.neighborhood.call(
      buyer,
      cancelSubscription,
      {
        subscription_id: plan?.subscription_id,
        revision: plan?.revision,
        intent: 'leave_the_plan_now',
        way: 'now',
        reason: null,
      },
      { billing_provider: 'recurring' },
    )
    expect([cancellation.status, cancellation.body.data.to_method > 0]).toEqual([200, true])
    const { to_method } = cancellation.body.data
    await expect.poll(() => gateway.charges(buyer.userId)).toMatchObject([{ key, cents: paid, refunded: to_method }])
    const [sent] = [...shop.stripe.account.refunds.values()].slice(-1)
    expect(shop.stripe.requests.filter((request) => request.key === sent?.metadata['key'])).toHaveLength(1)
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('of an amount that was not captured is not made', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    await expect(gateway.refund(buyer.userId, 'nothing', 'refund', 100, Date.now())).rejects.toThrow(GatewayDownError)
    await expect(gateway.capture(buyer.userId, 'nothing', Date.now())).rejects.toThrow(GatewayDownError)
  })
})
