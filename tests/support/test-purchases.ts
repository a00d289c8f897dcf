import { expect } from 'vitest'
import type { PurchaseRequest, OrderRequest } from '../../provider/billing/ledger/ledger-calls.ts'
import { buildReconciliationSnapshot } from '../../provider/billing/ledger/reconciliation-snapshot.ts'
import { isLedgerError } from '../../provider/billing/ledger/errors.ts'
import type { TestLedger } from './book.ts'

export const parseUtc = (text: string) => Date.parse(`${text}Z`)
export const NOW_MS = parseUtc('2026-11-22T09:41:00')

export type PlanSelection = Pick<OrderRequest, 'sku' | 'period' | 'quantity'>
export const cameraAiSelection = (quantity = 1): PlanSelection => ({ sku: 'cam-ai', period: 'monthly', quantity })
export const ANNUAL_UNLIMITED: PlanSelection = { sku: 'unlimited', period: 'annual', quantity: 1 }
let idempotencyKeyCount = 0
export const nextIdempotencyKey = () => `intent_${(idempotencyKeyCount += 1)}`.padEnd(16, '_')

export const listSubscriptions = ({ book }: TestLedger) =>
  book.listRecords('subscription').sort((a, b) => a.since - b.since)
const findDefaultMethodId = ({ book }: TestLedger) =>
  book.listRecords('method').find((method) => method.is_default)?.method_id ?? null

/**
 * Requests a quote and buys the plan at the quoted price. If a camera plan is already running, the purchase of a camera
 * plan changes the running subscription. A purchase of home monitoring (`hms`) never changes a running subscription.
 */
export async function buyPlan(
  testLedger: TestLedger,
  plan: PlanSelection,
  now: number,
  more: Partial<PurchaseRequest & Pick<OrderRequest, 'discount' | 'isTrial'>> = {},
) {
  const { purchaseRequest } = await quotePurchase(testLedger, plan, now, more)
  return await testLedger.billingService.purchase(purchaseRequest, now)
}
export async function quotePurchase(
  testLedger: TestLedger,
  plan: PlanSelection,
  now: number,
  more: Partial<PurchaseRequest & Pick<OrderRequest, 'discount' | 'isTrial'>> = {},
) {
  const { discount = null, isTrial = false, ...rest } = more
  const [running] = listSubscriptions(testLedger).filter(
    (subscription) => !subscription.over && subscription.channel === 'web' && subscription.sku !== 'hms',
  )
  const changes =
    running && plan.sku !== 'hms' ? { subscription_id: running.subscription_id, revision: running.revision } : null
  const quote = await testLedger.billingService.preview({ ...plan, changes, discount, isTrial }, now)
  if (isLedgerError(quote)) throw new Error(`No quote: ${quote.code}`)
  const purchaseRequest: PurchaseRequest = {
    intent: nextIdempotencyKey(),
    quote: quote.quote,
    wanted: { ...plan, changes },
    change: changes && quote.change,
    methodId: findDefaultMethodId(testLedger),
    cameras: [],
    ...rest,
  }
  return { quote, purchaseRequest }
}

export function expectBalancedLedger({ context }: TestLedger): void {
  const { crooked, strayed, sums } = buildReconciliationSnapshot(context)
  expect([crooked, strayed]).toEqual([[], []])
  for (const { what: label, posted, told: expected } of sums) expect([label, posted]).toEqual([label, expected])
}
