import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCardSession } from '../../../../../contract/billing/payment-calls.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { patience } from '../../../../support/patience.ts'
import type { Fault } from '../../../../support/stripe-server.ts'
import { lastIntent, openShop, type Buyer, type Shop } from '../../../../support/stripe/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const collected = async ({ userId }: Buyer) => (await selectGateway(shop.town.bindings)?.charges(userId)) ?? []
const ledger = ({ userId }: Buyer) => shop.town.bindings.LEDGERS.getByName(userId)

/** Buys while the next request to `endpoint` fails. Asserts one charge and no mismatch. */
async function buysOnce(endpoint: string, fault: Fault): Promise<void> {
  const as = await shop.buyer({ does: 'pays' })
  shop.stripe.fail(endpoint, fault)
  expect((await shop.buy(as)).body.data.state).toBe('done')
  expect(await collected(as)).toHaveLength(1)
  expect(await shop.differences(as)).toEqual([])
}

const CREATE = 'POST /v1/payment_intents'
const CAPTURE = 'POST /v1/payment_intents/'

describe('purchase that succeeds and is collected once when', () => {
  test.each([
    ['Stripe has too much to do', CREATE, 'busy'],
    ['the answer is cut off after the charge was made', CREATE, 'cut'],
    ['the answer is cut off after it was collected', CAPTURE, 'cut'],
    ['Stripe has too much to do when it is collected', CAPTURE, 'busy'],
    ['the list of charges breaks off', 'GET /v1/payment_intents', 'cut'],
  ] as const)('%s', (_, endpoint, fault) => buysOnce(endpoint, fault))

  test('Stripe does not respond before the timeout', async () => {
    const as = await shop.buyer({ does: 'pays' })
    shop.stripe.fail(CREATE, 'hang')
    const { body } = await shop.buy(as)
    expect(body.data).toEqual({ state: 'pending', process_id: expect.any(String) })
    const state = async () => (await shop.task(as, body.data.process_id)).body.data.state as string
    await expect.poll(state, patience).toBe('done')
    expect(await collected(as)).toHaveLength(1)
    expect(await shop.differences(as)).toEqual([])
  })

  test('both requests were lost and the key is a day old, so Stripe would charge again', async () => {
    const as = await shop.buyer({ does: 'slow' })
    const { process_id } = (await shop.buy(as)).body.data
    shop.stripe.forgetKeys()
    shop.stripe.account.answerBank(lastIntent(shop, as), true)
    expect((await shop.task(as, process_id)).body.data.state).toBe('done')
    expect(
      [...shop.stripe.account.intents.values()].filter((intent) => intent.metadata['key'] === process_id),
    ).toHaveLength(1)
  })
})

describe('Stripe outage', () => {
  test('a purchase is rejected with a notice that nothing was charged, and succeeds afterwards', async () => {
    const as = await shop.buyer({ does: 'pays' })
    shop.stripe.fail(CREATE, 'broken')
    const rejection = await shop.buy(as)
    expect([rejection.status, rejection.body.code]).toEqual([503, 'gateway'])
    expect(await collected(as)).toEqual([])
    // Stripe repeats its response to an idempotency key for a day, so a retry with the same key would fail again. After
    // 11 minutes, the ledger releases the parked purchase together with its quote.
    await ledger(as).due(Date.now() + 660_000)
    expect((await shop.buy(as)).body.data.state).toBe('done')
    expect(await collected(as)).toHaveLength(1)
    expect(await shop.differences(as)).toEqual([])
  })

  test('an authorized purchase is captured later by the alarm', async () => {
    const as = await shop.buyer({ does: 'pays' })
    // Fail two requests, because the ledger retries a failed request once immediately.
    for (const fault of ['busy', 'busy'] as const) shop.stripe.fail(CAPTURE, fault)
    const { body } = await shop.buy(as)
    expect(body.data.state).toBe('pending')
    expect(lastIntent(shop, as).status).toBe('requires_capture')
    await ledger(as).due(Date.now() + 60_000)
    expect(await shop.plans(as)).toMatchObject([{ sku: 'cam-ai', running: true }])
    expect(await shop.differences(as)).toEqual([])
  })

  test('the card page does not open, and the response says so', async () => {
    const as = await shop.buyer()
    shop.stripe.fail('POST /v1/checkout/sessions', 'busy')
    const { status, body } = await shop.town.call(as, openCardSession)
    expect([status, body.msg]).toEqual([503, expect.stringContaining('cannot be reached')])
  })

  test('an account deleted meanwhile is not charged again, and collected money is posted to the ledger', async () => {
    const as = await shop.buyer({ does: 'pays' })
    for (const fault of ['busy', 'busy'] as const) shop.stripe.fail(CAPTURE, fault)
    await shop.buy(as)
    const token = lastIntent(shop, as).payment_method
    shop.stripe.fail(`GET /v1/payment_methods/${token}`, 'broken')
    shop.stripe.fail(`GET /v1/payment_methods/${token}`, 'broken')
    await ledger(as).end(Date.now())
    expect(lastIntent(shop, as).status).toBe('requires_capture')
    // The ledger retries the failed removal of the payment method, although nothing else of the account is left.
    await expect.poll(() => shop.stripe.account.methods.get(token)?.customer, patience).toBeNull()
    expect(await collected(as)).toEqual([])
    expect(await shop.differences(as)).toEqual([])
  })
})

test('the log reports that Stripe rejected the key, without the key', async () => {
  const other = await openShop({ STRIPE_SECRET_KEY: 'sk_test_of_somebody_else' })
  const as = await other.buyer()
  expect((await other.town.call(as, openCardSession)).status).toBe(503)
  const printed = () => other.town.stage.provider.printed.join('\n')
  await expect.poll(printed, patience).toContain('"type":"StripeAuthenticationError"')
  expect(printed()).not.toContain('sk_test_of_somebody_else')
  await other.close()
})
