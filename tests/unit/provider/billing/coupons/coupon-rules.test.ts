import { describe, expect, test } from 'vitest'
import type { EligibilityState } from '../../../../../provider/billing/ledger/ledger-calls.ts'
import {
  type Coupon,
  findCouponRejection,
  type CouponBenefit,
  listUsableBenefits,
} from '../../../../../provider/billing/coupons/coupon-rules.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const NOW = 1_790_000_000_000

const CREDIT_BENEFIT: CouponBenefit = { option_id: 'credit', kind: 'credit', sku: null, value: 2000 }
const FREE_MONTHS_BENEFIT: CouponBenefit = { option_id: 'free_months', kind: 'free_months', sku: 'unlimited', value: 3 }
const BONUS_BENEFIT: CouponBenefit = { option_id: 'bonus', kind: 'bonus', sku: 'cam-ai', value: 30 }
const PERCENT_BENEFIT: CouponBenefit = { option_id: 'percent', kind: 'percent', sku: null, value: 20 }

const createCoupon = (change: Partial<Coupon> = {}): Coupon => ({
  code: 'PORCH-GIFT',
  gifts: [CREDIT_BENEFIT],
  newOnly: false,
  emails: null,
  maxUses: null,
  until: null,
  always: null,
  ...change,
})

type Plan = EligibilityState['subscriptions'][number]
const createPlan = (change: Partial<Plan> = {}): Plan => ({
  subscription_id: 's',
  revision: 0,
  sku: 'cam-ai',
  channel: 'web',
  status: 'active',
  quantity: 1,
  period: 'monthly',
  since: NOW - 40 * DAY_MS,
  renews_at: NOW + 5 * DAY_MS,
  isRunning: true,
  ...change,
})

const createEligibilityState = (change: Partial<EligibilityState> = {}): EligibilityState => ({
  subscriptions: [],
  balance: 0,
  redeemed: [],
  reserved: [],
  hadTrial: false,
  hasPaid: false,
  ...change,
})
const makeAccount = (change: Partial<EligibilityState> = {}) => ({
  email: 'maya@example.com',
  book: createEligibilityState(change),
})
const checkCoupon = (gift: CouponBenefit, couponChange: Partial<Coupon>, stateChange: Partial<EligibilityState>) =>
  findCouponRejection(createCoupon(couponChange), gift, makeAccount(stateChange), NOW)

const ALL_BENEFITS = [CREDIT_BENEFIT, FREE_MONTHS_BENEFIT, BONUS_BENEFIT, PERCENT_BENEFIT]

