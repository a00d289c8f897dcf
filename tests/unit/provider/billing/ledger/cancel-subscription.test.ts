import { describe, expect, test } from 'vitest'
import { runIdempotent } from '../../../../../provider/billing/ledger/idempotency-keys.ts'
import {
  applyCancellation,
  undoCancellation,
  listCancellationOptions,
} from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { importSubscriptions } from '../../../../../provider/billing/ledger/legacy-import.ts'
import { listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { planRefund } from '../../../../../provider/billing/ledger/refunds.ts'
import { isLedgerError } from '../../../../../provider/billing/ledger/errors.ts'
import { hasAccess } from '../../../../../provider/billing/ledger/subscription-rules.ts'
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

const JUNE_8 = parseUtc('2026-06-08T10:00:00')
const getOnlySubscription = (testLedger: TestLedger) => listSubscriptions(testLedger)[0]!
const getCancellationOptions = (testLedger: TestLedger, now: number) => {
  const cancellationOptions = listCancellationOptions(
    testLedger.context,
    getOnlySubscription(testLedger).subscription_id,
    now,
  )
  if (isLedgerError(cancellationOptions)) throw new Error(String(cancellationOptions.code))
  return cancellationOptions
}
const cancelPlan = (testLedger: TestLedger, way: 'now' | 'month_end' | 'end', now: number) =>
  testLedger.book.transaction(() =>
    applyCancellation(testLedger.context, getOnlySubscription(testLedger), { way, reason: null }, now),
  )
const listRefundedCents = ({ gateway }: TestLedger) => [...gateway.refunds.values()].map(({ cents }) => cents)
/** Runs the ledger's alarm, then sends open refunds to the payment gateway as the outbox dispatcher does. */
async function runDueTasks(testLedger: TestLedger, now: number): Promise<void> {
  await testLedger.billingService.processDue(now)
  for (const refund of testLedger.book.listRecords('refund')) {
    if (refund.state === 'open') await testLedger.gateway.refund('', refund.charge_id, refund.refund_id, refund.cents)
  }
}

describe('annual plan cancellation', () => {
  test('refunds the unused whole months to the cent when the current month ends', async () => {
    const testLedger = openTestLedger({ now: JUNE_8 })
    await buyPlan(testLedger, ANNUAL_UNLIMITED, JUNE_8)
    const [first, second] = getCancellationOptions(testLedger, NOW_MS)
    expect(first).toMatchObject({ way: 'month_end', ends_at: parseUtc('2026-12-08T10:00:00'), months: 6 })
    expect([first?.subtotal, first?.tax, first?.total, first?.to_method]).toEqual([-5000, -413, -5413, 5413])
    expect(second).toMatchObject({ way: 'end', ends_at: parseUtc('2027-06-08T10:00:00'), total: 0 })
    expect(cancelPlan(testLedger, 'month_end', NOW_MS)).toMatchObject({
      ends_at: parseUtc('2026-12-08T10:00:00'),
      to_method: 5413,
    })
    await runDueTasks(testLedger, parseUtc('2026-12-08T09:59:59'))
    expect([
      listRefundedCents(testLedger),
      hasAccess(getOnlySubscription(testLedger), parseUtc('2026-12-08T09:59:59')),
    ]).toEqual([[], true])
    await runDueTasks(testLedger, parseUtc('2026-12-08T10:00:00'))
    expect([
      listRefundedCents(testLedger),
      hasAccess(getOnlySubscription(testLedger), parseUtc('2026-12-08T10:00:00')),
    ]).toEqual([[5413], false])
    const [note] = testLedger.book.listRecords('invoice').filter(({ kind }) => kind === 'credit_note')
    expect(note).toMatchObject({ total: -5413, paid: -5413, refunded: 5413 })
    expect(note?.refers_to).toMatch(/-1$/)
    expectBalancedLedger(testLedger)
  })

  test('refunds the newest charge first', async () => {
    const testLedger = openTestLedger({ now: JUNE_8 })
    await buyPlan(testLedger, ANNUAL_UNLIMITED, JUNE_8)
    await runDueTasks(testLedger, parseUtc('2027-06-08T10:00:00'))
    const [, newest] = testLedger.book.listRecords('charge').sort((a, b) => a.begun_at - b.begun_at)
    cancelPlan(testLedger, 'month_end', parseUtc('2027-11-22T09:41:00'))
    await runDueTasks(testLedger, parseUtc('2027-12-08T10:00:00'))
    expect([...testLedger.gateway.refunds.values()]).toEqual([{ key: newest?.charge_id, cents: 5413 }])
    expectBalancedLedger(testLedger)
  })

  test('can be undone until the end at no cost, and the plan continues unchanged', async () => {
    const testLedger = openTestLedger({ now: JUNE_8 })
    await buyPlan(testLedger, ANNUAL_UNLIMITED, JUNE_8)
    const before = getOnlySubscription(testLedger)
    cancelPlan(testLedger, 'month_end', NOW_MS)
    const answer = testLedger.book.transaction(() =>
      undoCancellation(testLedger.context, getOnlySubscription(testLedger), parseUtc('2026-12-08T09:00:00')),
    )
    expect(answer).toMatchObject({ renews_at: before.until })
    expect(getOnlySubscription(testLedger)).toEqual({ ...before, revision: before.revision + 2 })
    await runDueTasks(testLedger, parseUtc('2026-12-09T00:00:00'))
    expect([listRefundedCents(testLedger), getOnlySubscription(testLedger).status]).toEqual([[], 'active'])
    expectBalancedLedger(testLedger)
  })

  test('refunds the uncollected part to the balance', async () => {
    const testLedger = openTestLedger({ now: JUNE_8 })
    testLedger.book.transaction(() => {
      testLedger.book.addEntry('credit', 'CREDIT', JUNE_8, [
        ['promotion', 9000],
        ['balance', -9000],
      ])
    })
    await buyPlan(testLedger, ANNUAL_UNLIMITED, JUNE_8)
    const [first] = getCancellationOptions(testLedger, JUNE_8 + 40 * DAY_MS)
    expect(first).toMatchObject({ way: 'month_end', months: 10 })
    // The invoice was $108.24, and the card paid $18.24 of it. The card gets at most $18.24; the balance gets the rest.
    expect([first?.total, first?.to_method, first?.to_balance]).toEqual([-9020, 1824, 7196])
    cancelPlan(testLedger, 'month_end', JUNE_8 + 40 * DAY_MS)
    await runDueTasks(testLedger, JUNE_8 + 70 * DAY_MS)
    expect([listRefundedCents(testLedger), testLedger.book.getBalance()]).toEqual([[1824], 7196])
    expectBalancedLedger(testLedger)
  })
})

describe('cancellation within 14 days of the first charge', () => {
  test('refunds everything immediately and ends the entitlement', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
    await buyPlan(testLedger, { sku: 'unlimited', period: 'monthly', quantity: 1 }, NOW_MS + 2 * DAY_MS)
    const paid = testLedger.book.listRecords('invoice').reduce((sum, bill) => sum + bill.paid, 0)
    const [first, second] = getCancellationOptions(testLedger, NOW_MS + 14 * DAY_MS - 1)
    expect([first?.way, first?.to_method, second?.way]).toEqual(['now', paid, 'end'])
    cancelPlan(testLedger, 'now', NOW_MS + 14 * DAY_MS - 1)
    await runDueTasks(testLedger, NOW_MS + 14 * DAY_MS - 1)
    expect(listRefundedCents(testLedger).reduce((sum, cents) => sum + cents, 0)).toBe(paid)
    expect([
      hasAccess(getOnlySubscription(testLedger), NOW_MS + 14 * DAY_MS),
      testLedger.book.sumPostings('cash'),
    ]).toEqual([false, 0])
    expectBalancedLedger(testLedger)
  })

  test('leaves nothing on the card that could be refunded again', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
    const previewRefund = () => planRefund(testLedger.book, getOnlySubscription(testLedger).subscription_id, 971, true)
    expect(previewRefund()).toMatchObject({ to_method: 971, to_balance: 0 })
    cancelPlan(testLedger, 'now', NOW_MS + DAY_MS)
    expect(previewRefund()).toEqual({ to_method: 0, to_balance: 971, from_balance: 0, parts: [] })
  })

  test('counts from the first invoice above $0', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS, {
      discount: { code: 'FIRST100', kind: 'percent', value: 100 },
    })
    const renewal = parseUtc('2026-12-22T09:41:00')
    expect(getCancellationOptions(testLedger, renewal - DAY_MS).map(({ way }) => way)).toEqual(['end'])
    await testLedger.billingService.processDue(renewal)
    expect(testLedger.book.listRecords('invoice').map(({ total }) => total)).toEqual([0, 324])
    const [first, second] = getCancellationOptions(testLedger, renewal + DAY_MS)
    expect([first?.way, first?.to_method, second?.way]).toEqual(['now', 324, 'end'])
    expect(getCancellationOptions(testLedger, renewal + 14 * DAY_MS).map(({ way }) => way)).toEqual(['end'])
  })

  test('notifies the account once', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    cancelPlan(testLedger, 'now', NOW_MS + DAY_MS)
    await runDueTasks(testLedger, NOW_MS + 40 * DAY_MS)
    const notices = listOutbox(testLedger.book).filter(
      (message) => message.kind === 'message' && message.what === 'plan_ended',
    )
    const facts = { sku: 'cam-ai', at: NOW_MS + DAY_MS, deleted_at: NOW_MS + 15 * DAY_MS }
    expect(notices).toMatchObject([{ at: NOW_MS + DAY_MS, facts }])
  })

  test('offers only the period end after the 14 days', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
    expect(getCancellationOptions(testLedger, NOW_MS + 14 * DAY_MS).map(({ way }) => way)).toEqual(['end'])
    expect(cancelPlan(testLedger, 'now', NOW_MS + 14 * DAY_MS)).toMatchObject({
      state: 'refused',
      code: 'stale',
    })
  })
})

