import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DemoCoupon } from '../../../../contract/operator/demo-coupons.ts'
import { createPurchase, previewPurchase, processTask, type Quote } from '../../../../contract/billing/purchase.ts'
import { processRedeem } from '../../../../contract/billing/coupons.ts'
import { holdCoupon, releaseCoupon } from '../../../../provider/billing/coupons/coupon-service.ts'
import { addCoupons, HOLD_MS, findHold } from '../../../../provider/billing/coupons/coupon-rows.ts'
import { addCard } from '../../../support/cards.ts'
import { type Account, addAccount, type Answer, openNeighborhood, type Neighborhood } from '../../../support/home.ts'

/**
 * Last digits of a card whose bank answers after 20 s. The charge stays pending until the test moves the time ahead.
 */
const SLOW = '2020'
const T1 = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
type Payer = Account & { readonly method_id: string }

let town: Neighborhood
let people = 0
let keys = 0

beforeAll(async () => {
  town = await openNeighborhood()
})
afterAll(() => town.close())

async function payer(digits = '4242'): Promise<Payer> {
  const as = await addAccount(town.bindings, `payer${(people += 1)}`)
  return { ...as, method_id: (await addCard(town.bindings, as.userId, digits)).method_id }
}
const key = () => `intent_of_the_test_${String((keys += 1)).padStart(4, '0')}`
const summarize = ({ status, body: { code } }: Answer) => [status, code]
const previewCoupon = async (as: Account, coupon: string) =>
  (await town.call(as, previewPurchase, { ...T1, coupon })).body.data as Quote
const buy = (as: Payer, { quote }: Quote, intent = key()) =>
  town.call(as, createPurchase, { ...T1, quote, intent, method_id: as.method_id })
const redeemCoupon = (as: Account, code: string, option_id: string, intent = key()) =>
  town.call(as, processRedeem, { code, option_id, intent })
const ledger = ({ userId }: Account) => town.bindings.LEDGERS.getByName(userId)

const PERCENT = { kind: 'percent', sku: null, value: 20 } as const
const CREDIT = { kind: 'credit', sku: null, value: 100 } as const
/** Creates a coupon that can be used once. */
async function makeOne(code: string, ...gives: DemoCoupon['gives']): Promise<string> {
  await addCoupons(town.bindings.DB, [{ code, gives }])
  await town.bindings.DB.prepare('UPDATE coupons SET max_uses = 1 WHERE code = ?').bind(code).run()
  return code
}
const pass = (code: string) =>
  town.bindings.DB.prepare("UPDATE coupon_holds SET expires_at = 1 WHERE code = ? AND state = 'held'").bind(code).run()

describe('OPEN-90 hold on a single-use coupon during a charge', () => {
  test('lasts regardless of what else the account starts with the coupon meanwhile', async () => {
    const code = await makeOne('UNDER-WAY', PERCENT, CREDIT)
    const [a, b] = [await payer(SLOW), await payer()]
    const [mine, theirs] = [await previewCoupon(a, code), await previewCoupon(b, code)]
    const { process_id } = (await buy(a, mine)).body.data
    expect(summarize(await buy(a, mine))).toEqual([409, 'busy'])
    expect(summarize(await redeemCoupon(a, code, '2-credit'))).toEqual([409, 'busy'])
    expect(summarize(await buy(b, theirs))).toEqual([409, 4101])
    await ledger(a).due(Date.now() + 60_000)
    expect((await town.call(a, processTask, { process_id })).body.data.state).toBe('done')
    expect(await findHold(town.bindings.DB, code, a.userId)).toMatchObject({ state: 'used', expires_at: null })
    expect(summarize(await buy(b, theirs))).toEqual([409, 4101])
  })

  test('outlasts a slow charge: the ledger is checked before another account gets the coupon', async () => {
    const code = await makeOne('TAKES-LONG', PERCENT)
    const [a, b] = [await payer(SLOW), await payer()]
    const [mine, theirs] = [await previewCoupon(a, code), await previewCoupon(b, code)]
    expect((await buy(a, mine)).body.data.state).toBe('pending')
    await pass(code)
    expect(summarize(await buy(b, theirs))).toEqual([409, 4101])
    expect((await findHold(town.bindings.DB, code, a.userId))?.state).toBe('held')
    await ledger(a).due(Date.now() + 60_000)
    expect(await findHold(town.bindings.DB, code, a.userId)).toMatchObject({ state: 'used', expires_at: null })
  })

  test('is released when the charge fails', async () => {
    const code = await makeOne('DECLINED', PERCENT)
    const [a, b] = [await payer('4221'), await payer()]
    const [mine, theirs] = [await previewCoupon(a, code), await previewCoupon(b, code)]
    expect(summarize(await buy(a, mine))).toEqual([402, 4221])
    expect((await buy(b, theirs)).body.data.state).toBe('done')
  })

  test('from two pages of an account stays with one after the other releases it, until it expires', async () => {
    const code = await makeOne('TWO-PAGES', CREDIT)
    const [a, b, now] = [await payer(), await payer(), Date.now()]
    const hold = (as: Account, intent: string, at = now) => holdCoupon(town.bindings, code, as.userId, intent, at)
    expect([await hold(a, 'first'), await hold(a, 'second')]).toEqual([true, true])
    for (const intent of ['second', 'first']) await releaseCoupon(town.bindings, code, a.userId, intent)
    expect(await hold(b, 'other')).toBe(false)
    expect(await hold(b, 'other', now + 2 * HOLD_MS)).toBe(true)
  })
})

