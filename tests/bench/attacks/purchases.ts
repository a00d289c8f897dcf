import { randomBytes } from 'node:crypto'
import { getSubscriptions, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase, processTask } from '../../../contract/billing/purchase.ts'
import { processRedeem } from '../../../contract/billing/coupons.ts'
import { chooseMethod, removeMethod } from '../../../contract/billing/payment-calls.ts'
import { cancelSubscription } from '../../../contract/billing/cancellation.ts'
import { addMethod, WALLET } from '../shopper.ts'
import { type Attempts, expectSame, expectStatus, requireControl, type Verdict } from './attempts.ts'
import { type Answered, sendCall, fetchData, type Ground, type Member } from './ground.ts'

const AT_ONCE = 20
const CAMERA = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const HOME = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 } as const
const newKey = () => randomBytes(18).toString('base64url')

interface Buyer extends Member {
  readonly method: string
}
interface Quoted {
  readonly quote: string
  readonly due: number
}

async function newBuyer(ground: Ground): Promise<Buyer> {
  const member = await ground.member('Home of the buyer')
  return { ...member, method: await addMethod(member.browser, ground.env.PAYMENT_ORIGIN, WALLET) }
}

const quoteFor = (buyer: Buyer, target: object): Promise<Quoted> =>
  fetchData(buyer.browser, previewPurchase, target) as Promise<Quoted>

async function buy(buyer: Buyer, body: object): Promise<{ status: number; order: string }> {
  const sent = { intent: newKey(), method_id: buyer.method, ...body }
  const answer = await sendCall(buyer.browser, createPurchase, sent)
  const { data } = (await answer.json()) as Answered
  return { status: answer.status, order: (data?.order?.order_id as string | undefined) ?? '' }
}

const listSubscriptions = async ({ browser, userId }: Buyer): Promise<readonly Subscription[]> =>
  ((await fetchData(browser, getSubscriptions, {}, { uuid: userId })) as { subscriptions: Subscription[] })
    .subscriptions
const ownsNothing = async (buyer: Buyer): Promise<Verdict> => expectSame((await listSubscriptions(buyer)).length, 0)

async function tryParallel(attempts: Attempts, ground: Ground): Promise<void> {
  const keys: Readonly<Record<string, () => string>> = {
    'the same key': () => 'intent_of_all_of_them',
    'keys of their own': newKey,
  }
  await attempts.each(`${AT_ONCE} purchases at once with`, Object.entries(keys), async ([, key]) => {
    const buyer = await newBuyer(ground)
    const { quote } = await quoteFor(buyer, CAMERA)
    const all = await Promise.all(
      Array.from({ length: AT_ONCE }, () => buy(buyer, { ...CAMERA, quote, intent: key() })),
    )
    const orders = new Set(all.flatMap(({ order }) => (order === '' ? [] : [order])))
    const failures = all.filter(({ status }) => status >= 500).length
    return expectSame([orders.size, failures, (await listSubscriptions(buyer)).length], [1, 0, 1])
  })
  const spellings = ['CREDIT20', 'credit20', 'Credit20', 'cREDIT20']
  await attempts.try(`${AT_ONCE} uses of one coupon at once`, spellings, async () => {
    const { browser } = await newBuyer(ground)
    const uses = Array.from({ length: AT_ONCE }, (_, n) =>
      sendCall(browser, processRedeem, {
        code: spellings[n % spellings.length],
        option_id: 'credit',
        intent: newKey(),
      }),
    )
    const answers = await Promise.all(uses)
    const failures = answers.filter(({ status }) => status >= 500).length
    return expectSame([answers.filter(({ status }) => status === 200).length, failures], [1, 0])
  })
}

const decoded = (quote: string) =>
  JSON.parse(Buffer.from(quote.split('.')[0] ?? '', 'base64url').toString()) as { terms: Record<string, unknown> }

/** Forged versions of a quote of $3.24; `theirs` is a quote of another account. */
const FORGERIES: Readonly<Record<string, (quote: string, theirs: string) => string>> = {
  'another price': (quote) => resealed(quote, { due: 1, total: 1 }),
  'no price': (quote) => resealed(quote, { due: 0, total: 0, subtotal: 0 }),
  'a negative price': (quote) => resealed(quote, { due: -10_000, total: -10_000 }),
  'another quantity': (quote) => resealed(quote, { quantity: 99 }),
  'another plan': (quote) => resealed(quote, { sku: 'pro' }),
  'a later end': (quote) => resealed(quote, { expires_at: 9e15 }),
  'no signature': (quote) => `${quote.split('.')[0] ?? ''}.`,
  'its end cut off': (quote) => quote.slice(0, -1),
  'more behind it': (quote) => `${quote}.x`,
  'a space behind it': (quote) => `${quote} `,
  'its parts exchanged': (quote) => quote.split('.').reverse().join('.'),
  'the signature of another': (quote, theirs) => `${quote.split('.')[0] ?? ''}.${theirs.split('.')[1] ?? ''}`,
  'nothing of it': () => 'nothing',
  'a dot': () => '.',
}