describe('full refund', () => {
  test('excludes used months that were paid from the balance', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    testLedger.book.transaction(() => {
      testLedger.book.addEntry('credit', 'CREDIT', NOW_MS, [
        ['promotion', 400],
        ['balance', -400],
      ])
    })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    await testLedger.billingService.processDue(parseUtc('2026-12-22T09:41:00'))
    expect(testLedger.book.listRecords('invoice').map(({ paid }) => paid)).toEqual([0, 248])
    expect(getCancellationOptions(testLedger, parseUtc('2026-12-23T09:41:00')).map(({ way }) => way)).toEqual(['end'])
  })

  test('excludes a plan from before the ledger', () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const before = { subscription_id: 'old', sku: 'hms', channel: 'web', status: 'active', quantity: 1 } as const
    const old = {
      ...before,
      period: 'annual',
      billing_provider: 'card',
      since: NOW_MS - 300 * DAY_MS,
    } as const
    testLedger.book.transaction(() =>
      importSubscriptions(testLedger.context, [{ ...old, renews_at: NOW_MS + 65 * DAY_MS }], [], NOW_MS),
    )
    const cancellationOptions = listCancellationOptions(testLedger.context, 'old', NOW_MS)
    expect(
      isLedgerError(cancellationOptions) ? cancellationOptions : cancellationOptions.map(({ way }) => way),
    ).toEqual(['month_end', 'end'])
  })
})