describe('repeated redemption with the same idempotency key', () => {
  const replayed = async (name: string, change: (code: string, as: Account) => Promise<unknown>) => {
    const [as, intent, code] = [await payer(), key(), await makeOne(name, CREDIT)]
    const first = await redeemCoupon(as, code, 'credit', intent)
    expect(first.status).toBe(200)
    await change(code, as)
    expect(await redeemCoupon(as, code, 'credit', intent)).toEqual(first)
    expect((await ledger(as).state(Date.now())).balance).toBe(100)
  }

  test('returns the same response after the hold would have expired', async () => {
    await replayed('MUCH-LATER', async (code, as) => {
      await pass(code)
      expect(await findHold(town.bindings.DB, code, as.userId)).toMatchObject({ state: 'used', expires_at: null })
    })
  })

  test('returns the same response while D1 does not know of the redemption', () =>
    replayed('NOT-YET', async (code) => {
      await town.bindings.DB.prepare("UPDATE coupon_holds SET state = 'held', expires_at = 1 WHERE code = ?")
        .bind(code)
        .run()
    }))

  test('returns the same response after the coupon has ended for others', () =>
    replayed('ENDED', (code) =>
      town.bindings.DB.prepare('UPDATE coupons SET until = 1 WHERE code = ?').bind(code).run(),
    ))

  test('returns the same response to concurrent requests', async () => {
    const [as, intent, code] = [await payer(), key(), await makeOne('AT-ONCE', CREDIT)]
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeemCoupon(as, code, 'credit', intent)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe(200)
  })

  test('with guessed codes counts like any guess, although the key is known', async () => {
    const [as, intent] = [await payer(), key()]
    await redeemCoupon(as, await makeOne('KNOWN', CREDIT), 'credit', intent)
    await makeOne('STILL-THERE', CREDIT)
    for (let n = 0; n < 10; n++)
      expect(summarize(await redeemCoupon(as, `GUESSED-${n}`, 'credit', intent))).toEqual([409, 4101])
    expect((await redeemCoupon(as, 'STILL-THERE', 'credit', intent)).status).toBe(429)
  })
})

describe('OPEN-90 limit on declined and possibly declined purchases', () => {
  /** Uses all purchase attempts of an account but one. */
  async function oneLeft(as: Account): Promise<void> {
    const guard = town.bindings.GUARDS.getByName(as.userId)
    for (let n = 0; n < 19; n++) await guard.attempt('purchase', 20, 600_000, Date.now())
  }
  const getQuote = async (as: Account) => (await town.call(as, previewPurchase, { ...T1 })).body.data as Quote

  test('counts once per idempotency key, regardless of retries', async () => {
    const [as, intent] = [await payer('4221'), key()]
    const quote = await getQuote(as)
    await oneLeft(as)
    for (let n = 0; n < 3; n++) expect(summarize(await buy(as, quote, intent))).toEqual([402, 4221])
    expect((await buy(as, quote)).status).toBe(429)
    expect(summarize(await buy(as, quote, intent))).toEqual([402, 4221])
  })

  test('counts a pending purchase, because it may be declined after the last request', async () => {
    const [as, intent] = [await payer(SLOW), key()]
    const quote = await getQuote(as)
    await oneLeft(as)
    for (let n = 0; n < 3; n++) expect((await buy(as, quote, intent)).body.data.state).toBe('pending')
    expect((await buy(as, quote)).status).toBe(429)
  })

  test('does not count a successful purchase', async () => {
    const as = await payer()
    await oneLeft(as)
    expect((await buy(as, await getQuote(as))).body.data.state).toBe('done')
    expect(summarize(await buy(as, { quote: 'nothing' } as Quote))).not.toContain(429)
  })
})

test('CALL-05 free months of the plan that covers cameras keep covering them', async () => {
  const { DB } = town.bindings
  await DB.exec('DELETE FROM subscriptions')
  await town.a.bridge.register('door_a')
  await addCoupons(DB, [{ code: 'MONTHS', gives: [{ kind: 'free_months', sku: 'cam-ai', value: 2 }] }])
  const { method_id } = await addCard(town.bindings, town.a.userId, '4242')
  const { quote } = (await town.call(town.a, previewPurchase, { ...T1, quantity: 2 })).body.data as Quote
  const request = { ...T1, quantity: 2, quote, method_id, intent: key(), cameras: ['door_a'] }
  const { order } = (await town.call(town.a, createPurchase, request)).body.data
  const bound = async () => (await DB.prepare('SELECT device_id, subscription_id FROM bindings').all()).results
  expect(await bound()).toEqual([{ device_id: 'door_a', subscription_id: order.subscription_id }])
  const { subscription_id } = (await redeemCoupon(town.a, 'months', 'free_months')).body.data
  expect(await bound()).toEqual([{ device_id: 'door_a', subscription_id }])
  expect(subscription_id).not.toBe(order.subscription_id)
})
