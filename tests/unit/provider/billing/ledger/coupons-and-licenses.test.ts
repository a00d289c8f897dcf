import { describe, expect, test } from 'vitest'
import type { CouponUse } from '../../../../../provider/billing/ledger/ledger-calls.ts'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import {
  applyCoupon,
  previewCoupon,
  redeemCouponOption as useCoupon,
} from '../../../../../provider/billing/ledger/redemption.ts'
import { runIdempotent } from '../../../../../provider/billing/ledger/idempotency-keys.ts'
import { listInvoices } from '../../../../../provider/billing/ledger/invoices.ts'
import { assignLicenses } from '../../../../../provider/billing/ledger/licenses.ts'
import {
  addMethod,
  setDefaultPaymentMethod,
  getPaymentMethods,
  removePaymentMethod,
} from '../../../../../provider/billing/ledger/payment-methods.ts'
import { acknowledge, listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { TEST_GATEWAY_METHOD, openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  parseUtc,
  buyPlan,
  nextIdempotencyKey,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  cameraAiSelection,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

describe('coupon', () => {
  const createCouponUse = (kind: CouponUse['kind'], value: number, sku: CouponUse['sku'] = null): CouponUse => ({
    code: nextIdempotencyKey(),
    kind,
    sku,
    value,
  })
  const redeem = ({ book, context }: TestLedger, coupon: CouponUse, now: number) =>
    book.transaction(() =>
      runIdempotent(book, { intent: coupon.code, body: coupon }, now, () =>
        applyCoupon(context, coupon, coupon.code, now),
      ),
    )

  test('for credit pays the next invoices, three of which are shown, or waits', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    expect(previewCoupon(testLedger.context, createCouponUse('credit', 700), NOW_MS)).toEqual([
      { kind: 'waits', amount: 700 },
    ])
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const changes = previewCoupon(testLedger.context, createCouponUse('credit', 700), NOW_MS)
    expect(changes).toMatchObject([
      { kind: 'bill', total: 324, less: 324, pay: 0, at: parseUtc('2026-12-22T09:41:00') },
      { total: 324, less: 324, pay: 0, at: parseUtc('2027-01-22T09:41:00') },
      { total: 324, less: 52, pay: 272 },
    ])
    expect(previewCoupon(testLedger.context, createCouponUse('credit', 5000), NOW_MS)).toHaveLength(3)
    redeem(testLedger, createCouponUse('credit', 700), NOW_MS)
    expect(getPaymentMethods(testLedger.context, NOW_MS)).toMatchObject({
      balance: 700,
      upcoming: [{ due: 0 }],
    })
    await advanceTestClock(testLedger.context, testLedger.billingService, {
      by: parseUtc('2027-02-22T09:41:00') - NOW_MS,
      now: NOW_MS,
    })
    expect(listInvoices(testLedger.book).map(({ paid, balance_used }) => [paid, balance_used])).toEqual([
      [272, 52],
      [0, 324],
      [0, 324],
      [324, 0],
    ])
    expectBalancedLedger(testLedger)
  })

  test('for free months ends the current plan, refunds unused time with tax, and renews at the price', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS - 14 * DAY_MS)
    const coupon = createCouponUse('free_months', 2, 'unlimited')
    const until = parseUtc('2027-01-22T09:41:00')
    const changes = previewCoupon(testLedger.context, coupon, NOW_MS)
    expect(changes).toEqual([
      { kind: 'ends', sku: 'cam-ai', at: NOW_MS, to_balance: 478 + 39 },
      { kind: 'free_until', sku: 'unlimited', at: until },
      { kind: 'then', period: 'monthly', total: 1081, first: 1081 - 517 },
    ])
    redeem(testLedger, coupon, NOW_MS)
    expect(testLedger.book.getBalance()).toBe(517)
    expect(listInvoices(testLedger.book)[0]).toMatchObject({ kind: 'credit_note', total: -517 })
    await testLedger.billingService.processDue(until)
    expect(listInvoices(testLedger.book)[0]).toMatchObject({
      kind: 'invoice',
      total: 1081,
      paid: 564,
      balance_used: 517,
    })
    expectBalancedLedger(testLedger)
  })

  test('for free months of the current plan is for as many cameras and keeps covering them', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
    const [paid] = listSubscriptions(testLedger)
    const cameras = ['door', 'yard', 'shed']
    testLedger.book.transaction(() =>
      assignLicenses(testLedger.book, paid?.subscription_id ?? '', cameras, cameras, NOW_MS),
    )
    const coupon = createCouponUse('free_months', 2, 'cam-ai')
    const changes = previewCoupon(testLedger.context, coupon, NOW_MS)
    expect(changes).toContainEqual({ kind: 'then', period: 'monthly', total: 971, first: 0 })
    redeem(testLedger, coupon, NOW_MS)
    const free = listSubscriptions(testLedger).find(({ over }) => !over)
    expect(free).toMatchObject({ sku: 'cam-ai', quantity: 3, free: true })
    const covered = testLedger.book
      .listRecords('licence')
      .filter((license) => license.subscription_id === free?.subscription_id)
    expect(covered.map(({ device_id }) => device_id).toSorted()).toEqual(cameras.toSorted())
    expectBalancedLedger(testLedger)
  })

  test('for free months ends automatically if no payment method pays', async () => {
    const testLedger = openTestLedger({ card: false })
    const coupon = createCouponUse('free_months', 1, 'cam-ai')
    expect(previewCoupon(testLedger.context, coupon, NOW_MS)).toEqual([
      { kind: 'free_until', sku: 'cam-ai', at: parseUtc('2026-12-22T09:41:00') },
      { kind: 'ends_by_itself', at: parseUtc('2026-12-22T09:41:00') },
    ])
    redeem(testLedger, coupon, NOW_MS)
    await testLedger.billingService.processDue(parseUtc('2026-12-22T09:41:00'))
    expect([listSubscriptions(testLedger)[0]?.over, listInvoices(testLedger.book)]).toEqual([true, []])
  })

  test('is used once per account, with any key and in any letter case', () => {
    const testLedger = openTestLedger()
    const coupon = { ...createCouponUse('credit', 700), code: 'GIFT-7' }
    const redeemCode = (code: string) =>
      testLedger.book.transaction(() =>
        useCoupon(testLedger.context, nextIdempotencyKey(), { ...coupon, code }, NOW_MS),
      )
    expect(redeemCode('GIFT-7')).toMatchObject({ state: 'done', balance: 700 })
    expect(redeemCode('gift-7')).toMatchObject({ state: 'refused', code: 4101, data: { reason: 'used' } })
    expect(testLedger.book.getBalance()).toBe(700)
  })

  test('for a bonus is one license beside the others for its number of days', () => {
    const testLedger = openTestLedger()
    redeem(testLedger, createCouponUse('bonus', 30, 'cam-ai'), NOW_MS)
    expect(listSubscriptions(testLedger)).toMatchObject([
      { channel: 'bonus', status: 'trial', quantity: 1, until: NOW_MS + 30 * DAY_MS },
    ])
  })
})

