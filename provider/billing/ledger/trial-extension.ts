import { TRIAL_EXTENSION_DAYS } from '../../../contract/billing/cancellation.ts'
import type { LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { createAccountDeletedError, createLedgerError } from './errors.ts'
import { hasAccess, putSubscription } from './subscription-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Maximum number of days by which all extensions of a trial together may extend it (OPEN-91). */
const MAX_EXTENSION_DAYS = 14

export interface TrialExtensionStatus {
  readonly used: number
  readonly maximum: number
  readonly until: number
}

const findRunningTrial = (store: LedgerStore, now: number) =>
  store
    .listRecords('subscription')
    .find(
      (subscription) =>
        subscription.channel === 'web' && subscription.status === 'trial' && hasAccess(subscription, now),
    ) ?? null

/** Returns the extension status of the running free trial; null if no trial is running. */
export function findTrialExtension(
  store: LedgerStore,
  now: number,
): (TrialExtensionStatus & { readonly subscription_id: string }) | null {
  const trial = findRunningTrial(store, now)
  return (
    trial && {
      subscription_id: trial.subscription_id,
      used: trial.extended,
      maximum: MAX_EXTENSION_DAYS,
      until: trial.until,
    }
  )
}

/**
 * Extends the free trial by `TRIAL_EXTENSION_DAYS`. Returns error 4302 if all extensions together would exceed the
 * maximum. Must run inside a transaction.
 */
export function extendFreeTrial(
  store: LedgerStore,
  subscriptionId: string,
  now: number,
): TrialExtensionStatus | LedgerError {
  if (store.isEnded()) return createAccountDeletedError()
  const trial = findRunningTrial(store, now)
  if (trial?.subscription_id !== subscriptionId) return createLedgerError(404, 404)
  const used = trial.extended + TRIAL_EXTENSION_DAYS
  if (used > MAX_EXTENSION_DAYS) return createLedgerError(4302, 409)
  const until = trial.until + TRIAL_EXTENSION_DAYS * DAY_MS
  const entry = store.addEntry('extension', subscriptionId, now)
  putSubscription(store, entry, { ...trial, until, extended: used, revision: trial.revision + 1 })
  return { used, maximum: MAX_EXTENSION_DAYS, until }
}
