import type { LedgerStore } from './ledger-store.ts'
import { findNextBillingTime } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { toOutbox } from './outbox.ts'
import type { BillingService } from './billing-service.ts'

/** Maximum steps: more than the due times of an account in three years. */
const STEPS = 10_000
/** Delay before a charge that the bank is still processing is checked again, ms. */
const STILL_MS = 1000

/** Moves the test clock ahead by `by` ms. `now`: real time, ms UTC. After a crash it resumes from the stored clock. */
export async function advanceTestClock(
  { book }: LedgerContext,
  till: Pick<BillingService, 'due'>,
  { by, now }: { readonly by: number; readonly now: number },
): Promise<void> {
  const startMs = book.count('clock')
  for (let step = 0; step < STEPS; step += 1) {
    const clockMs = book.count('clock')
    const next = Math.max((findNextBillingTime(book) ?? Infinity) - now, clockMs + (step === 0 ? 0 : STILL_MS))
    if (next > startMs + by) break
    set(next)
    await till.due(now + next)
  }
  set(startMs + by)
  await till.due(now + startMs + by)

  function set(ms: number): void {
    book.transaction(() => {
      book.set('clock', ms)
      for (const { subscription_id } of book.all('subscription'))
        toOutbox(book, { kind: 'subscription', id: subscription_id })
    })
  }
}

/** Sets the clock of an empty ledger back by `by` ms; returns false if the ledger has entries. Inside a transaction. */
export function standBack(book: LedgerStore, by: number): boolean {
  if (book.count('entries') > 0) return false
  book.set('clock', 0 - by)
  book.set('quiet', 1)
  return true
}

/**
 * If the test clock is behind, moves it to real time and processes everything that becomes due. Turns notifications on
 * again.
 */
export async function catchUp(ctx: LedgerContext, till: Pick<BillingService, 'due'>, now: number): Promise<void> {
  const behind = 0 - ctx.book.count('clock')
  if (behind > 0) await advanceTestClock(ctx, till, { by: behind, now })
  ctx.book.transaction(() => ctx.book.set('quiet', 0))
}
