import { describe, expect, test } from 'vitest'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { deriveAccountNumber, listInvoices } from '../../../../../provider/billing/ledger/invoices.ts'
import { getEligibilityState } from '../../../../../provider/billing/ledger/eligibility-state.ts'
import { openTestLedger } from '../../../../support/book.ts'
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

describe('purchase', () => {
  test('of an upgrade two weeks after buying three cameras costs what look/money.md says', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { until, from } = { from: parseUtc('2026-11-08T09:41:00'), until: parseUtc('2026-12-08T09:41:00') }
    await buyPlan(testLedger, cameraAiSelection(3), from)
    expect(listSubscriptions(testLedger)[0]?.until).toBe(until)
    const discount = { code: 'LAKE20', kind: 'percent', value: 20 } as const
    const answer = await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS, { discount })
    expect(answer).toMatchObject({
      state: 'done',
      order: { paid: 8142, next: { at: parseUtc('2027-11-22T09:41:00'), total: 10_824 } },
    })
    const [bill] = listInvoices(testLedger.book)
    expect(bill?.lines.map(({ amount, tax }) => [amount, tax])).toEqual([
      [9999, 825],
      [-2000, -165],
      [-478, -39],
    ])
    expect(bill?.bill).toBe(`${deriveAccountNumber('user_a')}-2`)
    expect(getEligibilityState(testLedger.book, NOW_MS).redeemed).toEqual(['LAKE20'])
    expectBalancedLedger(testLedger)
  })

  test('of an upgrade, then a downgrade, nets by the rule: the upgrade price stays until its end', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(2), NOW_MS)
    const up = await buyPlan(testLedger, cameraAiSelection(5), NOW_MS + DAY_MS)
    expect(up).toMatchObject({ order: { paid: 1495 + 123 - 578 - 48 } })
    const down = await buyPlan(testLedger, cameraAiSelection(2), NOW_MS + 2 * DAY_MS)
    expect(down).toMatchObject({ order: { paid: 0, is_later: true, bill: '' } })
    expect(listSubscriptions(testLedger)[0]).toMatchObject({ quantity: 5, scheduled: { quantity: 2 } })
    await testLedger.billingService.processDue(listSubscriptions(testLedger)[0]?.until ?? 0)
    expect(listSubscriptions(testLedger)[0]).toMatchObject({ quantity: 2, scheduled: null, paid: 598 })
    expectBalancedLedger(testLedger)
  })

  test('of a downgrade is canceled at no cost by choosing the current plan, which then renews', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(5), NOW_MS)
    const end = listSubscriptions(testLedger)[0]?.until ?? 0
    await buyPlan(testLedger, cameraAiSelection(2), NOW_MS + DAY_MS)
    const off = { discount: { code: 'LAKE20', kind: 'percent', value: 20 } as const }
    await expect(quotePurchase(testLedger, cameraAiSelection(5), NOW_MS + DAY_MS, off)).rejects.toThrow('4105')
    const { quote, purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(5), NOW_MS + DAY_MS)
    expect(quote).toMatchObject({ is_undo: true, is_later: false, change: 12, lines: [], total: 0, due: 0 })
    expect(quote.next).toEqual({ at: end, total: 1495 + 123 })
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + DAY_MS)).toMatchObject({
      order: { paid: 0, bill: '' },
    })
    expect(listSubscriptions(testLedger)).toMatchObject([
      { quantity: 5, scheduled: null, until: end, paid: 1495, revision: 3 },
    ])
    await expect(quotePurchase(testLedger, cameraAiSelection(5), NOW_MS + DAY_MS)).rejects.toThrow('400')
    await testLedger.billingService.processDue(end)
    expect(listSubscriptions(testLedger)).toMatchObject([{ quantity: 5, from: end, paid: 1495 }])
    expect(listInvoices(testLedger.book)).toHaveLength(2)
    expectBalancedLedger(testLedger)
  })

  test('rejects an outdated quote and the quote of another account', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    const other = openTestLedger({ now: NOW_MS, account: 'user_b' })
    expect(await other.billingService.purchase(purchaseRequest, NOW_MS)).toMatchObject({
      state: 'refused',
      status: 403,
    })
    testLedger.book.transaction(() =>
      testLedger.book.addEntry('credit', 'code', NOW_MS, [
        ['promotion', 100],
        ['balance', -100],
      ]),
    )
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS)).toMatchObject({
      state: 'refused',
      code: 'quote',
    })
    expect([await testLedger.gateway.charges(), await other.gateway.charges()]).toEqual([[], []])
  })

  test('that was declined stays declined for 30 days, also through its task', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = ['pending', 'declined']
    const { process_id } = (await testLedger.billingService.purchase(purchaseRequest, NOW_MS)) as {
      process_id: string
    }
    expect(await testLedger.billingService.advanceTask(process_id, NOW_MS + 1)).toMatchObject({
      state: 'failed',
      code: '4221',
    })
    const declined = { state: 'refused', code: 4221, status: 402, data: { errors: [{ field: 'number' }] } }
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + 2)).toMatchObject(declined)
    expect(await testLedger.billingService.purchase({ ...purchaseRequest, methodId: null }, NOW_MS + 2)).toMatchObject({
      code: 'intent',
      status: 422,
    })
    await testLedger.billingService.processDue(NOW_MS + 31 * DAY_MS)
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + 31 * DAY_MS)).toMatchObject({
      code: 'quote',
    })
  })
})

