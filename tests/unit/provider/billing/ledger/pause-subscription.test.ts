import { expect, test } from 'vitest'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { pauseSubscription, resumeSubscription } from '../../../../../provider/billing/ledger/pause-subscription.ts'
import { applyCancellation } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { buildProjection } from '../../../../../provider/billing/ledger/projection.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  parseUtc,
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const getOnlySubscription = (testLedger: TestLedger) => listSubscriptions(testLedger)[0]!
const pauseFor = (testLedger: TestLedger, months: number, now: number) =>
  testLedger.book.transaction(() => pauseSubscription(testLedger.book, getOnlySubscription(testLedger), months, now))
const countCharges = ({ gateway }: TestLedger) => gateway.chargesByKey.size

test('a pause costs nothing and moves every date by its length', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  const before = getOnlySubscription(testLedger)
  const pausedAt = NOW_MS + 10 * DAY_MS
  const until = parseUtc('2027-02-02T09:41:00')
  expect(pauseFor(testLedger, 2, pausedAt)).toMatchObject({
    paused_until: until,
    renews_at: before.until + until - pausedAt,
  })
  await testLedger.billingService.processDue(before.until + DAY_MS)
  await testLedger.billingService.processDue(until)
  expect([countCharges(testLedger), getOnlySubscription(testLedger).paused]).toEqual([1, null])
  const renews = before.until + until - pausedAt
  await testLedger.billingService.processDue(renews - 1)
  expect(countCharges(testLedger)).toBe(1)
  await testLedger.billingService.processDue(renews)
  expect([countCharges(testLedger), getOnlySubscription(testLedger).from]).toEqual([2, renews])
  expectBalancedLedger(testLedger)
})

test('a pause that ends early moves dates only by the paused time', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
  const { until } = getOnlySubscription(testLedger)
  pauseFor(testLedger, 3, NOW_MS + DAY_MS)
  testLedger.book.transaction(() =>
    resumeSubscription(testLedger.book, getOnlySubscription(testLedger), NOW_MS + 8 * DAY_MS),
  )
  expect([getOnlySubscription(testLedger).until, getOnlySubscription(testLedger).paused]).toEqual([
    until + 7 * DAY_MS,
    null,
  ])
  expect(
    testLedger.book.transaction(() =>
      resumeSubscription(testLedger.book, getOnlySubscription(testLedger), NOW_MS + 9 * DAY_MS),
    ),
  ).toMatchObject({
    code: 'stale',
  })
})

test('a plan that is canceled or changed during its pause resumes first', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  const { until } = getOnlySubscription(testLedger)
  pauseFor(testLedger, 1, NOW_MS + 20 * DAY_MS)
  testLedger.book.transaction(() =>
    applyCancellation(
      testLedger.context,
      getOnlySubscription(testLedger),
      { way: 'end', reason: null },
      NOW_MS + 21 * DAY_MS,
    ),
  )
  expect(getOnlySubscription(testLedger)).toMatchObject({ status: 'cancelled', until: until + DAY_MS, paused: null })
  const other = openTestLedger({ now: NOW_MS })
  await buyPlan(other, cameraAiSelection(), NOW_MS)
  pauseFor(other, 1, NOW_MS + 20 * DAY_MS)
  await buyPlan(other, ANNUAL_UNLIMITED, NOW_MS + 21 * DAY_MS)
  expect(getOnlySubscription(other)).toMatchObject({
    sku: 'unlimited',
    paused: null,
    from: NOW_MS + 21 * DAY_MS,
  })
  expectBalancedLedger(other)
})

test('an unpaid or canceled plan cannot be paused', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  testLedger.book.transaction(() =>
    applyCancellation(
      testLedger.context,
      getOnlySubscription(testLedger),
      { way: 'end', reason: null },
      NOW_MS + 20 * DAY_MS,
    ),
  )
  expect(pauseFor(testLedger, 1, NOW_MS + 20 * DAY_MS)).toMatchObject({ code: 'stale' })
})

test('the test clock advances from one due time to the next', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  testLedger.gateway.faults = ['ok', 'ok', 'declined']
  await advanceTestClock(testLedger.context, testLedger.billingService, {
    by: 65 * DAY_MS,
    now: NOW_MS,
  })
  // The charge on 22 December succeeds. The charge on 22 January is declined, and its retry succeeds a day later.
  const bills = testLedger.book
    .listRecords('invoice')
    .map(({ at: day, state }) => [new Date(day).toISOString().slice(0, 10), state])
  expect(bills).toEqual([
    ['2026-11-22', 'paid'],
    ['2026-12-22', 'paid'],
    ['2027-01-22', 'paid'],
  ])
  expect(testLedger.book.listRecords('invoice')[2]?.paid_at).toBe(parseUtc('2027-01-23T09:41:00'))
  expect(testLedger.book.getCounter('clock')).toBe(65 * DAY_MS)
  const [row] = buildProjection(
    testLedger.book,
    { kind: 'subscription', id: getOnlySubscription(testLedger).subscription_id, seq: 1 },
    825,
  )
  expect(row?.values).toContain(65 * DAY_MS)
  expectBalancedLedger(testLedger)
})

test('a billing period wholly within a provider outage is not charged', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  await testLedger.billingService.processDue(parseUtc('2027-02-23T09:41:00'))
  // The periods from 22 December and 22 January lie entirely within the outage, so the ledger waives them. The period
  // from 22 February is still running, so the ledger charges it.
  const waived = testLedger.book.sql
    .exec<{ n: number }>("SELECT count(*) AS n FROM entries WHERE kind = 'waived'")
    .one()
  expect([waived.n, countCharges(testLedger), getOnlySubscription(testLedger).until]).toEqual([
    2,
    2,
    parseUtc('2027-03-22T09:41:00'),
  ])
  expectBalancedLedger(testLedger)
})
