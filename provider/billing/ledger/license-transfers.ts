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
  store: LedgerStore,
  request: LicenseRequest & { readonly devices: readonly string[] },
  now: number,
): LicenseMoveResult[] | LedgerError {
  const { intent, subscription_id, devices, own } = request
  return runIdempotent(store, { intent, body: ['unbind', subscription_id, devices] }, now, () => {
    if (store.isEnded()) return createAccountDeletedError()
    if (store.get('subscription', subscription_id) === null) return createLedgerError(404, 404)
    let entryId: number | null = null
    const results = devices.map((id) => {
      if (store.get('licence', id)?.subscription_id !== subscription_id)
        return createFailedMove(id, own.includes(id) ? 'not_bound' : 'not_yours')
      store.deleteRecord((entryId ??= store.addEntry('unbind', subscription_id, now)), 'licence', id)
      return createSuccessfulMove(id)
    })
    if (entryId !== null) addToOutbox(store, { kind: 'subscription', id: subscription_id })
    return results
  })
}

/**
 * Moves a license from one camera to another in one entry, once per idempotency key. Keeps the assignment time of the
 * license, because only the first assigned cameras are covered if the plan has too few licenses.
 */
export function moveLicenseAssignment(
  store: LedgerStore,
  request: LicenseRequest & { readonly from: string; readonly to: string },
  now: number,
): LicenseMoveResult[] | LedgerError {
  const { intent, subscription_id, from, to, own } = request
  return runIdempotent(store, { intent, body: ['move', subscription_id, from, to] }, now, () => {
    if (store.isEnded()) return createAccountDeletedError()
    const subscription = store.get('subscription', subscription_id)
    if (subscription === null || !hasAccess(subscription, now)) return createLedgerError(404, 404)
    if (!isLicensedPerCamera(subscription))
      return createLedgerError(400, 400, 'This plan covers every camera in the home.')
    const license = store.get('licence', from)
    if (license?.subscription_id !== subscription_id)
      return [createFailedMove(from, own.includes(from) ? 'not_bound' : 'not_yours'), createFailedMove(to, null)]
    const replacedLicense = store.get('licence', to)
    const why =
      replacedLicense?.subscription_id === subscription_id
        ? 'bound'
        : findLicenseConflict(store, subscription_id, to, own, now)
    if (why) return [createFailedMove(from, null), createFailedMove(to, why)]
    const entry = store.addEntry('move', subscription_id, now)
    store.deleteRecord(entry, 'licence', from)
    store.put(entry, 'licence', to, { ...license, device_id: to })
    // Publish the previous subscription of the camera first. It must release the camera before the new subscription
    // claims it.
    for (const id of new Set([replacedLicense?.subscription_id ?? subscription_id, subscription_id]))
      addToOutbox(store, { kind: 'subscription', id })
    return [createSuccessfulMove(from), createSuccessfulMove(to)]
  })
}

/** Returns the time of the last license transfer to each camera, ms UTC, as a map from camera id. */
export function listLicenseMoveTimes({ sql }: LedgerStore): Map<string, number> {
  const rows = sql
    .exec<{ id: string; at: number }>(
      `SELECT id, max(at) AS at FROM images JOIN entries USING (entry_id)
       WHERE images.kind = 'licence' AND entries.kind = 'move' AND body IS NOT NULL GROUP BY id`,
    )
    .toArray()
  return new Map(rows.map(({ id, at }) => [id, at]))
}

const AUTO_ASSIGNMENT_ID = 'auto-cover'

/** Returns true if new cameras automatically get an unassigned license, which is the default. */
export const isAutoAssignmentOn = (store: LedgerStore): boolean => store.get('choice', AUTO_ASSIGNMENT_ID)?.on ?? true

export function storeAutoAssignment(
  store: LedgerStore,
  { intent, on }: { intent: string; on: boolean },
  now: number,
): boolean | LedgerError {
  return runIdempotent(store, { intent, body: [AUTO_ASSIGNMENT_ID, on] }, now, () => {
    if (store.isEnded()) return createAccountDeletedError()
    store.put(0, 'choice', AUTO_ASSIGNMENT_ID, { on })
    return on
  })
}

/**
 * Assigns a license to a new camera of the account, from the oldest plan that has an unassigned license. Returns null
 * if automatic assignment is off, no license is left, the camera already has a license of that plan, or the account is
 * deleted.
 */
export function assignLicenseToNewCamera(
  store: LedgerStore,
  deviceId: string,
  own: readonly string[],
  now: number,
): LicenseAssignment | null {
  if (store.isEnded() || !isAutoAssignmentOn(store)) return null
  const license = store.get('licence', deviceId)
  const candidates = store
    .listRecords('subscription')
    .filter(
      (candidate) =>
        isLicensedPerCamera(candidate) &&
        hasAccess(candidate, now) &&
        countAssignedLicenses(store, candidate.subscription_id) < candidate.quantity,
    )
    .sort((a, b) => a.since - b.since)
  const [subscription] = candidates
  if (!subscription || license?.subscription_id === subscription.subscription_id) return null
  const assignment = assignLicense(
    store,
    () => store.addEntry('bind', subscription.subscription_id, now),
    subscription,
    deviceId,
    own,
    now,
  )
  if (assignment.bound) addToOutbox(store, { kind: 'subscription', id: subscription.subscription_id })
  return assignment
}

export function releaseLedgerLicense(store: LedgerStore, deviceId: string, now: number): void {
  const held = store.get('licence', deviceId)
  if (!held) return
  store.deleteRecord(store.addEntry('unbind', held.subscription_id, now), 'licence', deviceId)
  addToOutbox(store, { kind: 'subscription', id: held.subscription_id })
}
