import { EXTENSION_DAYS } from '../../../contract/billing/cancellation.ts'
import { DAY_MS } from '../pricing/billing-period.ts'
import type { Refused } from './ledger-calls.ts'
import type { Book } from './ledger-store.ts'
import { accountGone, refuse } from './errors.ts'
import { isLive, putSubscription } from './subscription-rules.ts'

/** Days that free days can be made longer by (OPEN-91). */
const MAXIMUM = 14

export interface Extension {
  readonly used: number
  readonly maximum: number
  readonly until: number
}

const trialOf = (book: Book, now: number) =>
  book.all('subscription').find((one) => one.channel === 'web' && one.status === 'trial' && isLive(one, now)) ?? null

/** How far the free days that run have been made longer; null: none run. */
export function extensionOf(book: Book, now: number): (Extension & { readonly subscription_id: string }) | null {
  const one = trialOf(book, now)
  return one && { subscription_id: one.subscription_id, used: one.extended, maximum: MAXIMUM, until: one.until }
}

/** Makes the free days longer; 4302 beyond the maximum. Inside a transaction. */
export function extend(book: Book, subscriptionId: string, now: number): Extension | Refused {
  if (book.isEnded()) return accountGone()
  const one = trialOf(book, now)
  if (one?.subscription_id !== subscriptionId) return refuse(404, 404)
  const used = one.extended + EXTENSION_DAYS
  if (used > MAXIMUM) return refuse(4302, 409)
  const until = one.until + EXTENSION_DAYS * DAY_MS
  const entry = book.enter('extension', subscriptionId, now)
  putSubscription(book, entry, { ...one, until, extended: used, revision: one.revision + 1 })
  return { used, maximum: MAXIMUM, until }
}
