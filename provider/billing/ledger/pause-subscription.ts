import { addMonths } from '../pricing/billing-period.ts'
import type { Refused } from './ledger-calls.ts'
import type { Book } from './ledger-store.ts'
import { changeable, type Known } from './cancellation.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { isRefused, refuse } from './errors.ts'
import { movedBy, unpaused } from './subscription-transitions.ts'
import { putSubscription } from './subscription-rules.ts'

export interface Paused {
  readonly subscription_id: string
  readonly paused_until: number | null
  readonly renews_at: number
}

const answerOf = ({ subscription_id, paused, until }: SubscriptionRecord): Paused => ({
  subscription_id,
  paused_until: paused?.until ?? null,
  renews_at: until,
})

/** Pauses a plan for calendar months from `now`: its dates move by exactly as much. Inside a transaction. */
export function pause(book: Book, known: Known, months: number, now: number): Paused | Refused {
  const one = changeable(book, known, now)
  if (isRefused(one)) return one
  if (one.status !== 'active' || one.paused) return refuse('stale', 409, 'The plan cannot be paused as it is.')
  const until = addMonths(now, months)
  return put(book, 'paused', { ...movedBy(one, until - now), paused: { from: now, until } }, now)
}

/** Ends a pause. Inside a transaction. */
export function resume(book: Book, known: Known, now: number): Paused | Refused {
  const one = changeable(book, known, now)
  if (isRefused(one)) return one
  if (one.paused === null) return refuse('stale', 409, 'The plan is not paused.')
  return put(book, 'resumed', unpaused(one, now), now)
}

/** A pause is over by itself. */
export const endPause = (book: Book, one: SubscriptionRecord, now: number): Paused =>
  put(book, 'resumed', unpaused(one, now), now)

function put(book: Book, kind: string, one: SubscriptionRecord, now: number): Paused {
  const after = { ...one, revision: one.revision + 1 }
  putSubscription(book, book.enter(kind, one.subscription_id, now), after)
  return answerOf(after)
}
