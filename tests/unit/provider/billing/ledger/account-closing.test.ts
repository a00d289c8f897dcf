import { describe, expect, test } from 'vitest'
import { previewClosing } from '../../../../../provider/billing/ledger/account-closing.ts'
import { applyCoupon } from '../../../../../provider/billing/ledger/redemption.ts'
import {
  applyCancellation,
  cancelAllSubscriptions,
} from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  type PlanSelection,
  listSubscriptions,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const createAnnualPlan = (quantity: number): PlanSelection => ({ sku: 'cam-ai', period: 'annual', quantity })
const HMS_MONTHLY: PlanSelection = { sku: 'hms', period: 'monthly', quantity: 1 }
const sumRefunds = ({ book }: TestLedger) => book.listRecords('refund').reduce((sum, { cents }) => sum + cents, 0)
const cancelAtPeriodEnd = (testLedger: TestLedger, now: number) =>
  testLedger.book.transaction(() =>
    applyCancellation(testLedger.context, listSubscriptions(testLedger)[0]!, { way: 'end', reason: null }, now),
  )

describe('account deletion', () => {
  test('OPEN-180 refunds a plan that was canceled to the end of its period', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
    cancelAtPeriodEnd(testLedger, NOW_MS)
    expect(previewClosing(testLedger.context, NOW_MS + DAY_MS).plans).toEqual([
      { sku: 'unlimited', way: 'now', ends_at: NOW_MS + DAY_MS, to_method: 10_824 },
    ])
    await testLedger.billingService.closeAccount(NOW_MS + DAY_MS)
    expect([sumRefunds(testLedger), testLedger.book.sumPostings('cash')]).toEqual([10_824, 0])
    expectBalancedLedger(testLedger)
  })

  test('OPEN-180 refunds the collected part of the balance to the newest charges, and promotional credit expires', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, createAnnualPlan(20), NOW_MS)
    await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
    const [plan] = listSubscriptions(testLedger)
    // After 14 days, canceling the plan refunds only its unused whole months.
    const later = NOW_MS + 20 * DAY_MS
    const credit = { code: 'CREDIT', kind: 'credit' as const, sku: null, value: 2500 }
    testLedger.book.transaction(() => applyCoupon(testLedger.context, credit, 'intent', later))
    const moved = testLedger.book.getBalance() - 2500
    expect([moved, plan?.sku]).toEqual([54_104, 'unlimited'])
    const preview = previewClosing(testLedger.context, later)
    expect(preview).toMatchObject({ from_balance: moved, lapses: 2500, plans: [{ way: 'month_end' }] })
    await testLedger.billingService.closeAccount(later)
    expect([sumRefunds(testLedger), testLedger.book.getBalance()]).toEqual([
      moved + (preview.plans[0]?.to_method ?? 0),
      0,
    ])
    expectBalancedLedger(testLedger)
  })

  test('previews each plan without changing anything', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS, { isTrial: true })
    await buyPlan(testLedger, HMS_MONTHLY, NOW_MS)
    const before = [...testLedger.book.readCurrentRecords()]
    expect(previewClosing(testLedger.context, NOW_MS)).toMatchObject({
      plans: [{ sku: 'hms', way: 'now' }],
      free: ['cam-ai'],
      elsewhere: [],
    })
    expect([...testLedger.book.readCurrentRecords()]).toEqual(before)
  })

  test('reports a plan as waiting for a pending charge, and not as free', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const renewal = Date.UTC(2026, 11, 22, 9, 41, 1)
    testLedger.gateway.faults = ['pending']
    await testLedger.billingService.processDue(renewal)
    expect(previewClosing(testLedger.context, renewal)).toMatchObject({
      plans: [],
      waiting: ['cam-ai'],
      free: [],
    })
  })

  test('leaves a canceled plan unchanged if its cancellation refunds as much', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const later = NOW_MS + 20 * DAY_MS
    cancelAtPeriodEnd(testLedger, later)
    const before = listSubscriptions(testLedger)
    testLedger.book.transaction(() => cancelAllSubscriptions(testLedger.context, later + DAY_MS))
    expect(listSubscriptions(testLedger)).toEqual(before)
  })
})
