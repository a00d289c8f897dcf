import type { LedgerContext } from './ledger-context.ts'
import { logFailure } from './failure.ts'
import { toOutbox } from './outbox.ts'
import { queueRefundFailedNotification } from './notify-plan-changes.ts'

/**
 * Maximum number of attempts to send a refund. If the bank returns them all, as for a closed card, the money goes to
 * the balance.
 */
export const REFUND_ATTEMPTS = 2

/**
 * Books a refund that the bank has returned. The refund is sent again under a new id, because for a known id the
 * gateway only repeats the failed refund. After the last attempt, the money goes to the balance. Runs inside a
 * transaction.
 */
export function failRefund({ book, newId }: LedgerContext, refundId: string, now: number): void {
  const refund = book.get('refund', refundId)
  if (refund === null || refund.state === 'failed') return
  const { cents, attempt } = refund
  const isLast = attempt >= REFUND_ATTEMPTS
  const entry = isLast
    ? book.enter('refund_returned', refundId, now, [
        ['cash', cents],
        ['balance', 0 - cents],
      ])
    : book.enter('refund_failed', refundId, now)
  book.put(entry, 'refund', refundId, { ...refund, state: 'failed' })
  const note = book.get('invoice', refund.bill)
  if (!isLast) {
    const refund_id = newId('refund')
    book.put(entry, 'refund', refund_id, { ...refund, refund_id, at: now, state: 'open', attempt: attempt + 1 })
    toOutbox(book, { kind: 'refund', id: refund_id })
    if (note) book.put(entry, 'invoice', note.bill, { ...note, refund_retried: true })
    return
  }
  if (book.isEnded())
    logFailure(`refund ${refundId}`, new Error(`The bank has returned it, and the account is gone: pay it by hand.`))
  if (note === null) return
  const after = { ...note, paid: note.paid + cents, refunded: note.refunded - cents, refund_retried: false }
  book.put(entry, 'invoice', note.bill, after)
  queueRefundFailedNotification(book, note, cents, now)
}

/**
 * Asks the gateway whether the bank has returned a refund, and books it. Ignores a refund that the ledger does not
 * know.
 */
export async function checkRefund(ctx: LedgerContext, refundId: string, now: number): Promise<void> {
  const { book, gateway } = ctx
  const refund = book.get('refund', refundId)
  if (refund?.state !== 'sent' || gateway === null) return
  if (!(await gateway.hasFailed(book.account, refund.charge_id, refundId))) return
  book.transaction(() => {
    failRefund(ctx, refundId, now)
  })
}
