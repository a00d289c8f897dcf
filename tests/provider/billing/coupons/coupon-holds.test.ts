import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DemoCoupon } from '../../../../contract/operator/demo-coupons.ts'
import { createPurchase, previewPurchase, getPurchaseTask, type Quote } from '../../../../contract/billing/purchase.ts'
import { applyCoupon } from '../../../../contract/billing/coupons.ts'
import { holdCoupon, releaseCoupon } from '../../../../provider/billing/coupons/coupon-service.ts'
import { addCoupons, HOLD_DURATION_MS, findHold } from '../../../../provider/billing/coupons/coupon-rows.ts'
import { addCard } from '../../../support/cards.ts'
import {
  type Account,
  addAccount,
  type CallResponse,
  openNeighborhood,
  type Neighborhood,
} from '../../../support/home.ts'

/**
 * Last digits of a card whose bank answers after 20 s. The charge stays pending until the test moves the time ahead.
 */
const SLOW_CARD = '2020'
const CAM_AI_MONTHLY = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
type Payer = Account & { readonly method_id: string }

let neighborhood: Neighborhood
let accountCount = 0
let idempotencyKeyCount = 0

beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(() => neighborhood.close())

async function createPayer(digits = '4242'): Promise<Payer> {
  const account = await addAccount(neighborhood.bindings, `payer${(accountCount += 1)}`)
  return { ...account, method_id: (await addCard(neighborhood.bindings, account.userId, digits)).method_id }
}
const nextIdempotencyKey = () => `intent_of_the_test_${String((idempotencyKeyCount += 1)).padStart(4, '0')}`
const summarize = ({ status, body: { code } }: CallResponse) => [status, code]
const previewCoupon = async (account: Account, coupon: string) =>
  (await neighborhood.call(account, previewPurchase, { ...CAM_AI_MONTHLY, coupon })).body.data as Quote
const buy = (account: Payer, { quote }: Quote, intent = nextIdempotencyKey()) =>
  neighborhood.call(account, createPurchase, { ...CAM_AI_MONTHLY, quote, intent, method_id: account.method_id })
const redeemCoupon = (account: Account, code: string, option_id: string, intent = nextIdempotencyKey()) =>
  neighborhood.call(account, applyCoupon, { code, option_id, intent })
const getLedger = ({ userId }: Account) => neighborhood.bindings.LEDGERS.getByName(userId)

const PERCENT_OFF = { kind: 'percent', sku: null, value: 20 } as const
const CREDIT = { kind: 'credit', sku: null, value: 100 } as const
async function createSingleUseCoupon(code: string, ...gives: DemoCoupon['gives']): Promise<string> {
  await addCoupons(neighborhood.bindings.DB, [{ code, gives }])
  await neighborhood.bindings.DB.prepare('UPDATE coupons SET max_uses = 1 WHERE code = ?').bind(code).run()
  return code
}
const expireHold = (code: string) =>
  neighborhood.bindings.DB.prepare("UPDATE coupon_holds SET expires_at = 1 WHERE code = ? AND state = 'held'")
    .bind(code)
    .run()

