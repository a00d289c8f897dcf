import { describe, expect, test } from 'vitest'
import type { BookState } from '../../../../../provider/billing/ledger/ledger-calls.ts'
import {
  type Coupon,
  couponRefused,
  type CouponBenefit,
  giftsFor,
} from '../../../../../provider/billing/coupons/coupon-rules.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const NOW = 1_790_000_000_000

const CREDIT: CouponBenefit = { option_id: 'credit', kind: 'credit', sku: null, value: 2000 }
const MONTHS: CouponBenefit = { option_id: 'free_months', kind: 'free_months', sku: 'unlimited', value: 3 }
const BONUS: CouponBenefit = { option_id: 'bonus', kind: 'bonus', sku: 'cam-ai', value: 30 }
const PERCENT: CouponBenefit = { option_id: 'percent', kind: 'percent', sku: null, value: 20 }

const coupon = (change: Partial<Coupon> = {}): Coupon => ({
  ...{ code: 'PORCH-GIFT', gifts: [CREDIT] },
  ...{ newOnly: false, emails: null, maxUses: null, until: null, always: null },
  ...change,
})

type Plan = BookState['subscriptions'][number]
const plan = (change: Partial<Plan> = {}): Plan => ({
  ...{
    subscription_id: 's',
    revision: 0,
    sku: 'cam-ai',
    channel: 'web',
    status: 'active',
    quantity: 1,
    period: 'monthly',
  },
  ...{ since: NOW - 40 * DAY_MS, renews_at: NOW + 5 * DAY_MS, isRunning: true },
  ...change,
})

const book = (change: Partial<BookState> = {}): BookState => ({
  ...{ subscriptions: [], balance: 0, redeemed: [], reserved: [], hadTrial: false, hasPaid: false },
  ...change,
})
const makeAccount = (change: Partial<BookState> = {}) => ({ email: 'maya@example.com', book: book(change) })
const checkCoupon = (gift: CouponBenefit, of: Partial<Coupon>, has: Partial<BookState>) =>
  couponRefused(coupon(of), gift, makeAccount(has), NOW)

const ALL = [CREDIT, MONTHS, BONUS, PERCENT]

