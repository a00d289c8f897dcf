import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { getBillingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { activateLicenses } from '../../../contract/billing/licenses.ts'
import type { Call } from '../../../contract/wire/call.ts'
import {
  CARD_ELSEWHERE_CODE,
  choosePaymentMethod,
  confirmCardSession,
  openCardSession,
  simulatePlans,
  removeMethod,
} from '../../../contract/billing/payment-calls.ts'
import {
  createPurchase,
  previewPurchase,
  getPurchaseTask,
  type Quote,
  updatePurchase,
} from '../../../contract/billing/purchase.ts'
import { applyCoupon, validateCoupon } from '../../../contract/billing/coupons.ts'
import { addCoupons } from '../../../provider/billing/coupons/coupon-rows.ts'
import { addCard } from '../../support/cards.ts'
import { type Account, addAccount, type CallResponse, openNeighborhood, type Neighborhood } from '../../support/home.ts'

const CAM_AI_MONTHLY = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const UNLIMITED_ANNUAL = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 } as const
type Payer = Account & { readonly method_id: string; readonly name: string }

let neighborhood: Neighborhood
let accountCount = 0
let idempotencyKeyCount = 0

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await addCoupons(neighborhood.bindings.DB, [{ code: 'TWENTY', gives: [{ kind: 'percent', sku: null, value: 20 }] }])
})
afterAll(() => neighborhood.close())

async function createPayer(digits = '4242'): Promise<Payer> {
  const name = `payer${(accountCount += 1)}`
  const account = await addAccount(neighborhood.bindings, name)
  return { ...account, name, method_id: (await addCard(neighborhood.bindings, account.userId, digits)).method_id }
}
const nextIdempotencyKey = () => `intent_of_the_test_${String((idempotencyKeyCount += 1)).padStart(4, '0')}`
const getQuote = async (account: Account, target: object = CAM_AI_MONTHLY) =>
  (await neighborhood.call(account, previewPurchase, { ...target })).body.data as Quote
const summarize = ({ status, body: { code } }: CallResponse) => [status, code]
const fetchBillingInfo = (account: Account, kind: string) =>
  neighborhood.call(account, getBillingInfo, { kind }, { billing_provider: 'recurring', uuid: account.userId })
const listCharges = async (account: Account) =>
  await neighborhood.bindings.GATEWAYS.getByName(account.userId).listCharges()
const readLedgerState = async (account: Account) =>
  await neighborhood.bindings.LEDGERS.getByName(account.userId).getEligibilityState(Date.now())

