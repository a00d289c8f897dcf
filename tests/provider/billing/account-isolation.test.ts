import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { billingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { activate } from '../../../contract/billing/licenses.ts'
import type { Call } from '../../../contract/wire/call.ts'
import {
  CARD_ELSEWHERE,
  chooseMethod,
  confirmCardSession,
  openCardSession,
  simulatePlans,
  removeMethod,
} from '../../../contract/billing/payment-calls.ts'
import {
  createPurchase,
  previewPurchase,
  processTask,
  type Quote,
  updatePurchase,
} from '../../../contract/billing/purchase.ts'
import { processRedeem, redeem } from '../../../contract/billing/coupons.ts'
import { addCoupons } from '../../../provider/billing/coupons/coupon-rows.ts'
import { addCard } from '../../support/cards.ts'
import { type Account, addAccount, type Answer, openNeighborhood, type Neighborhood } from '../../support/home.ts'

const T1 = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const T2 = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 } as const
type Payer = Account & { readonly method_id: string; readonly name: string }

let town: Neighborhood
let people = 0
let keys = 0

beforeAll(async () => {
  town = await openNeighborhood()
  await addCoupons(town.bindings.DB, [{ code: 'TWENTY', gives: [{ kind: 'percent', sku: null, value: 20 }] }])
})
afterAll(() => town.close())

async function payer(digits = '4242'): Promise<Payer> {
  const name = `payer${(people += 1)}`
  const as = await addAccount(town.bindings, name)
  return { ...as, name, method_id: (await addCard(town.bindings, as.userId, digits)).method_id }
}
const key = () => `intent_of_the_test_${String((keys += 1)).padStart(4, '0')}`
const getQuote = async (as: Account, target: object = T1) =>
  (await town.call(as, previewPurchase, { ...target })).body.data as Quote
const summarize = ({ status, body: { code } }: Answer) => [status, code]
const info = (as: Account, kind: string) =>
  town.call(as, billingInfo, { kind }, { billing_provider: 'recurring', uuid: as.userId })
const collected = async (as: Account) => await town.bindings.GATEWAYS.getByName(as.userId).charges()
const readLedgerState = async (as: Account) => await town.bindings.LEDGERS.getByName(as.userId).state(Date.now())

