import type { Call } from '../../../contract/wire/call.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { eventHistory, getEventList } from '../../../contract/events/events.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { search } from '../../../contract/search/search-calls.ts'
import { FairShareLimiter } from '../../../contract/wire/fair-share-limiter.ts'

/**
 * Calls that take the provider more time than the other calls, or that open sockets there. A page load makes three of
 * these calls.
 */
const EXPENSIVE_CALLS: ReadonlySet<Call> = new Set<Call>([search, eventHistory, getEventList, getStreams, feedTicket])

const expensiveLimiter = new FairShareLimiter({ each: { burst: 6, perSecond: 0.2 }, all: { burst: 80, perSecond: 4 } })
const defaultLimiter = new FairShareLimiter({ each: { burst: 60, perSecond: 3 }, all: { burst: 2500, perSecond: 100 } })

/**
 * Counts a call against the session's own bucket (`id`) or, if that is empty, the shared bucket. Returns the wait in
 * ms, or 0. Runs before the session is read, so that floods cost almost nothing. `now` in ms UTC.
 */
export const checkSessionRateLimit = (id: string, call: Call, now: number): number =>
  (EXPENSIVE_CALLS.has(call) ? expensiveLimiter : defaultLimiter).consume(id, now)
