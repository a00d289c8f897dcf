import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCardSession } from '../../../../../contract/billing/payment-calls.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import { WAIT_OPTIONS } from '../../../../support/patience.ts'
import type { StripeFault } from '../../../../support/stripe-server.ts'
import { findLastIntent, openShop, type Buyer, type Shop } from '../../../../support/stripe/shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const listCharges = async ({ userId }: Buyer) =>
  (await selectGateway(shop.neighborhood.bindings)?.charges(userId)) ?? []
const getLedger = ({ userId }: Buyer) => shop.neighborhood.bindings.LEDGERS.getByName(userId)

async function buyWithFault(endpoint: string, fault: StripeFault): Promise<void> {
  const buyer = await shop.createBuyer({ behavior: 'pays' })
  shop.stripe.fail(endpoint, fault)
  expect((await shop.buy(buyer)).body.data.state).toBe('done')
  expect(await listCharges(buyer)).toHaveLength(1)
  expect(await shop.findMismatches(buyer)).toEqual([])
}

const CREATE_INTENT = 'POST /v1/payment_intents'
const CAPTURE_INTENT = 'POST /v1/payment_intents/'

describe('purchase that succeeds and is collected once when', () => {
  test.each([
    ['Stripe is overloaded', CREATE_INTENT, 'busy'],
    ['the response is cut off after the authorization', CREATE_INTENT, 'cut'],
    ['the response is cut off after the capture', CAPTURE_INTENT, 'cut'],
    ['Stripe is overloaded during the capture', CAPTURE_INTENT, 'busy'],
    ['the list of charges is cut off', 'GET /v1/payment_intents', 'cut'],
  ] as const)('%s', (_, endpoint, fault) => buyWithFault(endpoint, fault))

  test('Stripe does not respond before the timeout', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    shop.stripe.fail(CREATE_INTENT, 'hang')
    const { body } = await shop.buy(buyer)
    expect(body.data).toEqual({ state: 'pending', process_id: expect.any(String) })
    const state = async () => (await shop.processTask(buyer, body.data.process_id)).body.data.state as string
    await expect.poll(state, WAIT_OPTIONS).toBe('done')
    expect(await listCharges(buyer)).toHaveLength(1)
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('both requests were lost and the key is a day old, so Stripe would charge again', async () => {
    const buyer = await shop.createBuyer({ behavior: 'slow' })
    const { process_id } = (await shop.buy(buyer)).body.data
    shop.stripe.expireIdempotencyKeys()
    shop.stripe.account.resolveBankChallenge(findLastIntent(shop, buyer), true)
    expect((await shop.processTask(buyer, process_id)).body.data.state).toBe('done')
    expect(
      [...shop.stripe.account.intents.values()].filter((intent) => intent.metadata['key'] === process_id),
    ).toHaveLength(1)
  })
})

describe('Stripe outage', () => {
  test('a purchase is rejected with a notice that nothing was charged, and succeeds afterwards', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    shop.stripe.fail(CREATE_INTENT, 'broken')
    const rejection = await shop.buy(buyer)
    expect([rejection.status, rejection.body.code]).toEqual([503, 'gateway'])
    expect(await listCharges(buyer)).toEqual([])
    // Stripe repeats its response to an idempotency key for a day, so a retry with the same key would fail again. After
    // 11 minutes, the ledger releases the parked purchase together with its quote.
    await getLedger(buyer).processDue(Date.now() + 660_000)
    expect((await shop.buy(buyer)).body.data.state).toBe('done')
    expect(await listCharges(buyer)).toHaveLength(1)
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('an authorized purchase is captured later by the alarm', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    // Fail two requests, because the ledger retries a failed request once immediately.
    for (const fault of ['busy', 'busy'] as const) shop.stripe.fail(CAPTURE_INTENT, fault)
    const { body } = await shop.buy(buyer)
    expect(body.data.state).toBe('pending')
    expect(findLastIntent(shop, buyer).status).toBe('requires_capture')
    await getLedger(buyer).processDue(Date.now() + 60_000)
    expect(await shop.listSubscriptions(buyer)).toMatchObject([{ sku: 'cam-ai', running: true }])
    expect(await shop.findMismatches(buyer)).toEqual([])
  })

  test('the card page does not open, and the response says so', async () => {
    const buyer = await shop.createBuyer()
    shop.stripe.fail('POST /v1/checkout/sessions', 'busy')
    const { status, body } = await shop.neighborhood.call(buyer, openCardSession)
    expect([status, body.msg]).toEqual([503, expect.stringContaining('couldn’t reach the payment provider')])
  })

  test('an account deleted meanwhile is not charged again, and collected money is posted to the ledger', async () => {
    const buyer = await shop.createBuyer({ behavior: 'pays' })
    for (const fault of ['busy', 'busy'] as const) shop.stripe.fail(CAPTURE_INTENT, fault)
    await shop.buy(buyer)
    const token = findLastIntent(shop, buyer).payment_method
    shop.stripe.fail(`GET /v1/payment_methods/${token}`, 'broken')
    shop.stripe.fail(`GET /v1/payment_methods/${token}`, 'broken')
    await getLedger(buyer).closeAccount(Date.now())
    expect(findLastIntent(shop, buyer).status).toBe('requires_capture')
    // The ledger retries the failed removal of the payment method, although all other data of the account is deleted.
    await expect.poll(() => shop.stripe.account.methods.get(token)?.customer, WAIT_OPTIONS).toBeNull()
    expect(await listCharges(buyer)).toEqual([])
    expect(await shop.findMismatches(buyer)).toEqual([])
  })
})

test('the log reports that Stripe rejected the key, without the key', async () => {
  const other = await openShop({ STRIPE_SECRET_KEY: 'sk_test_of_somebody_else' })
  const buyer = await other.createBuyer()
  expect((await other.neighborhood.call(buyer, openCardSession)).status).toBe(503)
  const printed = () => other.neighborhood.stage.provider.outputLines.join('\n')
  await expect.poll(printed, WAIT_OPTIONS).toContain('"type":"StripeAuthenticationError"')
  expect(printed()).not.toContain('sk_test_of_somebody_else')
  await other.close()
})