describe('coupon rejection', () => {
  test.each(ALL_BENEFITS)('uses 4101 once the coupon has expired, and not before: $kind', (gift) => {
    expect(checkCoupon(gift, { until: NOW - 1 }, {})).toEqual({ code: 4101, why: null })
    expect(checkCoupon(gift, { until: NOW }, {})).toBeNull()
  })

  test.each(ALL_BENEFITS)(
    'uses 4101 with a reason if the account has used the code, in any letter case: $kind',
    (gift) => {
      const why = { reason: 'used', sku: null, since: null, until: null }
      expect(checkCoupon(gift, {}, { redeemed: ['Porch-GIFT'] })).toEqual({ code: 4101, why })
      expect(checkCoupon(gift, {}, { redeemed: ['PORCH-GIFTS'] })).toBeNull()
    },
  )

  test.each(ALL_BENEFITS)('uses 4107 if the coupon was not given to the account: $kind', (gift) => {
    expect(checkCoupon(gift, { emails: ['ben@example.com'] }, {})?.code).toBe(4107)
    expect(checkCoupon(gift, { emails: [] }, {})?.code).toBe(4107)
    expect(checkCoupon(gift, { emails: ['ben@example.com', 'maya@example.com'] }, {})).toBeNull()
  })

  test('uses 4103 for a paying or former customer, here or elsewhere, if the coupon is for new customers', () => {
    const newOnly = { newOnly: true, until: NOW + DAY_MS }
    const ended = createPlan({ isRunning: false, status: 'cancelled' })
    expect(checkCoupon(CREDIT_BENEFIT, newOnly, { hasPaid: true })?.code).toBe(4103)
    expect(checkCoupon(CREDIT_BENEFIT, newOnly, { subscriptions: [ended] })).toEqual({
      code: 4103,
      why: { reason: 'new_only', sku: 'cam-ai', since: ended.since, until: NOW + DAY_MS },
    })
    expect(checkCoupon(PERCENT_BENEFIT, newOnly, { subscriptions: [createPlan({ channel: 'amazon' })] })?.code).toBe(
      4103,
    )
    expect(
      checkCoupon(PERCENT_BENEFIT, newOnly, {
        subscriptions: [createPlan({ channel: 'bonus' }), createPlan({ status: 'trial' })],
      }),
    ).toBeNull()
    expect(checkCoupon(CREDIT_BENEFIT, {}, { hasPaid: true, subscriptions: [ended] })).toBeNull()
  })

  test('uses 4105 during the free trial, unless the coupon is a discount', () => {
    const trial = { subscriptions: [createPlan({ status: 'trial', since: NOW - DAY_MS })] }
    for (const gift of [CREDIT_BENEFIT, FREE_MONTHS_BENEFIT, BONUS_BENEFIT])
      expect(checkCoupon(gift, {}, trial)).toMatchObject({ code: 4105, why: { reason: 'trial', since: NOW - DAY_MS } })
    expect(checkCoupon(PERCENT_BENEFIT, {}, trial)).toBeNull()
    // A running bonus also has the status `trial`, because it ends automatically. It does not count as a free trial.
    expect(
      checkCoupon(BONUS_BENEFIT, {}, { subscriptions: [createPlan({ status: 'trial', channel: 'bonus' })] }),
    ).toBeNull()
    expect(
      checkCoupon(CREDIT_BENEFIT, {}, { subscriptions: [createPlan({ status: 'trial', isRunning: false })] }),
    ).toBeNull()
  })

  test('uses 4106 if the only plans are another channel’s, unless the coupon is a discount', () => {
    const amazon = createPlan({ channel: 'amazon' })
    for (const gift of [CREDIT_BENEFIT, FREE_MONTHS_BENEFIT, BONUS_BENEFIT])
      expect(checkCoupon(gift, {}, { subscriptions: [amazon] })).toMatchObject({
        code: 4106,
        why: { reason: 'channel' },
      })
    expect(checkCoupon(PERCENT_BENEFIT, {}, { subscriptions: [amazon] })).toBeNull()
    expect(checkCoupon(CREDIT_BENEFIT, {}, { subscriptions: [amazon, createPlan()] })).toBeNull()
    expect(checkCoupon(CREDIT_BENEFIT, {}, { subscriptions: [createPlan({ channel: 'bonus' })] })).toBeNull()
  })

  test.each([
    [BONUS_BENEFIT, 'unlimited', 4102],
    [BONUS_BENEFIT, 'pro', 4102],
    [FREE_MONTHS_BENEFIT, 'pro', 4102],
    [FREE_MONTHS_BENEFIT, 'unlimited', undefined],
    [FREE_MONTHS_BENEFIT, 'cam-ai', undefined],
    [BONUS_BENEFIT, 'cam-ai', undefined],
    [BONUS_BENEFIT, 'hms', undefined],
    [CREDIT_BENEFIT, 'pro', undefined],
    [PERCENT_BENEFIT, 'pro', undefined],
  ] as const)('uses 4102 if the coupon would give nothing: $kind of $sku beside %s', (gift, sku, code) => {
    expect(checkCoupon(gift, {}, { subscriptions: [createPlan({ sku })] })?.code).toBe(code)
    expect(checkCoupon(gift, {}, { subscriptions: [createPlan({ sku, isRunning: false })] })).toBeNull()
  })

  test('uses 4104 if the balance would exceed $500', () => {
    expect(checkCoupon(CREDIT_BENEFIT, {}, { balance: 48_000 })).toBeNull()
    expect(checkCoupon(CREDIT_BENEFIT, {}, { balance: 48_001 })).toMatchObject({
      code: 4104,
      why: { reason: 'credit' },
    })
    expect(checkCoupon(FREE_MONTHS_BENEFIT, {}, { balance: 99_999 })).toBeNull()
  })

  test.each(['4102', '4103', '4104', '4105', '4106', '4107'])(
    'always uses %s if the coupon is made for that',
    (always) => {
      expect(checkCoupon(CREDIT_BENEFIT, { always }, {})).toMatchObject({ code: Number(always), why: { sku: null } })
      const own = checkCoupon(CREDIT_BENEFIT, { always }, { subscriptions: [createPlan({ sku: 'unlimited' })] })
      expect(own).toMatchObject({ code: Number(always), why: { sku: 'unlimited' } })
    },
  )
})

describe('coupon with a choice of benefits', () => {
  const choice = createCoupon({ gifts: [FREE_MONTHS_BENEFIT, CREDIT_BENEFIT] })

  test('omits a benefit that the account may not use', () => {
    expect(listUsableBenefits(choice, makeAccount(), NOW)).toEqual([FREE_MONTHS_BENEFIT, CREDIT_BENEFIT])
    expect(listUsableBenefits(choice, makeAccount({ subscriptions: [createPlan({ sku: 'pro' })] }), NOW)).toEqual([
      CREDIT_BENEFIT,
    ])
  })

  test('gives the reason of the first benefit if none is left', () => {
    const has = makeAccount({ subscriptions: [createPlan({ sku: 'pro' })], balance: 50_000 })
    expect(listUsableBenefits(choice, has, NOW)).toMatchObject({ code: 4102 })
  })
})
