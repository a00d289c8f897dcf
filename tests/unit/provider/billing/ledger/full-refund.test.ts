import { expect, test } from 'vitest'
import { splitBalance } from '../../../../../provider/billing/ledger/balance.ts'
import { applyCoupon } from '../../../../../provider/billing/ledger/redemption.ts'
import {
  applyCancellation,
  listCancellationOptions,
} from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { isLedgerError } from '../../../../../provider/billing/ledger/errors.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  type PlanSelection,
  listSubscriptions,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const getOnlySubscription = (testLedger: TestLedger) => listSubscriptions(testLedger)[0]!
const cancelNow = (testLedger: TestLedger, now: number) =>
  testLedger.book.transaction(() =>
    applyCancellation(testLedger.context, getOnlySubscription(testLedger), { way: 'now', reason: null }, now),
  )
const listRefundedCents = ({ book }: TestLedger) => book.listRecords('refund').map(({ cents }) => cents)
const createAnnualPlan = (quantity: number): PlanSelection => ({ sku: 'cam-ai', period: 'annual', quantity })

test('OPEN-178 refunds every charge after a change that has moved money to the balance', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, createAnnualPlan(99), NOW_MS)
  const paid = testLedger.book.sumPostings('cash')
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS + DAY_MS)
  const moved = testLedger.book.getBalance()
  expect([paid, moved]).toEqual([321_395, 309_691])
  const cancellationOptions = listCancellationOptions(
    testLedger.context,
    getOnlySubscription(testLedger).subscription_id,
    NOW_MS + 2 * DAY_MS,
  )
  expect(isLedgerError(cancellationOptions) || cancellationOptions[0]).toMatchObject({
    way: 'now',
    to_method: paid,
    to_balance: 0,
    from_balance: moved,
  })
  cancelNow(testLedger, NOW_MS + 2 * DAY_MS)
  expect([listRefundedCents(testLedger), testLedger.book.getBalance(), testLedger.book.sumPostings('cash')]).toEqual([
    [paid],
    0,
    0,
  ])
  expectBalancedLedger(testLedger)
})

test('OPEN-178 refunds the rest of the balance when part of it has been spent', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, createAnnualPlan(99), NOW_MS)
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS + DAY_MS)
  const billed = testLedger.book.sumPostings('cash') - testLedger.book.getBalance()
  await buyPlan(testLedger, { sku: 'hms', period: 'annual', quantity: 1 }, NOW_MS + DAY_MS)
  const left = testLedger.book.getBalance()
  const [plan] = listSubscriptions(testLedger).filter(({ sku }) => sku === 'unlimited')
  const cancellationOptions = listCancellationOptions(
    testLedger.context,
    plan?.subscription_id ?? '',
    NOW_MS + 2 * DAY_MS,
  )
  expect(isLedgerError(cancellationOptions) || cancellationOptions[0]).toMatchObject({
    to_method: left + billed,
    from_balance: left,
  })
})

test('OPEN-178 never pays out promotional credit', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  const credit = { code: 'CREDIT', kind: 'credit' as const, sku: null, value: 5000 }
  testLedger.book.transaction(() => applyCoupon(testLedger.context, credit, 'intent', NOW_MS))
  await buyPlan(testLedger, createAnnualPlan(4), NOW_MS)
  expect([testLedger.book.sumPostings('cash'), testLedger.book.getBalance()]).toEqual([7986, 0])
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS + DAY_MS)
  // The plan change credits the unused time. The promotional part of this credit never exceeds the promotional credit
  // that paid for the plan.
  expect(splitBalance(testLedger.book)).toEqual({ collected: 0, promotional: 2126 })
  cancelNow(testLedger, NOW_MS + 2 * DAY_MS)
  expect([testLedger.book.sumPostings('cash'), splitBalance(testLedger.book)]).toEqual([
    0,
    { collected: 0, promotional: 5000 },
  ])
  expectBalancedLedger(testLedger)
})

test('OPEN-180 a full refund of several periods returns the promotional credit of each as promotional credit', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  const credit = { code: 'CREDIT', kind: 'credit' as const, sku: null, value: 800 }
  testLedger.book.transaction(() => applyCoupon(testLedger.context, credit, 'intent', NOW_MS))
  // The gateway confirms the charge only after the first period has ended, and the renewal follows immediately.
  testLedger.gateway.faults = ['pending']
  await buyPlan(testLedger, { sku: 'pro', period: 'monthly', quantity: 1 }, NOW_MS)
  const confirmedAt = NOW_MS + 32 * DAY_MS
  await testLedger.billingService.processDue(confirmedAt)
  await testLedger.billingService.processDue(confirmedAt + 1000)
  expect(getOnlySubscription(testLedger).months).toBe(2)
  cancelNow(testLedger, confirmedAt + DAY_MS)
  expect([testLedger.book.sumPostings('cash'), splitBalance(testLedger.book)]).toEqual([
    0,
    { collected: 0, promotional: 800 },
  ])
  expectBalancedLedger(testLedger)
})

test('OPEN-178 grants a full refund once in 12 months for camera plans, and separately for home monitoring', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
  cancelNow(testLedger, NOW_MS + DAY_MS)
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS + 2 * DAY_MS)
  await buyPlan(testLedger, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW_MS + 2 * DAY_MS)
  const listCancellationWays = (sku: string, now: number) => {
    const subscription = listSubscriptions(testLedger).find((plan) => plan.sku === sku && !plan.over)
    const cancellationOptions = listCancellationOptions(testLedger.context, subscription?.subscription_id ?? '', now)
    return isLedgerError(cancellationOptions) ? [] : cancellationOptions.map(({ way }) => way)
  }
  expect(listCancellationWays('unlimited', NOW_MS + 3 * DAY_MS)).toEqual(['month_end', 'end'])
  expect(listCancellationWays('hms', NOW_MS + 3 * DAY_MS)).toEqual(['now', 'end'])
  expect(
    applyCancellation(
      testLedger.context,
      listSubscriptions(testLedger).find(({ over }) => !over)!,
      { way: 'now', reason: null },
      NOW_MS + 3 * DAY_MS,
    ),
  ).toMatchObject({ code: 'stale' })
})
