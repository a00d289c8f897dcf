import { describe, expect, test } from 'vitest'
import { listInvoices } from '../../../../../provider/billing/ledger/invoices.ts'
import { addToOutbox, listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { OutboxDispatcher } from '../../../../../provider/billing/ledger/outbox-dispatcher.ts'
import { buildReconciliationSnapshot } from '../../../../../provider/billing/ledger/reconciliation-snapshot.ts'
import { settleRestoredLedger } from '../../../../../provider/billing/ledger/restore-hold.ts'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { findGatewayMismatches } from '../../../../../provider/billing/reconciliation/find-mismatches.ts'
import {
  classifyCharges,
  findSettlementMismatches,
} from '../../../../../provider/billing/reconciliation/settle-restored.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  cameraAiSelection,
  expectBalancedLedger,
  listSubscriptions,
  NOW_MS,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const PRICE = 299 + 25

/** Settles the ledger with the charges of its gateway, as `npm run reconcile` does. Returns the mismatches. */
async function settle(testLedger: TestLedger, now: number): Promise<string[]> {
  const { book, context, billingService, gateway } = testLedger
  const charges = await gateway.charges()
  const snapshot = buildReconciliationSnapshot(context)
  const classified = classifyCharges(snapshot.charges, charges, book.currency)
  const { unknown, interrupted } = classified
  const mismatches = findSettlementMismatches(snapshot.charges, classified).map((mismatch) => mismatch.what)
  if (mismatches.length > 0) return mismatches
  await settleRestoredLedger(context, billingService, { unknown, interrupted }, now)
  const settled = buildReconciliationSnapshot(context)
  expect(findGatewayMismatches(settled.charges, charges)).toEqual([])
  expect(settled.sums.filter(({ posted, told: expected }) => posted !== expected)).toEqual([])
  return []
}

/** Buys a plan, copies the ledger, and lets `periods` periods pass, each with a renewal. */
async function renewAfterCopy(periods: number) {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(1), NOW_MS)
  const rows = testLedger.copyRows()
  for (let n = 0; n < periods; n += 1) await testLedger.billingService.processDue(getPeriodEnd(testLedger))
  return { testLedger, rows, now: getPeriodEnd(testLedger) - DAY_MS, end: getPeriodEnd(testLedger) }
}
const getPeriodEnd = (testLedger: TestLedger) => listSubscriptions(testLedger)[0]?.until ?? 0
const listNotifications = ({ book }: TestLedger) => listOutbox(book).filter(({ kind }) => kind === 'message')