describe('OPEN-90 data of another account', () => {
  test('a task looks like an unknown one, before and after it completes', async () => {
    const [a, b] = [await payer('2020'), await payer()]
    const { quote } = await getQuote(a)
    const response = await town.call(a, createPurchase, { ...T1, quote, intent: key(), method_id: a.method_id })
    const { process_id } = response.body.data
    const queryTask = () => town.call(b, processTask, { process_id })
    const nobodys = await town.call(b, processTask, { process_id: 'nobody_has_this' })
    expect([nobodys.status, await queryTask()]).toEqual([404, nobodys])
    await town.bindings.LEDGERS.getByName(a.userId).due(Date.now() + 60_000)
    expect((await town.call(a, processTask, { process_id })).body.data.state).toBe('done')
    expect(await queryTask()).toEqual(nobodys)
    expect((await info(b, 'invoices')).body.data.invoices).toEqual([])
  })

  test('a card cannot be seen, chosen, removed or charged', async () => {
    const [a, b] = [await payer(), await payer()]
    const { methods } = (await info(b, 'payment_methods')).body.data
    expect(methods.map((method: { method_id: string }) => method.method_id)).toEqual([b.method_id])
    for (const call of [chooseMethod, removeMethod]) {
      const callWithMethod = (method_id: string) => town.call(b, call, { method_id, intent: key() })
      const nobodys = await callWithMethod('nobody_has_this')
      expect([nobodys.status, await callWithMethod(a.method_id)]).toEqual([404, nobodys])
    }
    const { quote } = await getQuote(b)
    const response = await town.call(b, createPurchase, { ...T1, quote, intent: key(), method_id: a.method_id })
    expect(summarize(response)).toEqual([409, 'no_method'])
    expect((await info(a, 'payment_methods')).body.data.methods).toMatchObject([{ is_default: true }])
    expect([await collected(a), await collected(b)]).toEqual([[], []])
  })

  test('a card page session is not accepted, and a quote adds no items to that page', async () => {
    const [a, b] = [await payer(), await payer()]
    const { quote } = await getQuote(a, T2)
    const { session_id } = (await town.call(a, openCardSession, { quote })).body.data
    const gateway = town.bindings.GATEWAYS.getByName(a.userId)
    await gateway.enterCard(session_id, Date.now())
    expect((await gateway.viewCard(session_id, Date.now()))?.lines.join()).toContain('Unlimited')
    const saved = await gateway.saveCard(
      session_id,
      { type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null, address: [] },
      Date.now(),
    )
    const proof = saved?.proof ?? ''
    expect(summarize(await town.call(b, confirmCardSession, { session_id, proof }))).toEqual([409, 4226])
    expect(summarize(await town.call(a, confirmCardSession, { session_id }))).toEqual([409, CARD_ELSEWHERE])
    const theirs = (await town.call(b, openCardSession, { quote })).body.data.session_id as string
    const own = town.bindings.GATEWAYS.getByName(b.userId)
    await own.enterCard(theirs, Date.now())
    expect((await own.viewCard(theirs, Date.now()))?.lines).toEqual([])
  })

  test('a quote with a coupon buys nothing and reserves nothing', async () => {
    const [a, b] = [await payer(), await payer()]
    const { quote } = await getQuote(a, { ...T1, coupon: 'TWENTY' })
    const response = await town.call(b, createPurchase, { ...T1, quote, intent: key(), method_id: b.method_id })
    expect(response.status).toBe(403)
    const holds = await town.bindings.DB.prepare("SELECT user_id FROM coupon_holds WHERE code = 'TWENTY'").all()
    expect([holds.results, await collected(b)]).toEqual([[], []])
  })

  test('an idempotency key has no effect on this account', async () => {
    const [a, b, intent] = [await payer(), await payer(), key()]
    for (const as of [a, b]) {
      const { quote } = await getQuote(as)
      const response = await town.call(as, createPurchase, { ...T1, quote, intent, method_id: as.method_id })
      expect(response.body.data.state).toBe('done')
      expect(await collected(as)).toHaveLength(1)
    }
  })

  test('a call in the name of that account is rejected', async () => {
    const [a, b] = [await payer(), await payer()]
    const inTheirName = { ...a, token: b.token }
    const calls: [Call, Record<string, unknown>][] = [
      [previewPurchase, { ...T1 }],
      [redeem, { code: 'TWENTY' }],
      [processTask, { process_id: 'x' }],
      [chooseMethod, { method_id: a.method_id, intent: key() }],
      [activate, { subscription_id: 'x', device_macs: ['door_a'] }],
    ]
    for (const [call, input] of calls)
      expect((await town.call(inTheirName, call, { user_id: a.userId, ...input })).status).toBe(403)
  })
})

