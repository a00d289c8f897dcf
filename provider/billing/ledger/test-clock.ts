import type { LedgerStore } from './ledger-store.ts'
import { findNextBillingTime } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { queueChargeFailedNotification } from './notify-plan-changes.ts'
import { addToOutbox } from './outbox.ts'
import type { BillingService } from './billing-service.ts'

/** Maximum number of steps. Three years of an account need fewer, so the limit stops only an endless loop. */
const MAX_STEPS = 10_000
/** Delay before the next status check of a charge that the bank is still processing. */
const PENDING_CHARGE_WAIT_MS = 1000

/**
 * Advances the test clock by `by` ms, in steps from one due time to the next. Stores the clock before it processes each
 * step, so that a crash does not set the clock back. `now`: real time, ms UTC.
 */
export async function advanceTestClock(
  { book }: LedgerContext,
  billing: Pick<BillingService, 'processDue'>,
  { by, now }: { readonly by: number; readonly now: number },
): Promise<void> {
  const startMs = book.getCounter('clock')
  // During the hold of a restored ledger, nothing is processed, so there are no steps.
  for (let step = 0; step < MAX_STEPS && !book.isHeld(); step += 1) {
    const clockMs = book.getCounter('clock')
    const next = Math.max(
      (findNextBillingTime(book) ?? Infinity) - now,
      clockMs + (step === 0 ? 0 : PENDING_CHARGE_WAIT_MS),
    )
    if (next > startMs + by) break
    setClock(next)
    await billing.processDue(now + next)
  }
  setClock(startMs + by)
  await billing.processDue(now + startMs + by)

  function setClock(ms: number): void {
    book.transaction(() => {
      book.setCounter('clock', ms)
      for (const { subscription_id } of book.listRecords('subscription'))
        addToOutbox(book, { kind: 'subscription', id: subscription_id })
    })
  }
}

/**
 * Sets the clock of an empty ledger back by `byMs` and turns notifications off. Returns false if the ledger has
 * entries. Must run inside a transaction.
 */
export function setClockBack(store: LedgerStore, byMs: number): boolean {
  if (store.getCounter('entries') > 0) return false
  store.setCounter('clock', 0 - byMs)
  store.setCounter('quiet', 1)
  return true
}

/**
 * Advances a lagging test clock to real time. Processes all work that becomes due meanwhile, then turns notifications
 * on again.
 */
export async function catchUpTestClock(
  ctx: LedgerContext,
  billing: Pick<BillingService, 'processDue'>,
  now: number,
): Promise<void> {
  const behind = 0 - ctx.book.getCounter('clock')
  if (behind > 0) await advanceTestClock(ctx, billing, { by: behind, now })
  ctx.book.transaction(() => turnNotificationsOn(ctx.book, now))
}

/** Turns notifications on, and queues one for each charge that is still unpaid. */
export function turnNotificationsOn(book: LedgerStore, now: number): void {
  if (book.getCounter('quiet') === 0) return
  book.setCounter('quiet', 0)
  for (const subscription of book.listRecords('subscription'))
    if (subscription.overdue && !subscription.over) queueChargeFailedNotification(book, subscription, now)
}
