import { findPlanChange, findUndoCode } from '../pricing/plan-change.ts'
import { addMonths, countMonthsInPeriod } from '../pricing/billing-period.ts'
import { isQuantityAllowed, type PlanSelection } from '../pricing/price.ts'
import { buildTerms, type QuoteTerms } from '../pricing/quote.ts'
import type { LedgerError, OrderRequest, PreviewRequest } from './ledger-calls.ts'
import type { LedgerContext } from './ledger-context.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { isLedgerError, createOtherCurrencyError, createLedgerError } from './errors.ts'
import { toActiveSubscription } from './subscription-transitions.ts'
import { isCameraPlan, hasAccess, findRunningWebSubscription } from './subscription-rules.ts'

/**
 * Returns line items and amounts of the order in the current state of the ledger, or the reason for rejecting the
 * order.
 */
export function buildOrderTerms(
  { book, taxBasisPoints }: LedgerContext,
  request: OrderRequest,
  now: number,
): QuoteTerms | LedgerError {
  const { sku, period, quantity, discount, isTrial } = request
  if (book.hasOtherCurrency()) return createOtherCurrencyError()
  if (!isQuantityAllowed(sku, quantity))
    return createLedgerError(400, 400, 'This plan covers the whole home, so you only need one.')
  const changedSubscription = findChangedSubscription({ book }, request, now)
  if (isLedgerError(changedSubscription)) return changedSubscription
  const problem = isTrial ? findTrialProblem({ book }, request, now) : null
  if (problem) return problem
  const selection = { sku, period, quantity }
  const planChange = isCameraPlan(selection) ? findPlanChange(changedSubscription, selection) : null
  const undoCode = changedSubscription && findUndoCode(changedSubscription, selection)
  if (isCameraPlan(selection) && planChange === null && undoCode === null)
    return createLedgerError(400, 400, 'You already have this plan, so nothing would change.')
  const isLater = planChange?.isLater ?? false
  if (discount && (isLater || isTrial || undoCode !== null))
    return createLedgerError(4105, 403, undefined, { reason: 'has_plan', sku, since: null })
  return buildTerms({
    wanted: selection,
    discount,
    isTrial,
    change: undoCode ?? planChange?.change ?? null,
    isLater,
    isUndo: undoCode !== null,
    taxBasisPoints,
    currency: book.currency,
    now,
    changed: changedSubscription && {
      ...changedSubscription,
      paid: isPaidPlan(changedSubscription) ? changedSubscription.paid : 0,
    },
    balance: Math.max(0, book.getBalance()),
    from: changedSubscription ? getPeriodStart(changedSubscription, selection, now) : now,
  })
}

/**
 * Returns the start of a changed plan's period, ms UTC: normally `now`. With an open invoice, returns its due date, so
 * that no day is free (OPEN-179), unless the new period would already have ended.
 */
function getPeriodStart({ status, until }: SubscriptionRecord, { period }: PlanSelection, now: number): number {
  return status === 'past_due' && addMonths(until, countMonthsInPeriod(period)) > now ? Math.min(until, now) : now
}

/** Completes an order with the running plan of the account. */
export function completeOrder(book: LedgerContext['book'], request: PreviewRequest, now: number): OrderRequest {
  const own = isCameraPlan(request) ? findRunningWebSubscription(book, request.sku, now) : null
  const { quantity, changes } = request
  return {
    ...request,
    quantity: quantity ?? (own?.sku === request.sku ? own.quantity : 1),
    changes: changes === 'own' ? own && { subscription_id: own.subscription_id, revision: own.revision } : changes,
  }
}

const isPaidPlan = ({ status }: SubscriptionRecord) => status === 'active' || status === 'cancelled'

/**
 * Returns the subscription that the order changes, without its cancellation and pause; null for a new subscription; an
 * error if the order is not allowed.
 */
function findChangedSubscription(
  { book }: Pick<LedgerContext, 'book'>,
  { sku, changes }: OrderRequest,
  now: number,
): SubscriptionRecord | LedgerError | null {
  const running = findRunningWebSubscription(book, sku, now)
  if (changes === null) return running && createLedgerError('exists', 409, 'You already have this plan.')
  const subscription = book.get('subscription', changes.subscription_id)
  if (subscription === null || !hasAccess(subscription, now)) return createLedgerError(404, 404)
  if (subscription.channel !== 'web') return createLedgerError(403, 403, 'Change this plan where you bought it.')
  if (subscription.revision !== changes.revision)
    return createLedgerError('stale', 409, 'This plan has changed since you opened this page. Reload the page.')
  if (!isCameraPlan(subscription) || !isCameraPlan({ sku }))
    return createLedgerError(400, 400, 'You can only switch between camera plans.')
  return toActiveSubscription(subscription, now)
}

/**
 * Returns the error that prevents a free trial; null if there is none. The trial is for one camera, once per account,
 * and only without another camera plan.
 */
function findTrialProblem(
  { book }: Pick<LedgerContext, 'book'>,
  request: OrderRequest,
  now: number,
): LedgerError | null {
  if (request.sku !== 'cam-ai' || request.quantity !== 1 || request.changes !== null)
    return createLedgerError(400, 400, 'The free trial covers one camera.')
  if (
    book.listRecords('subscription').some((subscription) => isCameraPlan(subscription) && hasAccess(subscription, now))
  )
    return createLedgerError('exists', 409, 'You already have a camera plan.')
  return hadTrial(book) ? createLedgerError('not_sold', 400, 'You’ve already used your free trial.') : null
}

export const hadTrial = ({ sql }: LedgerContext['book']): boolean =>
  sql.exec("SELECT 1 AS one FROM entries WHERE kind = 'trial' LIMIT 1").toArray().length > 0
