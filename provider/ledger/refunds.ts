import type { MoneyLine } from '../../contract/purchase.ts'
import type { Book } from './book.ts'
import type { LedgerContext } from './context.ts'
import { addBill } from './invoices.ts'
import { toOutbox } from './outbox.ts'
import { billed, settled } from './postings.ts'
import type { ChargeRecord, InvoiceRecord, SubscriptionRecord } from './records.ts'

/** A part of what comes back, and the charge that it is of. */
interface Part {
  readonly charge: ChargeRecord
  readonly cents: number
}

/** How an amount comes back: to what was charged, the newest first, and the rest to the balance. Cents, above 0. */
export interface Back {
  readonly to_method: number
  readonly to_balance: number
  readonly parts: readonly Part[]
}

export function backOf(book: Book, subscriptionId: string, cents: number): Back {
  let left = cents
  const parts = chargesOf(book, subscriptionId).flatMap((charge) => {
    const part = Math.min(left, charge.cents - refundedOf(book, charge.charge_id))
    left -= part
    return part > 0 ? [{ charge, cents: part }] : []
  })
  return { to_method: cents - left, to_balance: left, parts }
}

/** What was collected for a subscription, the newest first. */
function chargesOf(book: Book, subscriptionId: string): ChargeRecord[] {
  const isOf = ({ charge_id, job }: ChargeRecord) =>
    (job.kind === 'renewal' ? job.subscription_id : book.get('order', charge_id)?.subscription_id) === subscriptionId
  return book
    .all('charge')
    .filter((one) => one.state === 'booked' && isOf(one))
    .sort((a, b) => b.begun_at - a.begun_at)
}

/** Cents of a charge that came back, or are on their way. */
export const refundedOf = (book: Book, chargeId: string): number =>
  book.all('refund').reduce((sum, { charge_id, cents }) => (charge_id === chargeId ? sum + cents : sum), 0)

/** Writes the credit note of these lines (below 0) and sends back what it is worth. Inside a transaction. */
export function giveBack(
  { book, newId }: LedgerContext,
  { subscription_id }: Pick<SubscriptionRecord, 'subscription_id'>,
  lines: readonly MoneyLine[],
  now: number,
): InvoiceRecord {
  const total = lines.reduce((sum, { amount, tax }) => sum + amount + tax, 0)
  const { to_method, parts } = backOf(book, subscription_id, 0 - total)
  const entry = book.enter('refund', subscription_id, now, [...billed(lines), ...settled(total, 0 - to_method)])
  const bill = addBill(
    book,
    entry,
    {
      ...{ kind: 'credit_note', subscription_id, lines: [...lines], paid: 0 - to_method, state: 'paid' },
      ...{ refunded: to_method, method: parts[0] ? book.get('method', parts[0].charge.method_id) : null },
    },
    now,
  )
  for (const { charge, cents } of parts) {
    const refund_id = newId('refund')
    const { charge_id } = charge
    book.put(entry, 'refund', refund_id, { refund_id, charge_id, cents, at: now, bill: bill.bill, state: 'open' })
    toOutbox(book, { kind: 'refund', id: refund_id })
  }
  return bill
}

/** The gateway has taken a refund. */
export function refundSent(book: Book, refundId: string, now: number): void {
  const one = book.get('refund', refundId)
  if (one?.state === 'open')
    book.put(book.enter('refund_sent', refundId, now), 'refund', refundId, { ...one, state: 'sent' })
}
