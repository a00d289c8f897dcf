import type { SubscriptionRecord } from './record-schemas.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Days after the first decline on which a renewal is retried. After the last one, the subscription ends. */
export const RETRY_DAYS = [1, 3, 7, 14] as const

/** Returns the time of the first decline, ms UTC; if it was not stored, the end of the paid period. */
export const getDeclineTime = ({ overdue, until }: SubscriptionRecord): number => overdue?.since ?? until

/** Returns the remaining retry times of a declined renewal, earliest first, ms UTC. */
export const retryTimes = (subscription: SubscriptionRecord): number[] =>
  RETRY_DAYS.slice((subscription.overdue?.tries ?? 1) - 1).map((days) => getDeclineTime(subscription) + days * DAY_MS)