describe('OPEN-78 OPEN-88 plan change and purchase', () => {
  const WRONG: [string, object][] = [
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
  test.each(WRONG)('a change with a wrong %s, as %j, gets no price', async (field, wrong) => {
    const changed = { ...T2, subscription_id: 'x', revision: 1, ...wrong }
    const preview = await town.call(await payer(), previewPurchase, changed)
    expect([preview.status, preview.body.msg]).toEqual([400, expect.stringContaining(`malformed: ${field}`)])
  })

  test.each([...WRONG, ['change', { change: 1000 }] as const])(
    'a change with a wrong %s, as %j, returns 400, names the field and changes nothing',
    async (field, wrong) => {
      const as = await payer()
      const { quote } = await getQuote(as)
      await town.call(as, createPurchase, { ...T1, quote, intent: key(), method_id: as.method_id })
      const before = await readLedgerState(as)
      const [plan] = before.subscriptions
      const changed = { ...T2, subscription_id: plan?.subscription_id, revision: 1, ...wrong }
      const paid = { change: 55, quote, intent: key(), method_id: as.method_id, ...changed }
      const answer = await town.call(as, updatePurchase, paid)
      expect([answer.status, answer.body.msg]).toEqual([400, expect.stringContaining(`malformed: ${field}`)])
      expect([await readLedgerState(as), (await collected(as)).length]).toEqual([before, 1])
    },
  )

  test('a purchase follows the quoted price and dates, whatever price and dates are sent', async () => {
    const as = await payer()
    const { quote, due, next } = await getQuote(as)
    const sent = { price: 1, unit: 1, due: 1, total: 1, tax: 0, as_of: 0, starts_at: 0, renews_at: 9e15, next: null }
    const response = await town.call(as, createPurchase, {
      ...{ ...sent, ...T1, quote, intent: key(), method_id: as.method_id, coupon: 'TWENTY', discount: 100 },
    })
    expect(response.body.data.order).toMatchObject({ paid: due, next })
    expect(await collected(as)).toMatchObject([{ cents: due }])
    expect((await readLedgerState(as)).subscriptions).toMatchObject([{ renews_at: next?.at }])
  })
})

describe('OPEN-90 coupon code guessing', () => {
  const guess = async (as: Account, code: string) => summarize(await town.call(as, redeem, { code }))
  const stopped = [429, 429]

  test('also counts codes on the page of a plan change', async () => {
    const as = await payer()
    const { quote } = await getQuote(as)
    await town.call(as, createPurchase, { ...T1, quote, intent: key(), method_id: as.method_id })
    const { subscription_id } = (await readLedgerState(as)).subscriptions[0] ?? {}
    const change = (coupon: string) =>
      town.call(as, previewPurchase, { ...T2, subscription_id, revision: 1, coupon }).then(summarize)
    for (let n = 0; n < 10; n++) expect(await change(`CHANGE-${n}`)).toEqual([409, 4101])
    expect([await change('TWENTY'), await guess(as, 'TWENTY')]).toEqual([stopped, stopped])
    expect((await town.call(as, previewPurchase, { ...T2, subscription_id, revision: 1 })).status).toBe(200)
  })

  test('ends after 40 codes in a day, however slowly they are tried', async () => {
    const as = await payer()
    const guard = town.bindings.GUARDS.getByName(`coupon:${as.userId}`)
    for (let n = 0; n < 39; n++) await guard.attempt('coupon-day', 40, 86_400_000, Date.now() - 3_600_000)
    expect(await guess(as, 'SLOWLY-1')).toEqual([409, 4101])
    expect(await guess(as, 'SLOWLY-2')).toEqual(stopped)
  })
})

test('every billing call returns 401 for a deleted account', async () => {
  const as = await payer()
  const { quote } = await getQuote(as)
  const removed = await fetch(`${town.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/${as.name}@example.com`, {
    method: 'DELETE',
    headers: { authorization: `Admin ${town.stage.env.ADMIN_KEY}` },
  })
  expect(removed.status).toBe(200)
  const pays = { intent: key(), method_id: as.method_id }
  const calls: [Call, Record<string, unknown>][] = [
    [previewPurchase, { ...T1 }],
    [createPurchase, { ...T1, ...pays, quote }],
    [updatePurchase, { ...T1, ...pays, quote, subscription_id: 'x', revision: 1, change: 55 }],
    [processTask, { process_id: 'x' }],
    [activate, { subscription_id: 'x', device_macs: ['door_a'] }],
    [redeem, { code: 'TWENTY' }],
    [processRedeem, { code: 'TWENTY', option_id: 'percent', intent: key() }],
    [openCardSession, { quote }],
    [confirmCardSession, { session_id: 'cs_1' }],
    [chooseMethod, pays],
    [removeMethod, pays],
    [simulatePlans, {}],
  ]
  for (const [call, input] of calls) expect(summarize(await town.call(as, call, input))).toEqual([401, 401])
  expect(summarize(await info(as, 'catalogue'))).toEqual([401, 401])
})
