import { moveOf, undoOf } from '../pricing/plan-change.ts'
import { addMonths, monthsOf } from '../pricing/billing-period.ts'
import { mayCount, type Sold } from '../pricing/price.ts'
import { termsOf, type Terms } from '../pricing/quote.ts'
import type { Refused, Wanted } from './ledger-calls.ts'
import type { LedgerContext } from './ledger-context.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { isRefused, otherCurrency, refuse } from './errors.ts'
import { standing } from './subscription-transitions.ts'
import { isCameraPlan, isLive, ownRunning } from './subscription-rules.ts'

/** What is wanted, put into lines and amounts by the book as it is; or why it cannot be had. */
export function termsFor({ book, taxBasisPoints }: LedgerContext, wanted: Wanted, now: number): Terms | Refused {
  const { sku, period, quantity, discount, isTrial } = wanted
  if (book.isOfOtherCurrency()) return otherCurrency()
  if (!mayCount(sku, quantity)) return refuse(400, 400, 'This plan is bought once for the whole home.')
  const changed = changedBy({ book }, wanted, now)
  if (isRefused(changed)) return changed
  const problem = isTrial ? trialProblem({ book }, wanted, now) : null
  if (problem) return problem
  const sold = { sku, period, quantity }
  const move = isCameraPlan(sold) ? moveOf(changed, sold) : null
  const undo = changed && undoOf(changed, sold)
  if (isCameraPlan(sold) && move === null && undo === null) return refuse(400, 400, 'The plan is like this already.')
  const isLater = move?.isLater ?? false
  if (discount && (isLater || isTrial || undo !== null))
    return refuse(4105, 403, undefined, { reason: 'has_plan', sku, since: null })
  return termsOf({
    ...{
      wanted: sold,
      discount,
      isTrial,
      change: undo ?? move?.change ?? null,
      isLater,
      isUndo: undo !== null,
      taxBasisPoints,
      currency: book.currency,
      now,
    },
    changed: changed && { ...changed, paid: wasPaid(changed) ? changed.paid : 0 },
    balance: Math.max(0, book.balance()),
    from: changed ? startOf(changed, sold, now) : now,
  })
}

/**
 * Returns when the period of a changed plan starts, ms UTC. With an open invoice it is the day that invoice was due, so that
 * no day is free (OPEN-179), unless the new period would already be over.
 */
function startOf({ status, until }: SubscriptionRecord, { period }: Sold, now: number): number {
  return status === 'past_due' && addMonths(until, monthsOf(period)) > now ? Math.min(until, now) : now
}

const wasPaid = ({ status }: SubscriptionRecord) => status === 'active' || status === 'cancelled'

/** The subscription that changes; null: a new one begins. */
function changedBy(
  { book }: Pick<LedgerContext, 'book'>,
  { sku, changes }: Wanted,
  now: number,
): SubscriptionRecord | Refused | null {
  const running = ownRunning(book, sku, now)
  if (changes === null) return running && refuse('exists', 409, 'You have such a plan already.')
  const named = book.get('subscription', changes.subscription_id)
  if (named === null || !isLive(named, now)) return refuse(404, 404)
  if (named.channel !== 'web') return refuse(403, 403, 'This plan is changed where it was bought.')
  if (named.revision !== changes.revision) return refuse('stale', 409, 'The plan has changed in the meantime.')
  if (!isCameraPlan(named) || !isCameraPlan({ sku })) return refuse(400, 400, 'This plan cannot be changed here.')
  return standing(named, now)
}

/** Free days: one camera, once an account, beside no other camera plan. */
function trialProblem({ book }: Pick<LedgerContext, 'book'>, wanted: Wanted, now: number): Refused | null {
  if (wanted.sku !== 'cam-ai' || wanted.quantity !== 1 || wanted.changes !== null)
    return refuse(400, 400, 'The free days are for one camera.')
  if (book.all('subscription').some((one) => isCameraPlan(one) && isLive(one, now)))
    return refuse('exists', 409, 'You have a camera plan already.')
  return hadTrial(book) ? refuse('not_sold', 400, 'The free days were used already.') : null
}

export const hadTrial = ({ sql }: LedgerContext['book']): boolean =>
  sql.exec("SELECT 1 AS one FROM entries WHERE kind = 'trial' LIMIT 1").toArray().length > 0
