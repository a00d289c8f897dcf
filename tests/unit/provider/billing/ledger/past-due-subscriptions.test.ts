import { expect, test } from 'vitest'
import {
  applyCancellation,
  listCancellationOptions,
} from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { isLedgerError } from '../../../../../provider/billing/ledger/errors.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  parseUtc,
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  quotePurchase,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const getOnlySubscription = (testLedger: TestLedger) => listSubscriptions(testLedger)[0]!
const getCancellationOptions = (testLedger: TestLedger, now: number) => {
  const ways = listCancellationOptions(testLedger.context, getOnlySubscription(testLedger).subscription_id, now)
  if (isLedgerError(ways)) throw new Error(String(ways.code))
  return ways
}
const cancelPlan = (testLedger: TestLedger, way: 'now' | 'month_end' | 'end', now: number) =>
  testLedger.book.transaction(() =>
    applyCancellation(testLedger.context, getOnlySubscription(testLedger), { way, reason: null }, now),
  )
test('canceling a past-due plan clears its debt and ends it immediately', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  testLedger.gateway.faults = ['declined']
  await testLedger.billingService.processDue(parseUtc('2026-12-22T09:41:01'))
  expect([getOnlySubscription(testLedger).status, testLedger.book.sumPostings('receivable')]).toEqual(['past_due', 324])
  expect(getCancellationOptions(testLedger, parseUtc('2026-12-22T10:00:00')).map(({ way }) => way)).toEqual(['now'])
  cancelPlan(testLedger, 'now', parseUtc('2026-12-22T10:00:00'))
  expect([getOnlySubscription(testLedger).over, testLedger.book.sumPostings('receivable')]).toEqual([true, 0])
  expectBalancedLedger(testLedger)
})

test('OPEN-179 a changed past-due plan starts on the due date of its open invoice', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  const due = parseUtc('2026-12-22T09:41:00')
  const later = due + 13 * DAY_MS
  for (const day of [0, 1, 3, 7]) {
    testLedger.gateway.faults = ['declined']
    await testLedger.billingService.processDue(due + day * DAY_MS)
  }
  const { quote, purchaseRequest } = await quotePurchase(testLedger, ANNUAL_UNLIMITED, later)
  const [line] = quote.lines
  expect([quote.starts_at, line?.from, line?.to, quote.next?.at]).toEqual([
    due,
    due,
    parseUtc('2027-12-22T09:41:00'),
    parseUtc('2027-12-22T09:41:00'),
  ])
  await testLedger.billingService.purchase(purchaseRequest, later)
  expect(getOnlySubscription(testLedger)).toMatchObject({
    status: 'active',
    from: due,
    until: parseUtc('2027-12-22T09:41:00'),
    overdue: null,
  })
  expectBalancedLedger(testLedger)
})
