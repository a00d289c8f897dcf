import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cancelSubscription } from '../../../../../contract/billing/cancellation.ts'
import { confirmCardSession, openCardSession, removeMethod } from '../../../../../contract/billing/payment-calls.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { GatewayDown, type Gateway } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { askedFor, lastIntent, openShop, type Shop } from '../../../../support/stripe/shop.ts'

let shop: Shop
let gateway: Gateway

beforeAll(async () => {
  shop = await openShop()
  const made = selectGateway(shop.town.bindings)
  if (made === null) throw new Error('This shop sells nothing.')
  gateway = made
})
afterAll(() => shop.close())

describe('card on the Stripe page', () => {
  test('is entered there for one customer per account and stored in displayable form', async () => {
    const as = await shop.buyer()
    const { session_id, url } = (await shop.town.call(as, openCardSession)).body.data
    expect(new URL(url).origin).toBe('https://checkout.stripe.com')
    const [page] = [...shop.stripe.account.pages.values()].filter((cardPage) => cardPage.url === url)
    const portal = shop.town.stage.env.PORTAL_ORIGIN
    expect(page).toMatchObject({
      ...{ mode: 'setup', metadata: { account: as.userId } },
      success_url: `${portal}/account/payment?payment=200`,
      cancel_url: `${portal}/account/payment?payment=closed`,
    })
    // No card was entered yet.
    expect((await shop.town.call(as, confirmCardSession, { session_id })).body.code).toBe(4226)
    shop.stripe.account.fill(url, { does: 'pays' })
    const other = await shop.buyer()
    expect((await shop.town.call(other, confirmCardSession, { session_id })).body.code).toBe(4226)
    const { method } = (await shop.town.call(as, confirmCardSession, { session_id })).body.data
    expect(method).toMatchObject({
      ...{ type: 'card', brand: 'visa', last_four: '4242', name: '' },
      ends: { month: 8, year: 2038 },
    })
    await shop.addCard(as, { does: 'pays' })
    const own = [...shop.stripe.account.customers.values()].filter(
      (customer) => customer.metadata['account'] === as.userId,
    )
    expect(own).toHaveLength(1)
    expect(own[0]?.email).toMatch(/^payer\d+@example\.com$/)
  })

  test('creates one customer for concurrent requests', async () => {
    const as = await shop.buyer()
    await Promise.all(Array.from({ length: 4 }, () => shop.town.call(as, openCardSession)))
    const own = [...shop.stripe.account.customers.values()].filter(
      (customer) => customer.metadata['account'] === as.userId,
    )
    expect(own).toHaveLength(1)
  })

  test('from a wallet is shown by the wallet name, without digits unknown to its owner', async () => {
    const as = await shop.buyer()
    const method = await shop.addCard(as, { does: 'pays', wallet: 'apple_pay' })
    expect(method).toMatchObject({ type: 'wallet', brand: 'wallet', last_four: '', name: 'Apple Pay', ends: null })
  })

  test('is deleted at Stripe once it is removed, and only by its own account', async () => {
    const as = await shop.buyer({ does: 'pays' })
    const token = [...shop.stripe.account.methods.keys()].at(-1) ?? ''
    await gateway.deleteMethod('user_a', token)
    expect(shop.stripe.account.methods.get(token)?.customer).not.toBeNull()
    await shop.town.call(as, removeMethod, { method_id: as.method_id, intent: 'remove_the_method_1' })
    await expect.poll(() => shop.stripe.account.methods.get(token)?.customer).toBeNull()
    await gateway.deleteMethod(as.userId, token)
    await gateway.deleteMethod(as.userId, 'pm_of_nobody')
  })

  test('is deleted with its account, even if it never came back from Stripe', async () => {
    const as = await shop.buyer({ does: 'pays' })
    await gateway.eraseAccount(as.userId)
    const [, method] = [...shop.stripe.account.methods].at(-1) ?? []
    expect(method?.customer).toBeNull()
  })
})

