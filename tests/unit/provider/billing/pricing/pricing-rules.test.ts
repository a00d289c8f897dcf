import { describe, expect, test } from 'vitest'
import { CHANGE_CODES, type ChangeName } from '../../../../../contract/billing/change-codes.ts'
import type { Sku } from '../../../../../contract/billing/skus.ts'
import { computeDiscount, computeSums, buildTerms } from '../../../../../provider/billing/pricing/quote.ts'
import { findPlanChange, findUndoCode } from '../../../../../provider/billing/pricing/plan-change.ts'
import { addMonths } from '../../../../../provider/billing/pricing/billing-period.ts'
import { isQuantityAllowed, computePrice, type PlanSelection } from '../../../../../provider/billing/pricing/price.ts'
import { computeUnusedCents } from '../../../../../provider/billing/pricing/proration.ts'
import { computeTax } from '../../../../../provider/billing/pricing/tax.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const parseUtc = (text: string) => Date.parse(`${text}Z`)
const makeSelection = (sku: Sku, period: 'monthly' | 'annual', quantity = 1): PlanSelection => ({
  sku,
  period,
  quantity,
})
const selectTier1 = (period: 'monthly' | 'annual', quantity = 1) => makeSelection('cam-ai', period, quantity)
const selectTier2 = (period: 'monthly' | 'annual') => makeSelection('unlimited', period)
const selectTier3 = (period: 'monthly' | 'annual') => makeSelection('pro', period)

describe('a price', () => {
  test('is the catalog price times the licenses, which only a plan for one camera has', () => {
    expect([
      computePrice(selectTier1('monthly', 3)),
      computePrice(selectTier2('annual')),
      computePrice(selectTier3('monthly')),
    ]).toEqual([897, 9999, 1999])
    expect(isQuantityAllowed('cam-ai', 99)).toBe(true)
    for (const sku of ['unlimited', 'pro', 'hms'] as const)
      expect([isQuantityAllowed(sku, 1), isQuantityAllowed(sku, 2)]).toEqual([true, false])
    expect(isQuantityAllowed('cam-ai', 0)).toBe(false)
  })
})

describe('tax of a line item', () => {
  test.each([
    [9999, 825],
    [-2000, -165],
    [-478, -39],
    [0, 0],
    [200, 17], // 16.5 before rounding
    [-200, -17],
    [1, 0],
  ])('of %i cents at 8.25 %% is %i', (amount, tax) => {
    expect(computeTax(amount, 825)).toBe(tax)
  })
})

describe('a billing period', () => {
  test.each([
    ['2026-01-31T09:41:05', 1, '2026-02-28T09:41:05'],
    ['2026-01-31T09:41:05', 2, '2026-03-31T09:41:05'],
    ['2024-02-29T00:00:00', 12, '2025-02-28T00:00:00'],
    ['2024-02-29T00:00:00', 48, '2028-02-29T00:00:00'],
    ['2026-11-22T09:41:00', 1, '2026-12-22T09:41:00'],
    ['2026-12-31T23:59:59', 2, '2027-02-28T23:59:59'],
    ['2026-03-31T12:00:00', -1, '2026-02-28T12:00:00'],
  ])('from %s plus %i months ends at %s', (from, months, to) => {
    expect(new Date(addMonths(parseUtc(from), months)).toISOString()).toBe(`${to}.000Z`)
  })
})

describe('unused time', () => {
  const paid = { paid: 897, from: parseUtc('2026-11-08T09:41:00'), until: parseUtc('2026-12-08T09:41:00') }
  test('is prorated by the second', () => {
    expect(computeUnusedCents(paid, paid.until - 16 * DAY_MS)).toBe(478)
    expect(computeUnusedCents(paid, paid.from)).toBe(897)
    expect(computeUnusedCents(paid, paid.until)).toBe(0)
    expect(computeUnusedCents(paid, paid.until + 1)).toBe(0)
    // At 1,296,000 cents for 2,592,000 seconds, one second costs half a cent, which rounds up to 1.
    const even = { paid: 1_296_000, from: 0, until: 2_592_000_000 }
    expect([computeUnusedCents(even, 2_591_999_000), computeUnusedCents(even, 2_591_999_001)]).toEqual([1, 0])
  })
})