function resealed(quote: string, change: object): string {
  const body = decoded(quote)
  const forged = { ...body, ...change, terms: { ...body.terms, ...change } }
  return `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${quote.split('.')[1] ?? ''}`
}

async function tryQuotes(attempts: Attempts, ground: Ground): Promise<void> {
  const [buyer, other] = [await newBuyer(ground), await newBuyer(ground)]
  const [own, theirs] = [await quoteFor(buyer, CAMERA), await quoteFor(other, CAMERA)]
  requireControl('a quote has terms', expectSame(typeof decoded(own.quote).terms, 'object'))
  await attempts.each('a quote with', Object.entries(FORGERIES), async ([, forge]) => {
    const { status, order } = await buy(buyer, { ...CAMERA, quote: forge(own.quote, theirs.quote) })
    if (order !== '' || status === 200) return `it bought ${order}`
    return status < 500 ? ownsNothing(buyer) : `got ${status}`
  })
  const bodies = {
    'the quote of another account': { ...CAMERA, quote: theirs.quote },
    'the quote of another plan': { ...HOME, quote: own.quote },
    'the method of another account': { ...CAMERA, quote: own.quote, method_id: other.method },
    'no method': { ...CAMERA, quote: own.quote, method_id: null },
  }
  await attempts.each('a purchase with', Object.entries(bodies), async ([, body]) => {
    const { status } = await buy(buyer, body)
    return [403, 404, 409].includes(status) ? ownsNothing(buyer) : `got ${status}`
  })
}

const QUANTITIES = [0, -1, 1.5, 100, 1e308, '1', '1e1', null, true, [], {}, [1], 'x', '0x10']
const SKUS = ['free', 'gold', '', 'CAM-AI', 'constructor', '__proto__', null, 7]

async function tryValues(attempts: Attempts, ground: Ground): Promise<void> {
  const buyer = await newBuyer(ground)
  const { quote } = await quoteFor(buyer, CAMERA)
  const targets = [
    ...QUANTITIES.map((quantity) => ({ ...CAMERA, quantity })),
    ...SKUS.map((sku) => ({ ...CAMERA, sku })),
    ...['weekly', '', 'MONTHLY', null].map((mode) => ({ ...CAMERA, mode })),
    ...[2, 3, -1, '1', null].map((level) => ({ ...CAMERA, level })),
    { ...HOME, quantity: 2 },
  ]
  await attempts.each('a purchase of', targets, async (target) => {
    const previewed = await sendCall(buyer.browser, previewPurchase, target)
    const { status } = await buy(buyer, { ...target, quote })
    return previewed.status === 400 && status === 400 ? ownsNothing(buyer) : `got ${previewed.status}, ${status}`
  })
}

async function tryForeignThings(attempts: Attempts, ground: Ground): Promise<void> {
  const [victim, thief] = [await newBuyer(ground), await newBuyer(ground)]
  const { order } = await buy(victim, { ...CAMERA, quote: (await quoteFor(victim, CAMERA)).quote })
  const [plan] = await listSubscriptions(victim)
  requireControl('the victim has a plan', expectSame([order !== '', plan?.sku], [true, 'cam-ai']))
  const named = { subscription_id: plan?.subscription_id ?? '', revision: plan?.revision ?? 0, intent: newKey() }
  const card = { method_id: victim.method, intent: newKey() }
  const asks: Readonly<Record<string, () => Promise<Response>>> = {
    'follow an order': () => sendCall(thief.browser, processTask, { process_id: order }),
    'choose a method': () => sendCall(thief.browser, chooseMethod, card),
    'remove a method': () => sendCall(thief.browser, removeMethod, card),
    'read the plans': () => sendCall(thief.browser, getSubscriptions, {}, { uuid: victim.userId }),
    'cancel a plan': () =>
      sendCall(thief.browser, cancelSubscription, { ...named, way: 'now', reason: null }, { billing_provider: 'card' }),
    'change a plan': () => sendCall(thief.browser, previewPurchase, { ...CAMERA, ...named, quantity: 2 }),
  }
  await attempts.each('another account can', Object.entries(asks), async ([, send]) =>
    expectStatus(await send(), 403, 404),
  )
  await attempts.try('the plan of the victim afterwards', plan?.subscription_id, async () =>
    expectSame(await listSubscriptions(victim), [plan]),
  )
}

/** Tries to buy twice with one quote, at a wrong price, or with another account's resources. */
export const purchases = {
  name: 'purchases',
  promise: 'a purchase happens once, at its quoted price, with the own quote, method and plan',
  async run(attempts: Attempts, ground: Ground) {
    await tryParallel(attempts, ground)
    await tryQuotes(attempts, ground)
    await tryValues(attempts, ground)
    await tryForeignThings(attempts, ground)
  },
}
