import { randomBytes } from 'node:crypto'
import { getSubscriptions, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase, getPurchaseTask } from '../../../contract/billing/purchase.ts'
import { applyCoupon } from '../../../contract/billing/coupons.ts'
import { choosePaymentMethod, removeMethod } from '../../../contract/billing/payment-calls.ts'
import { cancelSubscription } from '../../../contract/billing/cancellation.ts'
import { addPaymentMethod, WALLET_PAYMENT_METHOD } from '../shopper.ts'
import { type Attempts, expectEqual, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { type CallResponse, sendCall, fetchData, type AttackEnvironment, type Member } from './attack-environment.ts'

const PARALLEL_REQUESTS = 20
const CAMERA_PLAN = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const HOME_PLAN = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 } as const
const createIdempotencyKey = () => randomBytes(18).toString('base64url')

interface Buyer extends Member {
  readonly method: string
}
interface PurchaseQuote {
  readonly quote: string
  readonly due: number
}

async function createBuyer(environment: AttackEnvironment): Promise<Buyer> {
  const member = await environment.createMember('Home of the buyer')
  return {
    ...member,
    method: await addPaymentMethod(member.browser, environment.env.PAYMENT_ORIGIN, WALLET_PAYMENT_METHOD),
  }
}

const fetchQuote = (buyer: Buyer, target: object): Promise<PurchaseQuote> =>
  fetchData(buyer.browser, previewPurchase, target) as Promise<PurchaseQuote>

async function sendPurchase(buyer: Buyer, body: object): Promise<{ status: number; order: string }> {
  const sent = { intent: createIdempotencyKey(), method_id: buyer.method, ...body }
  const answer = await sendCall(buyer.browser, createPurchase, sent)
  const { data } = (await answer.json()) as CallResponse
  return { status: answer.status, order: (data?.order?.order_id as string | undefined) ?? '' }
}

const listSubscriptions = async ({ browser, userId }: Buyer): Promise<readonly Subscription[]> =>
  ((await fetchData(browser, getSubscriptions, {}, { uuid: userId })) as { subscriptions: Subscription[] })
    .subscriptions
const expectNoSubscriptions = async (buyer: Buyer): Promise<Verdict> =>
  expectEqual((await listSubscriptions(buyer)).length, 0)

async function tryParallelPurchases(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const keys: Readonly<Record<string, () => string>> = {
    'the same key': () => 'intent_of_all_of_them',
    'a separate key each': createIdempotencyKey,
  }
  await attempts.tryEach(`${PARALLEL_REQUESTS} purchases at once with`, Object.entries(keys), async ([, key]) => {
    const buyer = await createBuyer(environment)
    const { quote } = await fetchQuote(buyer, CAMERA_PLAN)
    const all = await Promise.all(
      Array.from({ length: PARALLEL_REQUESTS }, () => sendPurchase(buyer, { ...CAMERA_PLAN, quote, intent: key() })),
    )
    const orders = new Set(all.flatMap(({ order }) => (order === '' ? [] : [order])))
    const failures = all.filter(({ status }) => status >= 500).length
    return expectEqual([orders.size, failures, (await listSubscriptions(buyer)).length], [1, 0, 1])
  })
  const spellings = ['CREDIT20', 'credit20', 'Credit20', 'cREDIT20']
  await attempts.try(`${PARALLEL_REQUESTS} uses of one coupon at once`, spellings, async () => {
    const { browser } = await createBuyer(environment)
    const uses = Array.from({ length: PARALLEL_REQUESTS }, (_, n) =>
      sendCall(browser, applyCoupon, {
        code: spellings[n % spellings.length],
        option_id: 'credit',
        intent: createIdempotencyKey(),
      }),
    )
    const answers = await Promise.all(uses)
    const failures = answers.filter(({ status }) => status >= 500).length
    return expectEqual([answers.filter(({ status }) => status === 200).length, failures], [1, 0])
  })
}

const decodeQuote = (quote: string) =>
  JSON.parse(Buffer.from(quote.split('.')[0] ?? '', 'base64url').toString()) as { terms: Record<string, unknown> }

/** Ways to forge a quote. `theirs`: a valid quote of another account. */
const QUOTE_FORGERIES: Readonly<Record<string, (quote: string, theirs: string) => string>> = {
  'another price': (quote) => forgeQuote(quote, { due: 1, total: 1 }),
  'no price': (quote) => forgeQuote(quote, { due: 0, total: 0, subtotal: 0 }),
  'a negative price': (quote) => forgeQuote(quote, { due: -10_000, total: -10_000 }),
  'another quantity': (quote) => forgeQuote(quote, { quantity: 99 }),
  'another plan': (quote) => forgeQuote(quote, { sku: 'pro' }),
  'a later expiry': (quote) => forgeQuote(quote, { expires_at: 9e15 }),
  'no signature': (quote) => `${quote.split('.')[0] ?? ''}.`,
  'a truncated signature': (quote) => quote.slice(0, -1),
  'trailing text': (quote) => `${quote}.x`,
  'a trailing space': (quote) => `${quote} `,
  'swapped parts': (quote) => quote.split('.').reverse().join('.'),
  'the signature of another quote': (quote, theirs) => `${quote.split('.')[0] ?? ''}.${theirs.split('.')[1] ?? ''}`,
  'unrelated text': () => 'nothing',
  'only a dot': () => '.',
}