describe('a coupon', () => {
  test.each([
    [9999, 'percent', 20, 2000],
    [9999, 'percent', 100, 9999],
    [9999, 'amount', 500, 500],
    [299, 'amount', 500, 299],
    [299, 'percent', 50, 150],
  ] as const)('on %i cents with %s %i takes off %i', (line, kind, value, off) => {
    expect(computeDiscount(line, { kind, value })).toBe(off)
  })
})

const PLAN_CHANGES: readonly (readonly [string, ChangeName, PlanSelection | null, PlanSelection, later: boolean])[] = [
  ['SUB-02 from free', 'F-T1', null, selectTier1('monthly', 4), false],
  ['SUB-02 from free', 'F-T2', null, selectTier2('annual'), false],
  ['SUB-02 from free', 'F-T3', null, selectTier3('monthly'), false],
  ['SUB-03 SUB-11 the period of T1', 'T1-M-A', selectTier1('monthly', 2), selectTier1('annual', 5), false],
  ['SUB-03 SUB-11 the period of T1', 'T1-A-M', selectTier1('annual'), selectTier1('monthly'), true],
  ['SUB-04 the licenses of T1', 'T1+', selectTier1('monthly', 2), selectTier1('monthly', 3), false],
  ['SUB-04 the licenses of T1', 'T1-', selectTier1('annual', 2), selectTier1('annual', 1), true],
  ['SUB-05 the period of T2', 'T2-M-A', selectTier2('monthly'), selectTier2('annual'), false],
  ['SUB-05 the period of T2', 'T2-A-M', selectTier2('annual'), selectTier2('monthly'), true],
  ['SUB-06 the period of T3', 'T3-M-A', selectTier3('monthly'), selectTier3('annual'), false],
  ['SUB-06 the period of T3', 'T3-A-M', selectTier3('annual'), selectTier3('monthly'), true],
  ['SUB-07 between T1 and T2', 'T1-T2', selectTier1('monthly', 3), selectTier2('annual'), false],
  ['SUB-07 between T1 and T2', 'T2-T1', selectTier2('monthly'), selectTier1('monthly', 2), true],
  ['SUB-08 between T1 and T3', 'T1-T3', selectTier1('annual'), selectTier3('annual'), false],
  ['SUB-08 between T1 and T3', 'T3-T1', selectTier3('annual'), selectTier1('monthly'), true],
  ['SUB-09 between T2 and T3', 'T2-T3', selectTier2('annual'), selectTier3('annual'), false],
  ['SUB-09 between T2 and T3', 'T3-T2', selectTier3('monthly'), selectTier2('annual'), true],
]

describe('a plan change', () => {
  test.each(PLAN_CHANGES)('%s: %s', (_, name, from, to, isLater) => {
    const changed = from && { ...from, status: 'active' as const }
    expect(findPlanChange(changed, to)).toEqual({ change: CHANGE_CODES[name], isLater })
    // The current period of a past-due plan is not paid, so the change takes effect immediately.
    expect(findPlanChange(from && { ...from, status: 'past_due' }, to)).toEqual({
      change: CHANGE_CODES[name],
      isLater: false,
    })
  })

  test('SUB-10 has one of 17 codes, and a selection without a code is no change', () => {
    expect(new Set(PLAN_CHANGES.map(([, name]) => name))).toEqual(new Set(Object.keys(CHANGE_CODES)))
    expect(Object.keys(CHANGE_CODES)).toHaveLength(17)
    for (const plan of [selectTier1('monthly', 2), selectTier2('annual'), selectTier3('monthly')]) {
      expect(findPlanChange({ ...plan, status: 'active' }, plan)).toBeNull()
      expect(findPlanChange({ ...plan, status: 'active' }, makeSelection('free', 'monthly'))).toBeNull()
    }
    expect(
      findPlanChange({ ...makeSelection('hms', 'monthly'), status: 'active' }, makeSelection('hms', 'annual')),
    ).toBeNull()
  })

  test('to the current plan cancels the scheduled change, with the code of the reverse change', () => {
    const running = { ...selectTier2('annual'), status: 'active' as const, scheduled: selectTier1('monthly', 3) }
    expect(findUndoCode(running, selectTier2('annual'))).toBe(CHANGE_CODES['T1-T2'])
    expect(
      findUndoCode(
        { ...selectTier1('monthly', 5), status: 'active', scheduled: selectTier1('monthly', 2) },
        selectTier1('monthly', 5),
      ),
    ).toBe(12)
    for (const other of [selectTier1('monthly', 3), selectTier2('monthly'), selectTier3('annual')])
      expect(findUndoCode(running, other)).toBeNull()
    expect(findUndoCode({ ...running, scheduled: null }, selectTier2('annual'))).toBeNull()
    for (const status of ['cancelled', 'past_due', 'trial'] as const)
      expect(findUndoCode({ ...running, status }, selectTier2('annual'))).toBeNull()
  })

  test('from a trial is treated as one from the free plan', () => {
    expect(findPlanChange({ ...selectTier1('monthly'), status: 'trial' }, selectTier1('monthly'))).toEqual({
      change: 1,
      isLater: false,
    })
    expect(findPlanChange({ ...selectTier1('monthly'), status: 'trial' }, selectTier3('annual'))).toEqual({
      change: 3,
      isLater: false,
    })
  })
})

