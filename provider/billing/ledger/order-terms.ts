import { findPlanChange, findUndoCode } from '../pricing/plan-change.ts'
import { addMonths, monthsInPeriod } from '../pricing/billing-period.ts'
import { mayCount, type PlanSelection } from '../pricing/price.ts'
import { buildTerms, type Terms } from '../pricing/quote.ts'
import type { LedgerError, OrderRequest } from './ledger-calls.ts'
import type { LedgerContext } from './ledger-context.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { isRefused, otherCurrency, ledgerError } from './errors.ts'
import { activeSubscription } from './subscription-transitions.ts'
import { isCameraPlan, isLive, ownRunning } from './subscription-rules.ts'

/** Returns line items and amounts of the order for the current ledger, or the error that prevents it. */
export function buildOrderTerms(
  { book, taxBasisPoints }: LedgerContext,
  request: OrderRequest,
  now: number,
): Terms | LedgerError {
  const { sku, period, quantity, discount, isTrial } = request
  if (book.isOfOtherCurrency()) return otherCurrency()
  if (!mayCount(sku, quantity)) return ledgerError(400, 400, 'This plan is bought once for the whole home.')
  const changed = findChangedSubscription({ book }, request, now)
  if (isRefused(changed)) return changed
  const problem = isTrial ? trialProblem({ book }, request, now) : null
  if (problem) return problem
  const selection = { sku, period, quantity }
  const move = isCameraPlan(selection) ? findPlanChange(changed, selection) : null
  const undo = changed && findUndoCode(changed, selection)
  if (isCameraPlan(selection) && move === null && undo === null)
    return ledgerError(400, 400, 'The plan is like this already.')
  const isLater = move?.isLater ?? false
  if (discount && (isLater || isTrial || undo !== null))
    return ledgerError(4105, 403, undefined, { reason: 'has_plan', sku, since: null })
  return buildTerms({
    ...{
      wanted: selection,
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
    from: changed ? getPeriodStart(changed, selection, now) : now,
  })
}

/**
 * Returns the start of a changed plan's period, ms UTC. With an open invoice, the period starts when that invoice was
 * due, so that no day is free (OPEN-179). If that period would already have ended, it starts at `now`.
 */
function getPeriodStart({ status, until }: SubscriptionRecord, { period }: PlanSelection, now: number): number {
  return status === 'past_due' && addMonths(until, monthsInPeriod(period)) > now ? Math.min(until, now) : now
}

const wasPaid = ({ status }: SubscriptionRecord) => status === 'active' || status === 'cancelled'

/** Returns the subscription that the order changes; null if it starts a new one. */
function findChangedSubscription(
  { book }: Pick<LedgerContext, 'book'>,
  { sku, changes }: OrderRequest,
  now: number,
): SubscriptionRecord | LedgerError | null {
  const running = ownRunning(book, sku, now)
  if (changes === null) return running && ledgerError('exists', 409, 'You have such a plan already.')
  const named = book.get('subscription', changes.subscription_id)
  if (named === null || !isLive(named, now)) return ledgerError(404, 404)
  if (named.channel !== 'web') return ledgerError(403, 403, 'This plan is changed where it was bought.')
  if (named.revision !== changes.revision) return ledgerError('stale', 409, 'The plan has changed in the meantime.')
  if (!isCameraPlan(named) || !isCameraPlan({ sku })) return ledgerError(400, 400, 'This plan cannot be changed here.')
  return activeSubscription(named, now)
}

/**
 * Returns the error that prevents a free trial; null if there is none. The trial is for one camera, once per account,
 * and only without another camera plan.
 */
function trialProblem({ book }: Pick<LedgerContext, 'book'>, request: OrderRequest, now: number): LedgerError | null {
  if (request.sku !== 'cam-ai' || request.quantity !== 1 || request.changes !== null)
    return ledgerError(400, 400, 'The free days are for one camera.')
  if (book.all('subscription').some((subscription) => isCameraPlan(subscription) && isLive(subscription, now)))
    return ledgerError('exists', 409, 'You have a camera plan already.')
  return hadTrial(book) ? ledgerError('not_sold', 400, 'The free days were used already.') : null
}

export const hadTrial = ({ sql }: LedgerContext['book']): boolean =>
  sql.exec("SELECT 1 AS one FROM entries WHERE kind = 'trial' LIMIT 1").toArray().length > 0