describe('rejected cancellation', () => {
  test('a free trial or unknown plan cannot be canceled, and an outdated page cannot reactivate one', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS, { isTrial: true })
    expect(
      listCancellationOptions(testLedger.context, getOnlySubscription(testLedger).subscription_id, NOW_MS),
    ).toMatchObject({ code: 'ends' })
    expect(listCancellationOptions(testLedger.context, 'unknown_plan', NOW_MS)).toMatchObject({
      code: 404,
    })
    const { subscription_id, revision } = getOnlySubscription(testLedger)
    const stale = { subscription_id, revision: revision - 1 }
    expect(testLedger.book.transaction(() => undoCancellation(testLedger.context, stale, NOW_MS))).toMatchObject({
      code: 'stale',
    })
  })

  test('a plan bought through another channel cannot be canceled', () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const plan = { subscription_id: 'amazon_plan', sku: 'cam-ai', channel: 'amazon', status: 'active' } as const
    const more = {
      quantity: 1,
      period: 'monthly',
      billing_provider: 'recurring',
      since: NOW_MS - DAY_MS,
    } as const
    testLedger.book.transaction(() =>
      importSubscriptions(testLedger.context, [{ ...plan, ...more, renews_at: NOW_MS + 29 * DAY_MS }], [], NOW_MS),
    )
    expect(listCancellationOptions(testLedger.context, 'amazon_plan', NOW_MS)).toMatchObject({
      state: 'refused',
      code: 403,
    })
    expect(cancelPlan(testLedger, 'end', NOW_MS)).toMatchObject({ state: 'refused', code: 403 })
    expect(getOnlySubscription(testLedger)).toMatchObject({ status: 'active', leaving: null })
  })

  test.each([-1, 1])('a revision that is off by %i is rejected as stale', async (difference) => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const before = getOnlySubscription(testLedger)
    const version = { ...before, revision: before.revision + difference }
    const answer = testLedger.book.transaction(() =>
      applyCancellation(testLedger.context, version, { way: 'now', reason: null }, NOW_MS),
    )
    expect(answer).toMatchObject({ state: 'refused', code: 'stale' })
    expect([getOnlySubscription(testLedger), testLedger.book.listRecords('refund')]).toEqual([before, []])
  })

  test('the same idempotency key cancels only once', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const subscription = getOnlySubscription(testLedger)
    const cancelNow = () =>
      testLedger.book.transaction(() =>
        runIdempotent(testLedger.book, { intent: 'intent_of_leaving', body: 1 }, NOW_MS, () =>
          applyCancellation(testLedger.context, subscription, { way: 'now', reason: 'price' }, NOW_MS),
        ),
      )
    expect(cancelNow()).toEqual(cancelNow())
    expect(testLedger.book.listRecords('refund')).toHaveLength(1)
  })
})