describe('a quote', () => {
  const now = parseUtc('2026-11-22T09:41:00')
  const until = now + 16 * DAY_MS
  const threeLicenses = { ...selectTier1('monthly', 3), paid: 897, from: until - 30 * DAY_MS, until }
  const quoteInput = {
    wanted: selectTier2('annual'),
    discount: { code: 'LAKE20', kind: 'percent', value: 20 } as const,
    isTrial: false,
    change: CHANGE_CODES['T1-T2'],
    isLater: false,
    changed: threeLicenses,
    balance: 0,
    taxBasisPoints: 825,
    now,
    currency: 'USD',
  }

  test('contains the plan, the coupon and the unused time, each with its tax', () => {
    const terms = buildTerms(quoteInput)
    expect(terms.lines.map(({ kind, amount, tax }) => [kind, amount, tax])).toEqual([
      ['plan', 9999, 825],
      ['coupon', -2000, -165],
      ['unused', -478, -39],
    ])
    expect(terms).toMatchObject({ subtotal: 7521, tax: 621, total: 8142, due: 8142, mode: 'update', change: 51 })
    expect(terms.next).toEqual({ at: parseUtc('2027-11-22T09:41:00'), total: 10_824 })
    expect([terms.starts_at, terms.expires_at]).toEqual([now, now + 600_000])
  })

  test('is paid from the balance first, and adds a negative total to the balance', () => {
    expect(buildTerms({ ...quoteInput, balance: 8000 })).toMatchObject({
      balance_used: 8000,
      due: 142,
      balance_added: 0,
    })
    expect(buildTerms({ ...quoteInput, balance: 9000 })).toMatchObject({ balance_used: 8142, due: 0 })
    const many = { ...threeLicenses, quantity: 99, paid: 29_601 }
    const terms = buildTerms({
      ...quoteInput,
      wanted: selectTier2('monthly'),
      discount: null,
      changed: many,
      balance: 5,
    })
    expect(terms.total).toBe(999 + 82 - 15_787 - 1302)
    expect(terms).toMatchObject({ balance_used: 0, balance_added: -terms.total, due: 0 })
    expect(computeSums([], 700)).toMatchObject({ total: 0, balance_used: 0, due: 0 })
  })

  test('for a later change charges nothing today', () => {
    const terms = buildTerms({
      ...quoteInput,
      wanted: selectTier1('monthly'),
      discount: null,
      isLater: true,
      change: 13,
    })
    expect(terms).toMatchObject({ lines: [], total: 0, due: 0, starts_at: until, is_later: true })
    expect(terms.next).toEqual({ at: until, total: 324 })
  })

  test('for a free trial charges nothing, neither today nor afterward', () => {
    const terms = buildTerms({
      ...quoteInput,
      wanted: selectTier1('monthly'),
      discount: null,
      changed: null,
      isTrial: true,
      change: 1,
    })
    expect(terms).toMatchObject({ lines: [], due: 0, next: null, is_trial: true, mode: 'checkout' })
  })

  test('taxes a discounted plan on its remaining price, so that a refund returns no cent more', () => {
    for (let value = 1; value <= 100; value += 1) {
      const discount = { code: 'LAKE', kind: 'percent', value } as const
      const { subtotal, tax } = buildTerms({ ...quoteInput, wanted: selectTier1('annual', 5), changed: null, discount })
      expect([value, tax]).toEqual([value, computeTax(subtotal, quoteInput.taxBasisPoints)])
    }
  })
})