describe('licenses', () => {
  test('cover one camera each, are freed by removed cameras, and exclude cameras not owned', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(2), NOW_MS, {
      cameras: ['a', 'b', 'c'],
      own: ['a', 'b', 'c'],
    })
    const id = listSubscriptions(testLedger)[0]?.subscription_id ?? ''
    const assign = (devices: string[], own: string[]) =>
      testLedger.book.transaction(() => assignLicenses(testLedger.book, id, devices, own, NOW_MS))
    const createRejectedBinding = (device_mac: string, why: string) => ({ device_mac, bound: false, why })
    const createBinding = (device_mac: string) => ({ device_mac, bound: true, why: null })
    expect(assign(['a', 'c', 'x'], ['a', 'b', 'c'])).toEqual([
      createBinding('a'),
      createRejectedBinding('c', 'no_licence'),
      createRejectedBinding('x', 'not_yours'),
    ])
    expect(assign(['c'], ['a', 'c'])).toEqual([createBinding('c')])
    acknowledge(testLedger.book, listOutbox(testLedger.book))
    const entries = testLedger.book.getCounter('entries')
    expect(assign(['x', 'b'], ['a', 'b', 'c'])).toEqual([
      createRejectedBinding('x', 'not_yours'),
      createRejectedBinding('b', 'no_licence'),
    ])
    expect([testLedger.book.getCounter('entries'), listOutbox(testLedger.book)]).toEqual([entries, []])
    expect(assign(['a'], ['a', 'c'])).toEqual([createBinding('a')])
    expect([testLedger.book.getCounter('entries'), listOutbox(testLedger.book)]).toMatchObject([
      entries,
      [{ kind: 'subscription', id }],
    ])
  })
})

describe('payment methods', () => {
  test('start with a default one, and keep the last good one of a renewing plan', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { book, context } = testLedger
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const [card] = getPaymentMethods(context, NOW_MS).methods
    expect(card).toMatchObject({ is_default: true, may_go: false, state: 'good' })
    expect(book.transaction(() => removePaymentMethod(book, card?.method_id ?? '', NOW_MS))).toMatchObject({
      code: 4226,
      status: 402,
    })
    const ends = { month: 12, year: 2026 }
    const more = book.transaction(() => addMethod(context, 's2', { ...TEST_GATEWAY_METHOD, token: 't2', ends }, NOW_MS))
    expect(more).toMatchObject({ is_default: false, state: 'ending', may_go: true })
    expect(
      book.transaction(() => addMethod(context, 's2', { ...TEST_GATEWAY_METHOD, token: 't9' }, NOW_MS)).method_id,
    ).toBe(more.method_id)
    book.transaction(() => setDefaultPaymentMethod(book, more.method_id, NOW_MS))
    expect(getPaymentMethods(context, NOW_MS).upcoming).toMatchObject([
      { method_id: more.method_id, would_fail: false },
    ])
    const later = parseUtc('2027-01-01T00:00:00')
    expect(getPaymentMethods(context, later).methods.map(({ state, may_go }) => [state, may_go])).toEqual([
      ['good', false],
      ['ended', true],
    ])
    const left = book.transaction(() => removePaymentMethod(book, more.method_id, later))
    expect(left).toMatchObject([{ method_id: card?.method_id, is_default: true }])
  })
})