describe('Stripe purchase', () => {
  test('below the bank’s minimum is declined and blocks nothing', async () => {
    const as = await shop.buyer({ does: 'pays' })
    const ask = {
      key: 'of_a_few_cents_only',
      account: as.userId,
      token: [...shop.stripe.account.methods.keys()].at(-1) ?? '',
    }
    const more = { cents: 20, currency: 'USD', isPresent: true, begunAt: Date.now() }
    expect((await gateway.authorize({ ...ask, ...more }, Date.now())).state).toBe('declined')
  })

  test('is authorized and captured under the ledger key, and Stripe matches the ledger', async () => {
    const as = await shop.buyer({ does: 'pays' })
    const { status, body } = await shop.buy(as)
    expect([status, body.data.state]).toEqual([200, 'done'])
    const { order_id: key, paid } = body.data.order
    const intent = lastIntent(shop, as)
    expect(intent).toMatchObject({ status: 'succeeded', amount: paid, amount_received: paid, currency: 'usd' })
    expect(intent.metadata).toEqual({ key, account: as.userId })
    const [made] = askedFor(shop, 'POST /v1/payment_intents', key)
    expect(made).toMatchObject({ key, fields: { capture_method: 'manual', confirm: 'true' } })
    expect(askedFor(shop, `POST /v1/payment_intents/${intent.id}/capture`, `${key} capture`)).toHaveLength(1)
    expect(await shop.differences(as)).toEqual([])
    expect(await shop.plans(as)).toMatchObject([{ sku: 'cam-ai', running: true, channel: 'web' }])
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
      const as = await shop.buyer({ does })
      const ask = { intent: `declined_by_${does}`, quote: await shop.quote(as) }
      const first = await shop.buy(as, ask)
      expect([first.status, first.body.code]).toEqual([402, code])
      expect((first.body.data?.errors ?? []).map(({ field }: { field: string }) => field)).toEqual(fields)
      expect(await shop.buy(as, ask)).toEqual(first)
      expect([await shop.plans(as), await gateway.charges(as.userId)]).toEqual([[], []])
      expect(await shop.differences(as)).toEqual([])
    },
  )

  test('by a wallet declined without a reason is rejected with 4224', async () => {
    const as = await shop.buyer({ does: 'generic_decline', wallet: 'apple_pay' })
    expect((await shop.buy(as)).body.code).toBe(4224)
  })

  test('by a card that Stripe no longer knows is rejected with 4226', async () => {
    const as = await shop.buyer({ does: 'pays' })
    const token = [...shop.stripe.account.methods.keys()].at(-1) ?? ''
    await gateway.deleteMethod(as.userId, token)
    expect((await shop.buy(as)).body.code).toBe(4226)
  })
})

describe('Stripe refund', () => {
  test('is made once per key and never exceeds the captured amount', async () => {
    const as = await shop.buyer({ does: 'pays' })
    const { order_id: key, paid } = (await shop.buy(as)).body.data.order
    const first = await gateway.refund(as.userId, key, `${key} refund`, 100, Date.now())
    expect(await gateway.refund(as.userId, key, `${key} refund`, 100, Date.now())).toEqual(first)
    expect(askedFor(shop, 'POST /v1/refunds', `${key} refund`)).toHaveLength(1)
    expect(await gateway.charges(as.userId)).toMatchObject([{ key, cents: paid, refunded: 100 }])
    await expect(gateway.refund(as.userId, key, 'another', paid, Date.now())).rejects.toThrow(GatewayDown)
    // The refund above bypassed the ledger, like a refund made by hand at Stripe.
    expect(await shop.differences(as)).toMatchObject([{ where: 'gateway', other: 100 }])
  })

  test('CALL-09 of a canceled plan goes to the card under the ledger key, without a mismatch', async () => {
    const as = await shop.buyer({ does: 'pays' })
    const { order_id: key, paid } = (await shop.buy(as)).body.data.order
    const [plan] = await shop.plans(as)
    const left = await shop.town.call(
      as,
      cancelSubscription,
      {
        ...{ subscription_id: plan?.subscription_id, revision: plan?.revision, intent: 'leave_the_plan_now' },
        ...{ way: 'now', reason: null },
      },
      { billing_provider: 'recurring' },
    )
    expect([left.status, left.body.data.to_method > 0]).toEqual([200, true])
    const { to_method } = left.body.data
    await expect.poll(() => gateway.charges(as.userId)).toMatchObject([{ key, cents: paid, refunded: to_method }])
    const [sent] = [...shop.stripe.account.refunds.values()].slice(-1)
    expect(shop.stripe.asked.filter((request) => request.key === sent?.metadata['key'])).toHaveLength(1)
    expect(await shop.differences(as)).toEqual([])
  })

  test('of an amount that was not captured is not made', async () => {
    const as = await shop.buyer({ does: 'pays' })
    await expect(gateway.refund(as.userId, 'nothing', 'refund', 100, Date.now())).rejects.toThrow(GatewayDown)
    await expect(gateway.capture(as.userId, 'nothing', Date.now())).rejects.toThrow(GatewayDown)
  })
})
