import type { LedgerStore } from './ledger-store.ts'
import { runIdempotent } from './idempotency-keys.ts'
import {
  assignLicense,
  type LicenseAssignment,
  countAssignedLicenses,
  findLicenseConflict,
  isLicensedPerCamera,
} from './licenses.ts'
import { addToOutbox } from './outbox.ts'
import { createAccountDeletedError, createLedgerError } from './errors.ts'
import type { LedgerError } from './ledger-calls.ts'
import { hasAccess } from './subscription-rules.ts'

export interface LicenseMoveResult {
  readonly device_mac: string
  readonly done: boolean
  readonly why: 'not_bound' | 'not_yours' | 'no_licence' | 'bound' | null
}

/** Request about licenses of one subscription. `own`: all cameras to which the account may assign licenses. */
interface LicenseRequest {
  readonly intent: string
  readonly subscription_id: string
  readonly own: readonly string[]
}

const createSuccessfulMove = (device_mac: string): LicenseMoveResult => ({ device_mac, done: true, why: null })
const createFailedMove = (device_mac: string, why: LicenseMoveResult['why']): LicenseMoveResult => ({
  device_mac,
  done: false,
  why,
})

/** Unassigns licenses from cameras, also from those that the account no longer owns. Runs once per idempotency key. */
export function unassignLicenses(
  book: LedgerStore,
  ask: LicenseRequest & { readonly devices: readonly string[] },
  now: number,
): LicenseMoveResult[] | LedgerError {
  const { intent, subscription_id, devices, own } = ask
  return runIdempotent(book, { intent, body: ['unbind', subscription_id, devices] }, now, () => {
    if (book.isEnded()) return createAccountDeletedError()
    if (book.get('subscription', subscription_id) === null) return createLedgerError(404, 404)
    let entryId: number | null = null
    const answers = devices.map((id) => {
      if (book.get('licence', id)?.subscription_id !== subscription_id)
        return createFailedMove(id, own.includes(id) ? 'not_bound' : 'not_yours')
      book.deleteRecord((entryId ??= book.addEntry('unbind', subscription_id, now)), 'licence', id)
      return createSuccessfulMove(id)
    })
    if (entryId !== null) addToOutbox(book, { kind: 'subscription', id: subscription_id })
    return answers
  })
}

/**
 * Moves a license from one camera to another in one entry, once per idempotency key. Keeps the assignment time of the
 * license, because only the first assigned cameras are covered if the plan has too few licenses.
 */
export function moveLicenseAssignment(
  book: LedgerStore,
  ask: LicenseRequest & { readonly from: string; readonly to: string },
  now: number,
): LicenseMoveResult[] | LedgerError {
  const { intent, subscription_id, from, to, own } = ask
  return runIdempotent(book, { intent, body: ['move', subscription_id, from, to] }, now, () => {
    if (book.isEnded()) return createAccountDeletedError()
    const subscription = book.get('subscription', subscription_id)
    if (subscription === null || !hasAccess(subscription, now)) return createLedgerError(404, 404)
    if (!isLicensedPerCamera(subscription))
      return createLedgerError(400, 400, 'This plan covers every camera of the home.')
    const held = book.get('licence', from)
    if (held?.subscription_id !== subscription_id)
      return [createFailedMove(from, own.includes(from) ? 'not_bound' : 'not_yours'), createFailedMove(to, null)]
    const before = book.get('licence', to)
    const why =
      before?.subscription_id === subscription_id ? 'bound' : findLicenseConflict(book, subscription_id, to, own, now)
    if (why) return [createFailedMove(from, null), createFailedMove(to, why)]
    const entry = book.addEntry('move', subscription_id, now)
    book.deleteRecord(entry, 'licence', from)
    book.put(entry, 'licence', to, { ...held, device_id: to })
    // Publish the previous subscription of the camera first. It must release the camera before the new subscription
    // claims it.
    for (const id of new Set([before?.subscription_id ?? subscription_id, subscription_id]))
      addToOutbox(book, { kind: 'subscription', id })
    return [createSuccessfulMove(from), createSuccessfulMove(to)]
  })
}

const AUTO_ASSIGNMENT_ID = 'auto-cover'

/** Returns true if new cameras automatically get an unassigned license, which is the default. */
export const isAutoAssignmentOn = (book: LedgerStore): boolean => book.get('choice', AUTO_ASSIGNMENT_ID)?.on ?? true

export function storeAutoAssignment(
  book: LedgerStore,
  { intent, on }: { intent: string; on: boolean },
  now: number,
): boolean | LedgerError {
  return runIdempotent(book, { intent, body: [AUTO_ASSIGNMENT_ID, on] }, now, () => {
    if (book.isEnded()) return createAccountDeletedError()
    book.put(0, 'choice', AUTO_ASSIGNMENT_ID, { on })
    return on
  })
}

/**
 * Assigns a license to a new camera of the account, from the oldest plan that has an unassigned license. Returns null
 * if automatic assignment is off, no license is left, the camera already has a license of that plan, or the account is
 * deleted.
 */
export function assignLicenseToNewCamera(
  book: LedgerStore,
  deviceId: string,
  own: readonly string[],
  now: number,
): LicenseAssignment | null {
  if (book.isEnded() || !isAutoAssignmentOn(book)) return null
  const held = book.get('licence', deviceId)
  const free = book
    .listRecords('subscription')
    .filter(
      (candidate) =>
        isLicensedPerCamera(candidate) &&
        hasAccess(candidate, now) &&
        countAssignedLicenses(book, candidate.subscription_id) < candidate.quantity,
    )
    .sort((a, b) => a.since - b.since)
  const [subscription] = free
  if (!subscription || held?.subscription_id === subscription.subscription_id) return null
  const bound = assignLicense(
    book,
    () => book.addEntry('bind', subscription.subscription_id, now),
    subscription,
    deviceId,
    own,
    now,
  )
  if (bound.bound) addToOutbox(book, { kind: 'subscription', id: subscription.subscription_id })
  return bound
}

export function releaseLedgerLicense(book: LedgerStore, deviceId: string, now: number): void {
  const held = book.get('licence', deviceId)
  if (!held) return
  book.deleteRecord(book.addEntry('unbind', held.subscription_id, now), 'licence', deviceId)
  addToOutbox(book, { kind: 'subscription', id: held.subscription_id })
}