describe('OPEN-90 hold on a single-use coupon during a charge', () => {
  test('lasts regardless of what else the account starts with the coupon meanwhile', async () => {
    const code = await createSingleUseCoupon('UNDER-WAY', PERCENT_OFF, CREDIT)
    const [a, b] = [await createPayer(SLOW_CARD), await createPayer()]
    const [mine, theirs] = [await previewCoupon(a, code), await previewCoupon(b, code)]
    const { process_id } = (await buy(a, mine)).body.data
    expect(summarize(await buy(a, mine))).toEqual([409, 'busy'])
    expect(summarize(await redeemCoupon(a, code, '2-credit'))).toEqual([409, 'busy'])
    expect(summarize(await buy(b, theirs))).toEqual([409, 4101])
    await getLedger(a).processDue(Date.now() + 60_000)
    expect((await neighborhood.call(a, getPurchaseTask, { process_id })).body.data.state).toBe('done')
    expect(await findHold(neighborhood.bindings.DB, code, a.userId)).toMatchObject({ state: 'used', expires_at: null })
    expect(summarize(await buy(b, theirs))).toEqual([409, 4101])
  })

  test('outlasts a slow charge: the ledger is checked before another account gets the coupon', async () => {
    const code = await createSingleUseCoupon('TAKES-LONG', PERCENT_OFF)
    const [a, b] = [await createPayer(SLOW_CARD), await createPayer()]
    const [mine, theirs] = [await previewCoupon(a, code), await previewCoupon(b, code)]
    expect((await buy(a, mine)).body.data.state).toBe('pending')
    await expireHold(code)
    expect(summarize(await buy(b, theirs))).toEqual([409, 4101])
    expect((await findHold(neighborhood.bindings.DB, code, a.userId))?.state).toBe('held')
    await getLedger(a).processDue(Date.now() + 60_000)
    expect(await findHold(neighborhood.bindings.DB, code, a.userId)).toMatchObject({ state: 'used', expires_at: null })
  })

  test('is released when the charge fails', async () => {
    const code = await createSingleUseCoupon('DECLINED', PERCENT_OFF)
    const [a, b] = [await createPayer('4221'), await createPayer()]
    const [mine, theirs] = [await previewCoupon(a, code), await previewCoupon(b, code)]
    expect(summarize(await buy(a, mine))).toEqual([402, 4221])
    expect((await buy(b, theirs)).body.data.state).toBe('done')
  })

  test('from two pages of an account stays with one after the other releases it, until it expires', async () => {
    const code = await createSingleUseCoupon('TWO-PAGES', CREDIT)
    const [a, b, now] = [await createPayer(), await createPayer(), Date.now()]
    const hold = (account: Account, intent: string, at = now) =>
      holdCoupon(neighborhood.bindings, code, account.userId, intent, at)
    expect([await hold(a, 'first'), await hold(a, 'second')]).toEqual([true, true])
    for (const intent of ['second', 'first']) await releaseCoupon(neighborhood.bindings, code, a.userId, intent)
    expect(await hold(b, 'other')).toBe(false)
    expect(await hold(b, 'other', now + 2 * HOLD_DURATION_MS)).toBe(true)
  })
})

describe('repeated redemption with the same idempotency key', () => {
  const expectReplay = async (name: string, change: (code: string, account: Account) => Promise<unknown>) => {
    const [account, intent, code] = [
      await createPayer(),
      nextIdempotencyKey(),
      await createSingleUseCoupon(name, CREDIT),
    ]
    const first = await redeemCoupon(account, code, 'credit', intent)
    expect(first.status).toBe(200)
    await change(code, account)
    expect(await redeemCoupon(account, code, 'credit', intent)).toEqual(first)
    expect((await getLedger(account).getEligibilityState(Date.now())).balance).toBe(100)
  }

  test('returns the same response after the hold would have expired', async () => {
    await expectReplay('MUCH-LATER', async (code, account) => {
      await expireHold(code)
      expect(await findHold(neighborhood.bindings.DB, code, account.userId)).toMatchObject({
        state: 'used',
        expires_at: null,
      })
    })
  })

  test('returns the same response while D1 does not know of the redemption', () =>
    expectReplay('NOT-YET', async (code) => {
      await neighborhood.bindings.DB.prepare("UPDATE coupon_holds SET state = 'held', expires_at = 1 WHERE code = ?")
        .bind(code)
        .run()
    }))

  test('returns the same response after the coupon has ended for others', () =>
    expectReplay('ENDED', (code) =>
      neighborhood.bindings.DB.prepare('UPDATE coupons SET until = 1 WHERE code = ?').bind(code).run(),
    ))

  test('returns the same response to concurrent requests', async () => {
    const [account, intent, code] = [
      await createPayer(),
      nextIdempotencyKey(),
      await createSingleUseCoupon('AT-ONCE', CREDIT),
    ]
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeemCoupon(account, code, 'credit', intent)))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.status).toBe(200)
  })

  test('with guessed codes counts like any guess, although the key is known', async () => {
    const [account, intent] = [await createPayer(), nextIdempotencyKey()]
    await redeemCoupon(account, await createSingleUseCoupon('KNOWN', CREDIT), 'credit', intent)
    await createSingleUseCoupon('STILL-THERE', CREDIT)
    for (let n = 0; n < 10; n++)
      expect(summarize(await redeemCoupon(account, `GUESSED-${n}`, 'credit', intent))).toEqual([409, 4101])
    expect((await redeemCoupon(account, 'STILL-THERE', 'credit', intent)).status).toBe(429)
  })
})