function forgeQuote(quote: string, change: object): string {
  const body = decodeQuote(quote)
  const forged = { ...body, ...change, terms: { ...body.terms, ...change } }
  return `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${quote.split('.')[1] ?? ''}`
}

async function tryForgedQuotes(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const [buyer, other] = [await createBuyer(environment), await createBuyer(environment)]
  const [own, foreignQuote] = [await fetchQuote(buyer, CAMERA_PLAN), await fetchQuote(other, CAMERA_PLAN)]
  requireControl('a quote has terms', expectEqual(typeof decodeQuote(own.quote).terms, 'object'))
  await attempts.tryEach('a quote with', Object.entries(QUOTE_FORGERIES), async ([, forge]) => {
    const { status, order } = await sendPurchase(buyer, { ...CAMERA_PLAN, quote: forge(own.quote, foreignQuote.quote) })
    if (order !== '' || status === 200) return `it created order ${order}`
    return status < 500 ? expectNoSubscriptions(buyer) : `got ${status}`
  })
  const bodies = {
    'the quote of another account': { ...CAMERA_PLAN, quote: foreignQuote.quote },
    'a quote for another plan': { ...HOME_PLAN, quote: own.quote },
    'the payment method of another account': { ...CAMERA_PLAN, quote: own.quote, method_id: other.method },
    'no payment method': { ...CAMERA_PLAN, quote: own.quote, method_id: null },
  }
  await attempts.tryEach('a purchase with', Object.entries(bodies), async ([, body]) => {
    const { status } = await sendPurchase(buyer, body)
    return [403, 404, 409].includes(status) ? expectNoSubscriptions(buyer) : `got ${status}`
  })
}

const INVALID_QUANTITIES = [0, -1, 1.5, 100, 1e308, '1', '1e1', null, true, [], {}, [1], 'x', '0x10']
const INVALID_SKUS = ['free', 'gold', '', 'CAM-AI', 'constructor', '__proto__', null, 7]

async function tryInvalidValues(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const buyer = await createBuyer(environment)
  const { quote } = await fetchQuote(buyer, CAMERA_PLAN)
  const targets = [
    ...INVALID_QUANTITIES.map((quantity) => ({ ...CAMERA_PLAN, quantity })),
    ...INVALID_SKUS.map((sku) => ({ ...CAMERA_PLAN, sku })),
    ...['weekly', '', 'MONTHLY', null].map((mode) => ({ ...CAMERA_PLAN, mode })),
    ...[2, 3, -1, '1', null].map((level) => ({ ...CAMERA_PLAN, level })),
    { ...HOME_PLAN, quantity: 2 },
  ]
  await attempts.tryEach('a purchase of', targets, async (target) => {
    const previewed = await sendCall(buyer.browser, previewPurchase, target)
    const { status } = await sendPurchase(buyer, { ...target, quote })
    return previewed.status === 400 && status === 400
      ? expectNoSubscriptions(buyer)
      : `got ${previewed.status}, ${status}`
  })
}

async function tryForeignResources(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const [victim, thief] = [await createBuyer(environment), await createBuyer(environment)]
  const { order } = await sendPurchase(victim, { ...CAMERA_PLAN, quote: (await fetchQuote(victim, CAMERA_PLAN)).quote })
  const [plan] = await listSubscriptions(victim)
  requireControl('the victim has a plan', expectEqual([order !== '', plan?.sku], [true, 'cam-ai']))
  const subscriptionFields = {
    subscription_id: plan?.subscription_id ?? '',
    revision: plan?.revision ?? 0,
    intent: createIdempotencyKey(),
  }
  const card = { method_id: victim.method, intent: createIdempotencyKey() }
  const foreignRequests: Readonly<Record<string, () => Promise<Response>>> = {
    'poll an order': () => sendCall(thief.browser, getPurchaseTask, { process_id: order }),
    'choose a payment method': () => sendCall(thief.browser, choosePaymentMethod, card),
    'remove a payment method': () => sendCall(thief.browser, removeMethod, card),
    'read the plans': () => sendCall(thief.browser, getSubscriptions, {}, { uuid: victim.userId }),
    'cancel a plan': () =>
      sendCall(
        thief.browser,
        cancelSubscription,
        { ...subscriptionFields, way: 'now', reason: null },
        { billing_provider: 'card' },
      ),
    'change a plan': () =>
      sendCall(thief.browser, previewPurchase, { ...CAMERA_PLAN, ...subscriptionFields, quantity: 2 }),
  }
  await attempts.tryEach('another account can', Object.entries(foreignRequests), async ([, send]) =>
    expectStatus(await send(), 403, 404),
  )
  await attempts.try('the victim keeps the plan unchanged', plan?.subscription_id, async () =>
    expectEqual(await listSubscriptions(victim), [plan]),
  )
}

/**
 * Tries to use one quote or coupon twice, to forge quotes, to buy invalid plans and quantities, and to use another
 * account's resources.
 */
export const purchaseAttacks = {
  name: 'purchases',
  guarantee: 'a purchase happens once, at the quoted price, with a quote, payment method and plan of the buyer',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    await tryParallelPurchases(attempts, environment)
    await tryForgedQuotes(attempts, environment)
    await tryInvalidValues(attempts, environment)
    await tryForeignResources(attempts, environment)
  },
}
