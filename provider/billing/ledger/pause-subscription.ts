import { addMonths } from '../pricing/billing-period.ts'
import type { LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { changeable, type SubscriptionVersion } from './cancel-subscription.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { isRefused, ledgerError } from './errors.ts'
import { shiftPeriod, withoutPause } from './subscription-transitions.ts'
import { putSubscription } from './subscription-rules.ts'

export interface Paused {
  readonly subscription_id: string
  readonly paused_until: number | null
  readonly renews_at: number
}

const toPauseResult = ({ subscription_id, paused, until }: SubscriptionRecord): Paused => ({
  subscription_id,
  paused_until: paused?.until ?? null,
  renews_at: until,
})

/** Pauses a plan for calendar months from `now` and moves its dates by exactly the same time. Inside a transaction. */
export function pause(
  book: LedgerStore,
  version: SubscriptionVersion,
  months: number,
  now: number,
): Paused | LedgerError {
  const subscription = changeable(book, version, now)
  if (isRefused(subscription)) return subscription
  if (subscription.status !== 'active' || subscription.paused)
    return ledgerError('stale', 409, 'The plan cannot be paused as it is.')
  const until = addMonths(now, months)
  return put(book, 'paused', { ...shiftPeriod(subscription, until - now), paused: { from: now, until } }, now)
}

/** Ends a pause. Inside a transaction. */
export function resumeSubscription(book: LedgerStore, version: SubscriptionVersion, now: number): Paused | LedgerError {
  const subscription = changeable(book, version, now)
  if (isRefused(subscription)) return subscription
  if (subscription.paused === null) return ledgerError('stale', 409, 'The plan is not paused.')
  return put(book, 'resumed', withoutPause(subscription, now), now)
}

export const endPause = (book: LedgerStore, subscription: SubscriptionRecord, now: number): Paused =>
  put(book, 'resumed', withoutPause(subscription, now), now)

function put(book: LedgerStore, kind: string, subscription: SubscriptionRecord, now: number): Paused {
  const after = { ...subscription, revision: subscription.revision + 1 }
  putSubscription(book, book.enter(kind, subscription.subscription_id, now), after)
  return toPauseResult(after)
}