describe('OPEN-90 data of another account', () => {
  test('a task looks like an unknown one, before and after it completes', async () => {
    const [a, b] = [await createPayer('2020'), await createPayer()]
    const { quote } = await getQuote(a)
    const response = await neighborhood.call(a, createPurchase, {
      ...CAM_AI_MONTHLY,
      quote,
      intent: nextIdempotencyKey(),
      method_id: a.method_id,
    })
    const { process_id } = response.body.data
    const queryTask = () => neighborhood.call(b, getPurchaseTask, { process_id })
    const unknownResponse = await neighborhood.call(b, getPurchaseTask, { process_id: 'nobody_has_this' })
    expect([unknownResponse.status, await queryTask()]).toEqual([404, unknownResponse])
    await neighborhood.bindings.LEDGERS.getByName(a.userId).processDue(Date.now() + 60_000)
    expect((await neighborhood.call(a, getPurchaseTask, { process_id })).body.data.state).toBe('done')
    expect(await queryTask()).toEqual(unknownResponse)
    expect((await fetchBillingInfo(b, 'invoices')).body.data.invoices).toEqual([])
  })

  test('a card cannot be seen, chosen, removed or charged', async () => {
    const [a, b] = [await createPayer(), await createPayer()]
    const { methods } = (await fetchBillingInfo(b, 'payment_methods')).body.data
    expect(methods.map((method: { method_id: string }) => method.method_id)).toEqual([b.method_id])
    for (const call of [choosePaymentMethod, removeMethod]) {
      const callWithMethod = (method_id: string) =>
        neighborhood.call(b, call, { method_id, intent: nextIdempotencyKey() })
      const unknownResponse = await callWithMethod('nobody_has_this')
      expect([unknownResponse.status, await callWithMethod(a.method_id)]).toEqual([404, unknownResponse])
    }
    const { quote } = await getQuote(b)
    const response = await neighborhood.call(b, createPurchase, {
      ...CAM_AI_MONTHLY,
      quote,
      intent: nextIdempotencyKey(),
      method_id: a.method_id,
    })
    expect(summarize(response)).toEqual([409, 'no_method'])
    expect((await fetchBillingInfo(a, 'payment_methods')).body.data.methods).toMatchObject([{ is_default: true }])
    expect([await listCharges(a), await listCharges(b)]).toEqual([[], []])
  })

  test('a card page session is not accepted, and a quote adds no items to that page', async () => {
    const [a, b] = [await createPayer(), await createPayer()]
    const { quote } = await getQuote(a, UNLIMITED_ANNUAL)
    const { session_id } = (await neighborhood.call(a, openCardSession, { quote })).body.data
    const gateway = neighborhood.bindings.GATEWAYS.getByName(a.userId)
    await gateway.enterCard(session_id, Date.now())
    expect((await gateway.viewCard(session_id, Date.now()))?.lines.join()).toContain('Unlimited')
    const saved = await gateway.saveCard(
      session_id,
      { type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null, address: [] },
      Date.now(),
    )
    const proof = saved?.proof ?? ''
    expect(summarize(await neighborhood.call(b, confirmCardSession, { session_id, proof }))).toEqual([409, 4226])
    expect(summarize(await neighborhood.call(a, confirmCardSession, { session_id }))).toEqual([
      409,
      CARD_ELSEWHERE_CODE,
    ])
    const theirs = (await neighborhood.call(b, openCardSession, { quote })).body.data.session_id as string
    const own = neighborhood.bindings.GATEWAYS.getByName(b.userId)
    await own.enterCard(theirs, Date.now())
    expect((await own.viewCard(theirs, Date.now()))?.lines).toEqual([])
  })

  test('a quote with a coupon buys nothing and reserves nothing', async () => {
    const [a, b] = [await createPayer(), await createPayer()]
    const { quote } = await getQuote(a, { ...CAM_AI_MONTHLY, coupon: 'TWENTY' })
    const response = await neighborhood.call(b, createPurchase, {
      ...CAM_AI_MONTHLY,
      quote,
      intent: nextIdempotencyKey(),
      method_id: b.method_id,
    })
    expect(response.status).toBe(403)
    const holds = await neighborhood.bindings.DB.prepare("SELECT user_id FROM coupon_holds WHERE code = 'TWENTY'").all()
    expect([holds.results, await listCharges(b)]).toEqual([[], []])
  })

  test('an idempotency key has no effect on this account', async () => {
    const [a, b, intent] = [await createPayer(), await createPayer(), nextIdempotencyKey()]
    for (const account of [a, b]) {
      const { quote } = await getQuote(account)
      const response = await neighborhood.call(account, createPurchase, {
        ...CAM_AI_MONTHLY,
        quote,
        intent,
        method_id: account.method_id,
      })
      expect(response.body.data.state).toBe('done')
      expect(await listCharges(account)).toHaveLength(1)
    }
  })

  test('a call in the name of that account is rejected', async () => {
    const [a, b] = [await createPayer(), await createPayer()]
    const withForeignToken = { ...a, token: b.token }
    const calls: [Call, Record<string, unknown>][] = [
      [previewPurchase, { ...CAM_AI_MONTHLY }],
      [validateCoupon, { code: 'TWENTY' }],
      [getPurchaseTask, { process_id: 'x' }],
      [choosePaymentMethod, { method_id: a.method_id, intent: nextIdempotencyKey() }],
      [activateLicenses, { subscription_id: 'x', device_macs: ['door_a'] }],
    ]
    for (const [call, input] of calls)
      expect((await neighborhood.call(withForeignToken, call, { user_id: a.userId, ...input })).status).toBe(403)
  })
})

