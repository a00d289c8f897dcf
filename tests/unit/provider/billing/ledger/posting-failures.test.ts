import { describe, expect, test } from 'vitest'
import { findMismatches } from '../../../../../provider/billing/reconciliation/find-mismatches.ts'
import { buildReconciliationSnapshot } from '../../../../../provider/billing/ledger/reconciliation-snapshot.ts'
import { findNextBillingTime } from '../../../../../provider/billing/ledger/pending-charges.ts'
import { BillingService } from '../../../../../provider/billing/ledger/billing-service.ts'
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
import { MINUTE_MS } from '../../../../../contract/time-units.ts'

const HMS_MONTHLY = { sku: 'hms', period: 'monthly', quantity: 1 } as const
const RENEWAL_AT = parseUtc('2026-12-22T09:41:00')

/** Returns the mismatches that `npm run reconcile` reports for a ledger and its payment gateway. */
async function listMismatches({ context, gateway }: TestLedger) {
  const audit = buildReconciliationSnapshot(context)
  const { subscriptions, bindings } = audit
  return findMismatches(audit, await gateway.charges(), { subscriptions, bindings, cameras: new Set() })
}

describe('a posting that the ledger rejects', () => {
  test('of a collected charge is reported and retried, and delays no other plan', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { book, gateway, billingService } = testLedger
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    await buyPlan(testLedger, HMS_MONTHLY, NOW_MS)
    const [plan] = listSubscriptions(testLedger).filter(({ sku }) => sku === 'cam-ai')
    if (!plan) throw new Error('The purchase created no plan.')
    const { purchaseRequest, quote } = await quotePurchase(testLedger, ANNUAL_UNLIMITED, NOW_MS)
    gateway.faults = ['pending']
    const { process_id } = (await billingService.purchase(purchaseRequest, NOW_MS)) as { process_id: string }
    const runTransaction = (change: () => void) => book.transaction(change)
    runTransaction(() => book.deleteRecord(book.addEntry('test', '', NOW_MS), 'subscription', plan.subscription_id))
    await billingService.processDue(NOW_MS + MINUTE_MS)
    expect(await billingService.advanceTask(process_id, NOW_MS + MINUTE_MS)).toMatchObject({
      state: 'pending',
      step: 'charged',
    })
    expect(await listMismatches(testLedger)).toEqual([
      { where: 'book', what: `charge ${process_id} isn't booked`, book: 0, other: quote.due },
    ])
    // The ledger rejects a second purchase, because that purchase would charge again for a paid order.
    expect(
      await billingService.purchase({ ...purchaseRequest, intent: 'another_intent_of_it' }, NOW_MS + MINUTE_MS),
    ).toMatchObject({
      code: 'busy',
    })
    expect(findNextBillingTime(book)).toBeGreaterThan(NOW_MS + MINUTE_MS)
    await billingService.processDue(RENEWAL_AT)
    expect(listSubscriptions(testLedger)).toMatchObject([{ sku: 'hms', from: RENEWAL_AT }])
    runTransaction(() =>
      book.put(book.addEntry('test', '', RENEWAL_AT), 'subscription', plan.subscription_id, plan, plan.until),
    )
    expect(findNextBillingTime(book)).toBeGreaterThan(RENEWAL_AT)
    await billingService.processDue(RENEWAL_AT + 1)
    expect(listSubscriptions(testLedger).find(({ sku }) => sku === 'cam-ai')?.until).toBe(RENEWAL_AT)
    await billingService.processDue(RENEWAL_AT + 60 * MINUTE_MS)
    expect(await billingService.advanceTask(process_id, RENEWAL_AT + 60 * MINUTE_MS)).toMatchObject({
      state: 'done',
      order: { paid: quote.due },
    })
    expect([await listMismatches(testLedger), (await gateway.charges()).length]).toEqual([[], 4])
    expectBalancedLedger(testLedger)
  })

  test('of a renewal is reported and postponed by an hour, and delays no other renewal', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { book, context } = testLedger
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    await buyPlan(testLedger, HMS_MONTHLY, NOW_MS)
    let idCount = 0
    const newId = (kind: 'sub' | 'order' | 'method') => {
      if ((idCount += 1) === 1) throw new Error('No ID is available.')
      return context.newId(kind)
    }
    const billingService = new BillingService(
      { ...context, newId },
      { ticketKey: 'key', waitMaxResponseTime: () => new Promise(() => null) },
    )
    await billingService.processDue(RENEWAL_AT)
    const renewed = () => listSubscriptions(testLedger).filter(({ from }) => from === RENEWAL_AT)
    expect(renewed()).toHaveLength(1)
    expect(await listMismatches(testLedger)).toMatchObject([
      { where: 'book', what: expect.stringMatching(/^subscription sub_\d is due, but processing was postponed/) },
    ])
    expect(findNextBillingTime(book)).toBe(RENEWAL_AT + 60 * MINUTE_MS)
    await billingService.processDue(RENEWAL_AT + 60 * MINUTE_MS)
    expect([renewed().length, await listMismatches(testLedger)]).toEqual([2, []])
    expect(await testLedger.gateway.charges()).toHaveLength(4)
    expectBalancedLedger(testLedger)
  })
})