describe('OPEN-90 limit on declined and possibly declined purchases', () => {
  async function leaveOneAttempt(account: Account): Promise<void> {
    const guard = neighborhood.bindings.GUARDS.getByName(account.userId)
    for (let n = 0; n < 19; n++) await guard.countAttempt('purchase', 20, 600_000, Date.now())
  }
  const getQuote = async (account: Account) =>
    (await neighborhood.call(account, previewPurchase, { ...CAM_AI_MONTHLY })).body.data as Quote

  test('counts once per idempotency key, regardless of retries', async () => {
    const [account, intent] = [await createPayer('4221'), nextIdempotencyKey()]
    const quote = await getQuote(account)
    await leaveOneAttempt(account)
    for (let n = 0; n < 3; n++) expect(summarize(await buy(account, quote, intent))).toEqual([402, 4221])
    expect((await buy(account, quote)).status).toBe(429)
    expect(summarize(await buy(account, quote, intent))).toEqual([402, 4221])
  })

  test('counts a pending purchase, because it may be declined after the last request', async () => {
    const [account, intent] = [await createPayer(SLOW_CARD), nextIdempotencyKey()]
    const quote = await getQuote(account)
    await leaveOneAttempt(account)
    for (let n = 0; n < 3; n++) expect((await buy(account, quote, intent)).body.data.state).toBe('pending')
    expect((await buy(account, quote)).status).toBe(429)
  })

  test('does not count a successful purchase', async () => {
    const account = await createPayer()
    await leaveOneAttempt(account)
    expect((await buy(account, await getQuote(account))).body.data.state).toBe('done')
    expect(summarize(await buy(account, { quote: 'nothing' } as Quote))).not.toContain(429)
  })
})

test('CALL-05 free months of the plan that covers cameras keep covering them', async () => {
  const { DB } = neighborhood.bindings
  await DB.exec('DELETE FROM subscriptions')
  await neighborhood.a.bridge.register('door_a')
  await addCoupons(DB, [{ code: 'MONTHS', gives: [{ kind: 'free_months', sku: 'cam-ai', value: 2 }] }])
  const { method_id } = await addCard(neighborhood.bindings, neighborhood.a.userId, '4242')
  const { quote } = (await neighborhood.call(neighborhood.a, previewPurchase, { ...CAM_AI_MONTHLY, quantity: 2 })).body
    .data as Quote
  const request = {
    ...CAM_AI_MONTHLY,
    quantity: 2,
    quote,
    method_id,
    intent: nextIdempotencyKey(),
    cameras: ['door_a'],
  }
  const { order } = (await neighborhood.call(neighborhood.a, createPurchase, request)).body.data
  const bound = async () => (await DB.prepare('SELECT device_id, subscription_id FROM bindings').all()).results
  expect(await bound()).toEqual([{ device_id: 'door_a', subscription_id: order.subscription_id }])
  const { subscription_id } = (await redeemCoupon(neighborhood.a, 'months', 'free_months')).body.data
  expect(await bound()).toEqual([{ device_id: 'door_a', subscription_id }])
  expect(subscription_id).not.toBe(order.subscription_id)
})