describe('OPEN-78 OPEN-88 plan change and purchase', () => {
  const INVALID_CHANGES: [string, object][] = [
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: 100 }],
    ['quantity', { quantity: 1.5 }],
    ['quantity', { quantity: '2' }],
    ['sku', { sku: 'gold' }],
    ['sku', { sku: 'free' }],
    ['level', { level: 4 }],
    ['mode', { mode: 'weekly' }],
    ['revision', { revision: -1 }],
  ]
  test.each(INVALID_CHANGES)('a change with a wrong %s, as %j, gets no price', async (field, wrong) => {
    const changed = { ...UNLIMITED_ANNUAL, subscription_id: 'x', revision: 1, ...wrong }
    const preview = await neighborhood.call(await createPayer(), previewPurchase, changed)
    expect([preview.status, preview.body.msg]).toEqual([400, expect.stringContaining(`malformed: ${field}`)])
  })

  test.each([...INVALID_CHANGES, ['change', { change: 1000 }] as const])(
    'a change with a wrong %s, as %j, returns 400, names the field and changes nothing',
    async (field, wrong) => {
      const account = await createPayer()
      const { quote } = await getQuote(account)
      await neighborhood.call(account, createPurchase, {
        ...CAM_AI_MONTHLY,
        quote,
        intent: nextIdempotencyKey(),
        method_id: account.method_id,
      })
      const before = await readLedgerState(account)
      const [plan] = before.subscriptions
      const changed = { ...UNLIMITED_ANNUAL, subscription_id: plan?.subscription_id, revision: 1, ...wrong }
      const paid = { change: 55, quote, intent: nextIdempotencyKey(), method_id: account.method_id, ...changed }
      const answer = await neighborhood.call(account, updatePurchase, paid)
      expect([answer.status, answer.body.msg]).toEqual([400, expect.stringContaining(`malformed: ${field}`)])
      expect([await readLedgerState(account), (await listCharges(account)).length]).toEqual([before, 1])
    },
  )

  test('a purchase follows the quoted price and dates, whatever price and dates are sent', async () => {
    const account = await createPayer()
    const { quote, due, next } = await getQuote(account)
    const sent = { price: 1, unit: 1, due: 1, total: 1, tax: 0, as_of: 0, starts_at: 0, renews_at: 9e15, next: null }
    const response = await neighborhood.call(account, createPurchase, {
      ...sent,
      ...CAM_AI_MONTHLY,
      quote,
      intent: nextIdempotencyKey(),
      method_id: account.method_id,
      coupon: 'TWENTY',
      discount: 100,
    })
    expect(response.body.data.order).toMatchObject({ paid: due, next })
    expect(await listCharges(account)).toMatchObject([{ cents: due }])
    expect((await readLedgerState(account)).subscriptions).toMatchObject([{ renews_at: next?.at }])
  })
})

describe('OPEN-90 coupon code guessing', () => {
  const guessCode = async (account: Account, code: string) =>
    summarize(await neighborhood.call(account, validateCoupon, { code }))
  const rateLimited = [429, 429]

  test('also counts codes on the page of a plan change', async () => {
    const account = await createPayer()
    const { quote } = await getQuote(account)
    await neighborhood.call(account, createPurchase, {
      ...CAM_AI_MONTHLY,
      quote,
      intent: nextIdempotencyKey(),
      method_id: account.method_id,
    })
    const { subscription_id } = (await readLedgerState(account)).subscriptions[0] ?? {}
    const change = (coupon: string) =>
      neighborhood
        .call(account, previewPurchase, { ...UNLIMITED_ANNUAL, subscription_id, revision: 1, coupon })
        .then(summarize)
    for (let n = 0; n < 10; n++) expect(await change(`CHANGE-${n}`)).toEqual([409, 4101])
    expect([await change('TWENTY'), await guessCode(account, 'TWENTY')]).toEqual([rateLimited, rateLimited])
    expect(
      (await neighborhood.call(account, previewPurchase, { ...UNLIMITED_ANNUAL, subscription_id, revision: 1 })).status,
    ).toBe(200)
  })

  test('ends after 40 codes in a day, however slowly they are tried', async () => {
    const account = await createPayer()
    const guard = neighborhood.bindings.GUARDS.getByName(`coupon:${account.userId}`)
    for (let n = 0; n < 39; n++) await guard.countAttempt('coupon-day', 40, 86_400_000, Date.now() - 3_600_000)
    expect(await guessCode(account, 'SLOWLY-1')).toEqual([409, 4101])
    expect(await guessCode(account, 'SLOWLY-2')).toEqual(rateLimited)
  })
})

test('every billing call returns 401 for a deleted account', async () => {
  const account = await createPayer()
  const { quote } = await getQuote(account)
  const removed = await fetch(
    `${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/${account.name}@example.com`,
    {
      method: 'DELETE',
      headers: { authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}` },
    },
  )
  expect(removed.status).toBe(200)
  const paymentFields = { intent: nextIdempotencyKey(), method_id: account.method_id }
  const calls: [Call, Record<string, unknown>][] = [
    [previewPurchase, { ...CAM_AI_MONTHLY }],
    [createPurchase, { ...CAM_AI_MONTHLY, ...paymentFields, quote }],
    [updatePurchase, { ...CAM_AI_MONTHLY, ...paymentFields, quote, subscription_id: 'x', revision: 1, change: 55 }],
    [getPurchaseTask, { process_id: 'x' }],
    [activateLicenses, { subscription_id: 'x', device_macs: ['door_a'] }],
    [validateCoupon, { code: 'TWENTY' }],
    [applyCoupon, { code: 'TWENTY', option_id: 'percent', intent: nextIdempotencyKey() }],
    [openCardSession, { quote }],
    [confirmCardSession, { session_id: 'cs_1' }],
    [choosePaymentMethod, paymentFields],
    [removeMethod, paymentFields],
    [simulatePlans, {}],
  ]
  for (const [call, input] of calls)
    expect(summarize(await neighborhood.call(account, call, input))).toEqual([401, 401])
  expect(summarize(await fetchBillingInfo(account, 'catalogue'))).toEqual([401, 401])
})
