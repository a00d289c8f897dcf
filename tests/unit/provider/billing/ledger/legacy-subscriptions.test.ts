import { describe, expect, test } from 'vitest'
import { findNextBillingTime } from '../../../../../provider/billing/ledger/pending-charges.ts'
import { listInvoices } from '../../../../../provider/billing/ledger/invoices.ts'
import { importSubscriptions } from '../../../../../provider/billing/ledger/legacy-import.ts'
import { getEligibilityState } from '../../../../../provider/billing/ledger/eligibility-state.ts'
import { BillingService } from '../../../../../provider/billing/ledger/billing-service.ts'
import { openTestLedger } from '../../../../support/book.ts'
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

describe('subscription from before the ledger', () => {
  const opening = {
    subscription_id: 'sub_old',
    channel: 'web',
    status: 'active',
    billing_provider: 'card',
    since: 0,
  } as const

  test('counts as paid, renews from its own date, and is added once', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const old = { ...opening, ...ANNUAL_UNLIMITED, renews_at: parseUtc('2027-06-08T00:00:00') }
    const add = () =>
      testLedger.book.transaction(() =>
        importSubscriptions(
          testLedger.context,
          [old],
          [{ device_id: 'a', subscription_id: 'sub_old', bound_at: 5 }],
          NOW_MS,
        ),
      )
    add()
    add()
    expect(listSubscriptions(testLedger)).toMatchObject([
      { revision: 0, paid: 9999, from: parseUtc('2026-06-08T00:00:00') },
    ])
    expect(testLedger.book.listRecords('licence')).toHaveLength(1)
    await testLedger.billingService.processDue(old.renews_at)
    expect(listSubscriptions(testLedger)[0]?.until).toBe(parseUtc('2028-06-08T00:00:00'))
    expectBalancedLedger(testLedger)
  })

  test('that is active but ended long ago starts a current period without a charge', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    testLedger.book.transaction(() =>
      importSubscriptions(testLedger.context, [{ ...opening, ...cameraAiSelection(), renews_at: 0 }], [], NOW_MS),
    )
    await testLedger.billingService.processDue(NOW_MS)
    expect([listInvoices(testLedger.book), listSubscriptions(testLedger)[0]?.until]).toEqual([
      [],
      parseUtc('2026-12-01T00:00:00'),
    ])
  })

  test('that was declined has an open invoice with its remaining retries', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const old = {
      ...opening,
      ...cameraAiSelection(),
      status: 'past_due' as const,
      renews_at: NOW_MS + 10 * DAY_MS,
    }
    testLedger.book.transaction(() => importSubscriptions(testLedger.context, [old], [], NOW_MS))
    expect(listSubscriptions(testLedger)[0]?.overdue).toMatchObject({ tries: 3 })
    await testLedger.billingService.processDue(NOW_MS + 3 * DAY_MS)
    expect([listSubscriptions(testLedger)[0]?.status, listInvoices(testLedger.book)[0]?.paid]).toEqual(['active', 324])
    expectBalancedLedger(testLedger)
  })

  test('that was sold elsewhere is never charged here', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const old = {
      ...opening,
      ...cameraAiSelection(2),
      channel: 'amazon' as const,
      renews_at: NOW_MS + DAY_MS,
    }
    testLedger.book.transaction(() => importSubscriptions(testLedger.context, [old], [], NOW_MS))
    await testLedger.billingService.processDue(NOW_MS + 40 * DAY_MS)
    expect([listSubscriptions(testLedger)[0]?.status, testLedger.gateway.requestCount]).toEqual(['active', 0])
  })

  test.each([
    ['elsewhere', 'amazon', true, []],
    ['here, after sales have ended,', 'web', false, ['void', 'void']],
  ] as const)('that was declined %s runs through its grace period and then ends', async (_, channel, sells, billed) => {
    const testLedger = openTestLedger({ now: NOW_MS, sells, card: false })
    const ends = NOW_MS + 10 * DAY_MS
    const old = { ...opening, ...cameraAiSelection(2), channel, status: 'past_due' as const, renews_at: ends }
    testLedger.book.transaction(() => importSubscriptions(testLedger.context, [old], [], NOW_MS))
    for (let day = 0; day < 10; day += 1) await testLedger.billingService.processDue(NOW_MS + day * DAY_MS)
    expect(getEligibilityState(testLedger.book, ends - 1).subscriptions).toMatchObject([
      { isRunning: true, renews_at: ends },
    ])
    await testLedger.billingService.processDue(ends)
    expect(listSubscriptions(testLedger)).toMatchObject([{ over: true, status: 'cancelled', until: ends }])
    await testLedger.billingService.processDue(ends + 400 * DAY_MS)
    expect([
      testLedger.gateway.requestCount,
      listSubscriptions(testLedger)[0]?.until,
      findNextBillingTime(testLedger.book),
    ]).toEqual([0, ends, null])
    expect(listInvoices(testLedger.book).map(({ state }) => state)).toEqual(billed)
    expectBalancedLedger(testLedger)
  })

  test('continues where nothing is sold anymore, as the plan chosen for its next period', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(5), NOW_MS)
    await buyPlan(testLedger, cameraAiSelection(2), NOW_MS + DAY_MS)
    const serviceWithoutGateway = new BillingService(
      { ...testLedger.context, gateway: null },
      { ticketKey: 'key', waitMaxResponseTime: () => Promise.resolve() },
    )
    await serviceWithoutGateway.processDue(parseUtc('2027-01-22T09:41:00'))
    expect(listSubscriptions(testLedger)).toMatchObject([
      { quantity: 2, scheduled: null, paid: 0, until: parseUtc('2027-02-22T09:41:00') },
    ])
    expect(await testLedger.gateway.charges()).toHaveLength(1)
  })
})
