import type { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { listUpcomingCharges } from './payment-methods.ts'
import { computePrice } from '../pricing/price.ts'
import { computeTax } from '../pricing/tax.ts'
import { markReminderSent } from './reminders.ts'
import type { NoticeRecord } from './record-schemas.ts'
import { findDefaultMethod, getNextCharge, getNextSelection } from './subscription-rules.ts'
import { queueNotification } from './notify-plan-changes.ts'

/** Queues all reminders that are due at `now`. Must run inside a transaction. */
export function queueDueReminders(ctx: LedgerContext, now: number): void {
  for (const { record } of ctx.book.listDue('notice', now)) {
    if (record.what === 'card_ends') queueCardReminder(ctx, record, now)
    else queuePlanReminder(ctx, record, now)
    markReminderSent(ctx.book, record)
  }
}

function queuePlanReminder(
  { book, taxBasisPoints }: LedgerContext,
  { id, what: kind }: NoticeRecord,
  now: number,
): void {
  const subscription = book.get('subscription', id)
  if (subscription === null || subscription.until <= now) return
  const key = `${id} ${subscription.until}`
  if (kind === 'trial_ends') {
    queueNotification(book, kind, key, now, { sku: subscription.sku, at: subscription.until })
    return
  }
  const next = getNextCharge(book, subscription, taxBasisPoints)
  if (!next) return
  const selection = getNextSelection(subscription)
  const net = computePrice(selection)
  const tax = computeTax(net, taxBasisPoints)
  queueNotification(book, kind, key, now, {
    ...selection,
    ...next,
    // The total of an unpaid invoice may consist of other amounts.
    ...(net + tax === next.total ? { net, tax } : {}),
    ...getDefaultCard(book),
  })
}

function getDefaultCard(store: LedgerStore) {
  const method = findDefaultMethod(store)
  return { brand: method?.brand ?? '', last_four: method?.last_four ?? '', ...method?.ends }
}

function queueCardReminder({ book, taxBasisPoints }: LedgerContext, { id }: NoticeRecord, now: number): void {
  const method = book.get('method', id)
  const charge = listUpcomingCharges(book, taxBasisPoints).find(
    (upcomingCharge) => upcomingCharge.method_id === id && upcomingCharge.would_fail,
  )
  if (!method?.ends || !charge) return
  const { brand, last_four, ends } = method
  queueNotification(book, 'card_ends', `${id} ${ends.year}`, now, { brand, last_four, ...ends, charge_at: charge.at })
}
