import type { LedgerStore } from './ledger-store.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Days after the first decline on which a renewal is retried. After the last one, the subscription ends. */
export const RETRY_DAYS = [1, 3, 7, 14] as const

/** Returns the time of the first decline, ms UTC; if it was not stored, the end of the paid period. */
export const getDeclineTime = ({ overdue, until }: SubscriptionRecord): number => overdue?.since ?? until

/** Returns the remaining retry times of a declined renewal, earliest first, ms UTC. */
export const retryTimes = (subscription: SubscriptionRecord): number[] =>
  RETRY_DAYS.slice((subscription.overdue?.tries ?? 1) - 1).map((days) => getDeclineTime(subscription) + days * DAY_MS)

/**
 * Returns the times of the declined attempts to collect the open invoice, earliest first, ms UTC. Returns undefined if
 * the journal lacks an attempt, because the first decline is older than the ledger.
 */
export function listAttemptTimes({ sql }: LedgerStore, { subscription_id, overdue }: SubscriptionRecord) {
  if (!overdue) return undefined
  const times = sql
    .exec<{ at: number }>(
      "SELECT at FROM entries WHERE kind = 'declined' AND subject = ? AND at >= ? ORDER BY entry_id",
      subscription_id,
      overdue.since ?? 0,
    )
    .toArray()
    .map(({ at }) => at)
  return times.length === overdue.tries && times[0] === overdue.since ? times : undefined
}