describe('a restored ledger', () => {
  test('on hold charges nothing, sells nothing and sends nothing', async () => {
    const { testLedger, rows, now } = await renewAfterCopy(2)
    testLedger.restoreRows(rows)
    const { billingService, book, context, gateway } = testLedger
    const { requestCount } = gateway
    addToOutbox(book, { kind: 'refund', id: 'refund_1' })
    addToOutbox(book, { kind: 'forget', token: 'token_1' })
    const outbox = listOutbox(book).filter(({ kind }) => kind !== 'subscription')
    expect(outbox.map(({ kind }) => kind)).toContain('message')
    await billingService.processDue(now)
    await advanceTestClock(context, billingService, { by: 400 * DAY_MS, now })
    expect(await buyPlan(testLedger, cameraAiSelection(2), now).catch((error: unknown) => String(error))).toMatch(
      /gateway/,
    )
    await expect(billingService.closeAccount(now)).rejects.toThrow('on hold')
    let alarm: number | null = 0
    const dispatcher = new OutboxDispatcher(
      context,
      {
        write: async () => undefined,
        notify: () => Promise.reject(new Error('sent')),
        notifyHomes: async () => undefined,
      },
      {
        getAlarm: async () => alarm,
        setAlarm: async (at) => void (alarm = Number(at)),
        deleteAlarm: async () => void (alarm = null),
      },
    )
    await dispatcher.send()
    await dispatcher.scheduleAlarm()
    expect(listOutbox(book)).toEqual(outbox)
    expect(alarm).toBe(null)
    expect(gateway.requestCount).toBe(requestCount)
  })

  test.each([1, 2, 5])('collects each period once: %d renewals were charged after the backup', async (periods) => {
    const { testLedger, rows, now, end } = await renewAfterCopy(periods)
    const invoicesBefore = listInvoices(testLedger.book).map(({ total, at }) => [total, at])
    testLedger.restoreRows(rows)
    expect(await settle(testLedger, now)).toEqual([])
    expect(testLedger.gateway.chargesByKey.size).toBe(1 + periods)
    expect(getPeriodEnd(testLedger)).toBe(end)
    expect(testLedger.book.getBalance()).toBe(0)
    expect(listInvoices(testLedger.book).map(({ total }) => total)).toEqual(invoicesBefore.map(([total]) => total))
    expect(listNotifications(testLedger)).toEqual([])
    // The next renewal charges the card again, and notifies.
    await testLedger.billingService.processDue(end)
    expect(testLedger.gateway.chargesByKey.size).toBe(2 + periods)
    expect(listNotifications(testLedger)).toHaveLength(1)
    expectBalancedLedger(testLedger)
  })

  test('credits a purchase that it does not know to the balance, which pays the next purchase', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const rows = testLedger.copyRows()
    await buyPlan(testLedger, cameraAiSelection(1), NOW_MS)
    testLedger.restoreRows(rows)
    expect(await settle(testLedger, NOW_MS + DAY_MS)).toEqual([])
    expect([listSubscriptions(testLedger), testLedger.book.getBalance()]).toEqual([[], PRICE])
    await buyPlan(testLedger, cameraAiSelection(1), NOW_MS + DAY_MS, { intent: 'again_after_restore' })
    expect([testLedger.gateway.chargesByKey.size, testLedger.book.getBalance()]).toEqual([1, 0])
    expectBalancedLedger(testLedger)
  })

  test('books a charge that was in progress during the backup', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    testLedger.gateway.faults = ['ok', 'lost', 'lost']
    await buyPlan(testLedger, cameraAiSelection(1), NOW_MS)
    testLedger.restoreRows(testLedger.copyRows())
    expect(await settle(testLedger, NOW_MS + DAY_MS)).toEqual([])
    expect([listSubscriptions(testLedger).length, testLedger.gateway.chargesByKey.size]).toEqual([1, 1])
    expectBalancedLedger(testLedger)
  })

  test('stays on hold and unchanged if the gateway has refunded a charge meanwhile', async () => {
    const { testLedger, rows, now } = await renewAfterCopy(0)
    const [key = ''] = testLedger.gateway.chargesByKey.keys()
    await testLedger.gateway.refund('user_a', key, 'refund_after_backup', 100)
    testLedger.restoreRows(rows)
    const before = testLedger.copyRows()
    expect(await settle(testLedger, now)).toEqual([expect.stringMatching(/^refunds of charge/)])
    expect(testLedger.copyRows()).toEqual(before)
  })

  test('stays on hold and unchanged if the gateway has refunded a charge that the ledger lacks', async () => {
    const { testLedger, rows, now } = await renewAfterCopy(1)
    const key = [...testLedger.gateway.chargesByKey.keys()].at(-1) ?? ''
    await testLedger.gateway.refund('user_a', key, 'refund_after_backup', 100)
    testLedger.restoreRows(rows)
    expect(await settle(testLedger, now)).toEqual([expect.stringMatching(/^refunds of charge/)])
    await testLedger.billingService.processDue(now)
    expect(testLedger.gateway.chargesByKey.size).toBe(2)
  })

  test('settles after a kill at any transaction', async () => {
    for (let transactions = 0; transactions < 12; transactions += 1) {
      const { testLedger, rows, now, end } = await renewAfterCopy(2)
      testLedger.restoreRows(rows)
      testLedger.killAfter(transactions)
      await settle(testLedger, now).catch(() => undefined)
      testLedger.restart()
      if (testLedger.book.isHeld()) await settle(testLedger, now)
      await testLedger.billingService.processDue(now)
      expect([testLedger.gateway.chargesByKey.size, getPeriodEnd(testLedger), testLedger.book.getBalance()]).toEqual([
        3,
        end,
        0,
      ])
      expect(testLedger.book.getCounter('quiet')).toBe(0)
      expectBalancedLedger(testLedger)
    }
  })
})
