import type { LedgerContext } from './ledger-context.ts'
import { logFailure } from './failure.ts'
import { addToOutbox } from './outbox.ts'
import { queueRefundFailedNotification } from './notify-plan-changes.ts'

/**
 * Maximum number of attempts to send a refund. If the bank returns all of them, for example for a closed card, the
 * money goes to the balance.
 */
export const REFUND_ATTEMPTS_MAX = 2

/**
 * Books a refund that the bank has returned, and retries it under a new id: for the old id, the payment gateway only
 * repeats the failure. After the last attempt, credits the balance. Must run inside a transaction.
 */
export function recordFailedRefund({ book, newId }: LedgerContext, refundId: string, now: number): void {
  const refund = book.get('refund', refundId)
  if (refund === null || refund.state === 'failed') return
  const { cents, attempt } = refund
  const isLast = attempt >= REFUND_ATTEMPTS_MAX
  const entry = isLast
    ? book.addEntry('refund_returned', refundId, now, [
        ['cash', cents],
        ['balance', 0 - cents],
      ])
    : book.addEntry('refund_failed', refundId, now)
  book.put(entry, 'refund', refundId, { ...refund, state: 'failed' })
  const creditNote = book.get('invoice', refund.bill)
  if (!isLast) {
    const refund_id = newId('refund')
    book.put(entry, 'refund', refund_id, { ...refund, refund_id, at: now, state: 'open', attempt: attempt + 1 })
    addToOutbox(book, { kind: 'refund', id: refund_id })
    if (creditNote) book.put(entry, 'invoice', creditNote.bill, { ...creditNote, refund_retried: true })
    return
  }
  if (book.isEnded())
    logFailure(
      `refund ${refundId}`,
      new Error(`The bank returned the refund, and the account has been deleted. Refund the customer manually.`),
    )
  if (creditNote === null) return
  const after = {
    ...creditNote,
    paid: creditNote.paid + cents,
    refunded: creditNote.refunded - cents,
    refund_retried: false,
  }
  book.put(entry, 'invoice', creditNote.bill, after)
  queueRefundFailedNotification(book, creditNote, cents, now)
}

/**
 * Asks the payment gateway whether the bank has returned a refund, and books a returned refund. Ignores refunds that
 * this ledger has not sent.
 */
export async function checkRefund(ctx: LedgerContext, refundId: string, now: number): Promise<void> {
  const { book, gateway } = ctx
  const refund = book.get('refund', refundId)
  if (refund?.state !== 'sent' || gateway === null) return
  if (!(await gateway.hasRefundFailed(book.account, refund.charge_id, refundId))) return
  book.transaction(() => {
    recordFailedRefund(ctx, refundId, now)
  })
}
