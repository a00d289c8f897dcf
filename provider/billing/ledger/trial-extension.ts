import { EXTENSION_DAYS } from '../../../contract/billing/cancellation.ts'
import type { LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { accountGone, ledgerError } from './errors.ts'
import { isLive, putSubscription } from './subscription-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Maximum days of a trial extension (OPEN-91). */
const MAXIMUM = 14

export interface TrialExtensionStatus {
  readonly used: number
  readonly maximum: number
  readonly until: number
}

const findRunningTrial = (book: LedgerStore, now: number) =>
  book
    .all('subscription')
    .find(
      (subscription) => subscription.channel === 'web' && subscription.status === 'trial' && isLive(subscription, now),
    ) ?? null

/** Returns the extension of the running free trial; null if none is running. */
export function findTrialExtension(
  book: LedgerStore,
  now: number,
): (TrialExtensionStatus & { readonly subscription_id: string }) | null {
  const trial = findRunningTrial(book, now)
  return trial && { subscription_id: trial.subscription_id, used: trial.extended, maximum: MAXIMUM, until: trial.until }
}

/** Extends the free trial; 4302 beyond the maximum. Inside a transaction. */
export function extendFreeTrial(
  book: LedgerStore,
  subscriptionId: string,
  now: number,
): TrialExtensionStatus | LedgerError {
  if (book.isEnded()) return accountGone()
  const trial = findRunningTrial(book, now)
  if (trial?.subscription_id !== subscriptionId) return ledgerError(404, 404)
  const used = trial.extended + EXTENSION_DAYS
  if (used > MAXIMUM) return ledgerError(4302, 409)
  const until = trial.until + EXTENSION_DAYS * DAY_MS
  const entry = book.enter('extension', subscriptionId, now)
  putSubscription(book, entry, { ...trial, until, extended: used, revision: trial.revision + 1 })
  return { used, maximum: MAXIMUM, until }
}