describe('billing over time', () => {
  test('charges each period once, counted from the first day, and catches up in order', async () => {
    const startedAt = parseUtc('2026-01-31T10:00:00')
    const testLedger = openTestLedger({ now: startedAt })
    await buyPlan(testLedger, cameraAiSelection(), startedAt)
    await testLedger.billingService.processDue(parseUtc('2026-02-28T09:59:59'))
    expect(listInvoices(testLedger.book)).toHaveLength(1)
    const [now, then] = [parseUtc('2026-02-28T09:59:59'), parseUtc('2026-06-01T00:00:00')]
    await advanceTestClock(testLedger.context, testLedger.billingService, { by: then - now, now })
    await testLedger.billingService.processDue(then)
    const days = listInvoices(testLedger.book).map(({ lines }) =>
      new Date(lines[0]?.from ?? 0).toISOString().slice(0, 10),
    )
    expect(days).toEqual(['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31'])
    expect(await testLedger.gateway.charges()).toHaveLength(5)
    const presenceFlags = [...testLedger.gateway.chargesByKey.values()].map(({ isPresent }) => isPresent)
    expect(presenceFlags).toEqual([true, false, false, false, false])
    expectBalancedLedger(testLedger)
  })

  test('retries a declined renewal after 1, 3, 7 and 14 days, and then ends the plan', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const end = listSubscriptions(testLedger)[0]?.until ?? 0
    const attemptDays: number[] = []
    for (let hour = 0; hour <= 15 * 24; hour += 1) {
      const before = testLedger.gateway.requestCount
      testLedger.gateway.faults = ['declined']
      await testLedger.billingService.processDue(end + hour * 3_600_000)
      if (testLedger.gateway.requestCount > before) attemptDays.push(hour / 24)
      const [subscription] = getEligibilityState(testLedger.book, end + hour * 3_600_000).subscriptions
      expect(subscription).toMatchObject({ isRunning: hour < 14 * 24, renews_at: end + 14 * DAY_MS })
    }
    expect(attemptDays).toEqual([0, 1, 3, 7, 14])
    expect(listInvoices(testLedger.book).map(({ kind, state }) => [kind, state])).toEqual([
      ['credit_note', 'void'],
      ['invoice', 'void'],
      ['invoice', 'paid'],
    ])
    expectBalancedLedger(testLedger)
  })

  test('continues with the declined period once it is paid', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const end = listSubscriptions(testLedger)[0]?.until ?? 0
    testLedger.gateway.faults = ['declined']
    await testLedger.billingService.processDue(end)
    expect(listSubscriptions(testLedger)[0]?.status).toBe('past_due')
    await testLedger.billingService.processDue(end + 2 * DAY_MS)
    expect(listSubscriptions(testLedger)[0]).toMatchObject({
      status: 'active',
      from: end,
      until: parseUtc('2027-01-22T09:41:00'),
      overdue: null,
    })
    expect(listInvoices(testLedger.book).map(({ state, paid }) => [state, paid])).toEqual([
      ['paid', 324],
      ['paid', 324],
    ])
    expectBalancedLedger(testLedger)
  })

  test('ends a free trial automatically, and allows one per account', async () => {
    const testLedger = openTestLedger({ card: false })
    expect(await buyPlan(testLedger, cameraAiSelection(), NOW_MS, { isTrial: true })).toMatchObject({
      order: { is_trial: true, paid: 0 },
    })
    await testLedger.billingService.processDue(NOW_MS + 14 * DAY_MS)
    expect(getEligibilityState(testLedger.book, NOW_MS + 14 * DAY_MS)).toMatchObject({
      hadTrial: true,
      hasPaid: false,
      subscriptions: [{ isRunning: false }],
    })
    await expect(buyPlan(testLedger, cameraAiSelection(), NOW_MS + 15 * DAY_MS, { isTrial: true })).rejects.toThrow(
      'not_sold',
    )
  })

  test('charges full price for a plan chosen during a free trial, and credits nothing for the trial', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS, { isTrial: true })
    const { quote } = await quotePurchase(testLedger, ANNUAL_UNLIMITED, NOW_MS + DAY_MS)
    expect(quote).toMatchObject({ mode: 'update', change: 2, due: 10_824, lines: [{ kind: 'plan' }] })
  })
})

test('a ledger entry that does not sum to 0 is not written', () => {
  const { book } = openTestLedger({ card: false })
  const enter = (cents: number) =>
    book.transaction(() =>
      book.addEntry('credit', 'code', NOW_MS, [
        ['promotion', 100],
        ['balance', cents],
      ]),
    )
  expect(() => enter(-99)).toThrow("doesn't sum to 0")
  expect([book.getCounter('entries'), book.getBalance()]).toEqual([0, 0])
  enter(-100)
  expect([book.getCounter('entries'), book.getBalance()]).toEqual([1, 100])
})
