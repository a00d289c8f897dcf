import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import { splitBalance } from './balance.ts'
import type { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addInvoice } from './invoices.ts'
import { addToOutbox } from './outbox.ts'
import { buildInvoicePostings, buildSettlementPostings } from './postings.ts'
import type { ChargeRecord, InvoiceRecord, SubscriptionRecord } from './record-schemas.ts'

export interface RefundPart {
  readonly charge: ChargeRecord
  readonly cents: number
}

/** Destinations of a refund. Cents, 0 or above. */
export interface RefundPlan {
  /** Cents refunded to the payment methods that were charged. */
  readonly to_method: number
  /** Cents credited to the balance, because the charges have no refundable amount left. */
  readonly to_balance: number
  /** Cents of `to_method` that are taken from the balance. */
  readonly from_balance: number
  readonly parts: readonly RefundPart[]
}

/**
 * Divides a refund between the subscription's charges, newest first, and the balance. `isWhole`: also refunds collected
 * cents of the balance, such as credit from plan changes, as far as the charges allow (OPEN-178).
 */
export function planRefund(store: LedgerStore, subscriptionId: string, cents: number, isWhole: boolean): RefundPlan {
  const charges = toRefundableParts(listSubscriptionCharges(store, subscriptionId), store)
  const open = charges.reduce((sum, charge) => sum + charge.cents, 0)
  const from_balance = isWhole && open > cents ? Math.min(open - cents, splitBalance(store).collected) : 0
  const parts = allocateRefund(charges, cents + from_balance)
  const to_method = parts.reduce((sum, part) => sum + part.cents, 0)
  return { to_method, to_balance: cents + from_balance - to_method, from_balance, parts }
}

function allocateRefund(parts: readonly RefundPart[], cents: number): RefundPart[] {
  let left = cents
  return parts.flatMap(({ charge, cents: open }) => {
    const part = Math.min(left, open)
    left -= part
    return part > 0 ? [{ charge, cents: part }] : []
  })
}

const toRefundableParts = (charges: readonly ChargeRecord[], store: LedgerStore): RefundPart[] =>
  charges.map((charge) => ({ charge, cents: charge.cents - sumRefunds(store, charge.charge_id) }))

/** Divides a payout of `cents` between the charges of the account, newest first. */
export const planPayout = (store: LedgerStore, cents: number): RefundPart[] =>
  allocateRefund(toRefundableParts(listCollectedCharges(store), store), cents)

function listSubscriptionCharges(store: LedgerStore, subscriptionId: string): ChargeRecord[] {
  const isForSubscription = ({ charge_id, job }: ChargeRecord) =>
    (job.kind === 'renewal' ? job.subscription_id : store.get('order', charge_id)?.subscription_id) === subscriptionId
  return listCollectedCharges(store).filter(isForSubscription)
}

const listCollectedCharges = (store: LedgerStore): ChargeRecord[] =>
  store
    .listRecords('charge')
    .filter(({ state }) => state === 'booked')
    .sort((a, b) => b.begun_at - a.begun_at)

/** Returns the cents of a charge that are refunded, including refunds in progress. */
export const sumRefunds = (store: LedgerStore, chargeId: string): number =>
  store
    .listRecords('refund')
    .reduce((sum, { charge_id, cents, state }) => (charge_id === chargeId && state !== 'failed' ? sum + cents : sum), 0)

/** Writes a credit note with these negative line items and refunds it. Must run inside a transaction. */
export function issueRefund(
  ctx: LedgerContext,
  { subscription_id }: Pick<SubscriptionRecord, 'subscription_id'>,
  { lines, isWhole }: { readonly lines: readonly MoneyLine[]; readonly isWhole: boolean },
  now: number,
): InvoiceRecord {
  const { book } = ctx
  const total = lines.reduce((sum, { amount, tax }) => sum + amount + tax, 0)
  const { to_method, parts } = planRefund(book, subscription_id, 0 - total, isWhole)
  const entry = book.addEntry('refund', subscription_id, now, [
    ...buildInvoicePostings(lines),
    ...buildSettlementPostings(total, 0 - to_method),
  ])
  const creditNote = addInvoice(
    book,
    entry,
    {
      kind: 'credit_note',
      subscription_id,
      lines: [...lines],
      paid: 0 - to_method,
      state: 'paid',
      refunded: to_method,
      method: parts[0] ? book.get('method', parts[0].charge.method_id) : null,
    },
    now,
  )
  sendRefunds(ctx, { entry, bill: creditNote.bill, parts }, now)
  return creditNote
}

/** Stores the refunds of a credit note and queues them for the payment gateway. Must run inside a transaction. */
export function sendRefunds(
  { book, newId }: LedgerContext,
  { entry, bill, parts }: { readonly entry: number; readonly bill: string; readonly parts: readonly RefundPart[] },
  now: number,
): void {
  for (const { charge, cents } of parts) {
    const refund_id = newId('refund')
    const { charge_id } = charge
    book.put(entry, 'refund', refund_id, { refund_id, charge_id, cents, at: now, bill, state: 'open', attempt: 1 })
    addToOutbox(book, { kind: 'refund', id: refund_id })
  }
}

export function markRefundSent(store: LedgerStore, refundId: string, now: number): void {
  const refund = store.get('refund', refundId)
  if (refund?.state === 'open')
    store.put(store.addEntry('refund_sent', refundId, now), 'refund', refundId, { ...refund, state: 'sent' })
}