describe('coupon rejection', () => {
  test.each(ALL)('uses 4101 once the coupon has expired, and not before: $kind', (gift) => {
    expect(checkCoupon(gift, { until: NOW - 1 }, {})).toEqual({ code: 4101, why: null })
    expect(checkCoupon(gift, { until: NOW }, {})).toBeNull()
  })

  test.each(ALL)('uses 4101 with a reason if the account has used the code, in any letter case: $kind', (gift) => {
    const why = { reason: 'used', sku: null, since: null, until: null }
    expect(checkCoupon(gift, {}, { redeemed: ['Porch-GIFT'] })).toEqual({ code: 4101, why })
    expect(checkCoupon(gift, {}, { redeemed: ['PORCH-GIFTS'] })).toBeNull()
  })

  test.each(ALL)('uses 4107 if the coupon was not given to the account: $kind', (gift) => {
    expect(checkCoupon(gift, { emails: ['ben@example.com'] }, {})?.code).toBe(4107)
    expect(checkCoupon(gift, { emails: [] }, {})?.code).toBe(4107)
    expect(checkCoupon(gift, { emails: ['ben@example.com', 'maya@example.com'] }, {})).toBeNull()
  })

  test('uses 4103 for a paying or former customer, here or elsewhere, if the coupon is for new customers', () => {
    const newOnly = { newOnly: true, until: NOW + DAY_MS }
    const ended = plan({ isRunning: false, status: 'cancelled' })
    expect(checkCoupon(CREDIT, newOnly, { hasPaid: true })?.code).toBe(4103)
    expect(checkCoupon(CREDIT, newOnly, { subscriptions: [ended] })).toEqual({
      code: 4103,
      why: { reason: 'new_only', sku: 'cam-ai', since: ended.since, until: NOW + DAY_MS },
    })
    expect(checkCoupon(PERCENT, newOnly, { subscriptions: [plan({ channel: 'amazon' })] })?.code).toBe(4103)
    expect(
      checkCoupon(PERCENT, newOnly, { subscriptions: [plan({ channel: 'bonus' }), plan({ status: 'trial' })] }),
    ).toBeNull()
    expect(checkCoupon(CREDIT, {}, { hasPaid: true, subscriptions: [ended] })).toBeNull()
  })

  test('uses 4105 during the free trial, unless the coupon is a discount', () => {
    const trial = { subscriptions: [plan({ status: 'trial', since: NOW - DAY_MS })] }
    for (const gift of [CREDIT, MONTHS, BONUS])
      expect(checkCoupon(gift, {}, trial)).toMatchObject({ code: 4105, why: { reason: 'trial', since: NOW - DAY_MS } })
    expect(checkCoupon(PERCENT, {}, trial)).toBeNull()
    // A running bonus also has the status `trial`, because it ends automatically, but it is not a free trial.
    expect(checkCoupon(BONUS, {}, { subscriptions: [plan({ status: 'trial', channel: 'bonus' })] })).toBeNull()
    expect(checkCoupon(CREDIT, {}, { subscriptions: [plan({ status: 'trial', isRunning: false })] })).toBeNull()
  })

  test('uses 4106 if the only plans are another channel’s, unless the coupon is a discount', () => {
    const amazon = plan({ channel: 'amazon' })
    for (const gift of [CREDIT, MONTHS, BONUS])
      expect(checkCoupon(gift, {}, { subscriptions: [amazon] })).toMatchObject({
        code: 4106,
        why: { reason: 'channel' },
      })
    expect(checkCoupon(PERCENT, {}, { subscriptions: [amazon] })).toBeNull()
    expect(checkCoupon(CREDIT, {}, { subscriptions: [amazon, plan()] })).toBeNull()
    expect(checkCoupon(CREDIT, {}, { subscriptions: [plan({ channel: 'bonus' })] })).toBeNull()
  })

  test.each([
    [BONUS, 'unlimited', 4102],
    [BONUS, 'pro', 4102],
    [MONTHS, 'pro', 4102],
    [MONTHS, 'unlimited', undefined],
    [MONTHS, 'cam-ai', undefined],
    [BONUS, 'cam-ai', undefined],
    [BONUS, 'hms', undefined],
    [CREDIT, 'pro', undefined],
    [PERCENT, 'pro', undefined],
  ] as const)('uses 4102 if the coupon would give nothing: $kind of $sku beside %s', (gift, sku, code) => {
    expect(checkCoupon(gift, {}, { subscriptions: [plan({ sku })] })?.code).toBe(code)
    expect(checkCoupon(gift, {}, { subscriptions: [plan({ sku, isRunning: false })] })).toBeNull()
  })

  test('uses 4104 if the balance would exceed $500', () => {
    expect(checkCoupon(CREDIT, {}, { balance: 48_000 })).toBeNull()
    expect(checkCoupon(CREDIT, {}, { balance: 48_001 })).toMatchObject({ code: 4104, why: { reason: 'credit' } })
    expect(checkCoupon(MONTHS, {}, { balance: 99_999 })).toBeNull()
  })

  test.each(['4102', '4103', '4104', '4105', '4106', '4107'])(
    'always uses %s if the coupon is made for that',
    (always) => {
      expect(checkCoupon(CREDIT, { always }, {})).toMatchObject({ code: Number(always), why: { sku: null } })
      const own = checkCoupon(CREDIT, { always }, { subscriptions: [plan({ sku: 'unlimited' })] })
      expect(own).toMatchObject({ code: Number(always), why: { sku: 'unlimited' } })
    },
  )
})

describe('coupon with a choice of benefits', () => {
  const choice = coupon({ gifts: [MONTHS, CREDIT] })

  test('omits a benefit that the account may not use', () => {
    expect(giftsFor(choice, makeAccount(), NOW)).toEqual([MONTHS, CREDIT])
    expect(giftsFor(choice, makeAccount({ subscriptions: [plan({ sku: 'pro' })] }), NOW)).toEqual([CREDIT])
  })

  test('gives the reason of the first benefit if none is left', () => {
    const has = makeAccount({ subscriptions: [plan({ sku: 'pro' })], balance: 50_000 })
    expect(giftsFor(choice, has, NOW)).toMatchObject({ code: 4102 })
  })
})
