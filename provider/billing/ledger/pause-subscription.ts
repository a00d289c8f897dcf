import { addMonths } from '../pricing/billing-period.ts'
import type { LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { findChangeableSubscription, type SubscriptionVersion } from './cancel-subscription.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { isLedgerError, createLedgerError } from './errors.ts'
import { shiftPeriod, removePause } from './subscription-transitions.ts'
import { putSubscription } from './subscription-rules.ts'

export interface PauseResult {
  readonly subscription_id: string
  readonly paused_until: number | null
  readonly renews_at: number
}

const toPauseResult = ({ subscription_id, paused, until }: SubscriptionRecord): PauseResult => ({
  subscription_id,
  paused_until: paused?.until ?? null,
  renews_at: until,
})

/**
 * Pauses a plan for `months` calendar months from `now`, and shifts its dates by the length of the pause. Must run
 * inside a transaction.
 */
export function pauseSubscription(
  store: LedgerStore,
  version: SubscriptionVersion,
  months: number,
  now: number,
): PauseResult | LedgerError {
  const subscription = findChangeableSubscription(store, version, now)
  if (isLedgerError(subscription)) return subscription
  if (subscription.status !== 'active' || subscription.paused)
    return createLedgerError('stale', 409, 'This plan isn’t active or is already paused. Reload the page.')
  const until = addMonths(now, months)
  return putChangedSubscription(
    store,
    'paused',
    { ...shiftPeriod(subscription, until - now), paused: { from: now, until } },
    now,
  )
}

/**
 * Ends a pause before its planned end. Returns the error `stale` if the plan is not paused. Must run inside a
 * transaction.
 */
export function resumeSubscription(
  store: LedgerStore,
  version: SubscriptionVersion,
  now: number,
): PauseResult | LedgerError {
  const subscription = findChangeableSubscription(store, version, now)
  if (isLedgerError(subscription)) return subscription
  if (subscription.paused === null) return createLedgerError('stale', 409, 'This plan isn’t paused.')
  return putChangedSubscription(store, 'resumed', removePause(subscription, now), now)
}

export const endPause = (store: LedgerStore, subscription: SubscriptionRecord, now: number): PauseResult =>
  putChangedSubscription(store, 'resumed', removePause(subscription, now), now)

function putChangedSubscription(
  store: LedgerStore,
  kind: string,
  subscription: SubscriptionRecord,
  now: number,
): PauseResult {
  const after = { ...subscription, revision: subscription.revision + 1 }
  putSubscription(store, store.addEntry(kind, subscription.subscription_id, now), after)
  return toPauseResult(after)
}
