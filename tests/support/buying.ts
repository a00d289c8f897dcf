import { expect } from 'vitest'
import type { PurchaseRequest, OrderRequest } from '../../provider/billing/ledger/ledger-calls.ts'
import { buildAudit } from '../../provider/billing/ledger/reconciliation-snapshot.ts'
import { isRefused } from '../../provider/billing/ledger/errors.ts'
import type { TestBook } from './book.ts'

export const at = (text: string) => Date.parse(`${text}Z`)
export const NOW = at('2026-11-22T09:41:00')

export type Plan = Pick<OrderRequest, 'sku' | 'period' | 'quantity'>
export const T1 = (quantity = 1): Plan => ({ sku: 'cam-ai', period: 'monthly', quantity })
export const T2: Plan = { sku: 'unlimited', period: 'annual', quantity: 1 }
let keys = 0
export const key = () => `intent_${(keys += 1)}`.padEnd(16, '_')

export const listSubscriptions = ({ book }: TestBook) => book.all('subscription').sort((a, b) => a.since - b.since)
const methodId = ({ book }: TestBook) => book.all('method').find((method) => method.is_default)?.method_id ?? null

/**
 * Requests a quote and buys the plan at the quoted price. If a plan is already running, the purchase changes its
 * subscription.
 */
export async function buy(
  town: TestBook,
  plan: Plan,
  now: number,
  more: Partial<PurchaseRequest & Pick<OrderRequest, 'discount' | 'isTrial'>> = {},
) {
  const { ask } = await quoted(town, plan, now, more)
  return await town.till.purchase(ask, now)
}
export async function quoted(
  town: TestBook,
  plan: Plan,
  now: number,
  more: Partial<PurchaseRequest & Pick<OrderRequest, 'discount' | 'isTrial'>> = {},
) {
  const { discount = null, isTrial = false, ...rest } = more
  const [running] = listSubscriptions(town).filter(
    (subscription) => !subscription.over && subscription.channel === 'web' && subscription.sku !== 'hms',
  )
  const changes =
    running && plan.sku !== 'hms' ? { subscription_id: running.subscription_id, revision: running.revision } : null
  const quote = await town.till.preview({ ...plan, changes, discount, isTrial }, now)
  if (isRefused(quote)) throw new Error(`No quote: ${quote.code}`)
  const ask: PurchaseRequest = {
    ...{ intent: key(), quote: quote.quote, wanted: { ...plan, changes }, change: changes && quote.change },
    ...{ methodId: methodId(town), cameras: [], ...rest },
  }
  return { quote, ask }
}

export function mustBalance({ ctx }: TestBook): void {
  const { crooked, strayed, sums } = buildAudit(ctx)
  expect([crooked, strayed]).toEqual([[], []])
  for (const { what: label, posted, told: expected } of sums) expect([label, posted]).toEqual([label, expected])
}
