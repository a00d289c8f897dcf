import type { Call } from '../../../contract/wire/call.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { eventHistory, getEventList } from '../../../contract/events/events.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { search } from '../../../contract/search/search-calls.ts'
import { FairShareLimiter } from '../../../contract/wire/fair-share-limiter.ts'

/** Calls that keep the provider busy for longer than others, or open sockets there. A page that is loaded makes three of them. */
const DEAR: ReadonlySet<Call> = new Set<Call>([search, eventHistory, getEventList, getStreams, feedTicket])

const dear = new FairShareLimiter({ each: { burst: 6, perSecond: 0.2 }, all: { burst: 80, perSecond: 4 } })
const others = new FairShareLimiter({ each: { burst: 60, perSecond: 3 }, all: { burst: 2500, perSecond: 100 } })

/**
 * Takes a call from the share of a session (`id`), or of all of them; answers 0, or for how many milliseconds this session is to
 * wait. Asked before the session is looked at, so that a flood costs next to nothing. `now` in ms UTC.
 */
export const checkSessionRateLimit = (id: string, call: Call, now: number): number =>
  (DEAR.has(call) ? dear : others).consume(id, now)
