import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { AssignmentRefusalReason, LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { addToOutbox } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { createLedgerError } from './errors.ts'
import { hasAccess } from './subscription-rules.ts'

export interface LicenseAssignment {
  readonly device_mac: string
  readonly bound: boolean
  readonly why: AssignmentRefusalReason | null
}

/** Returns true if the plan has one license per camera; false if it covers every camera of the home. */
export const isLicensedPerCamera = ({ sku }: SubscriptionRecord) => getPlan(sku).per === 'camera'

/** Returns the id of the entry that records a license change. The first call may add the entry. */
export type EntryIdProvider = () => number

/**
 * Assigns licenses of a subscription to cameras. Unassigns the licenses of all subscriptions from cameras outside
 * `own`. Publishes existing assignments again, because a camera may have left the home temporarily.
 */
export function assignLicenses(
  store: LedgerStore,
  subscriptionId: string,
  devices: readonly string[],
  own: readonly string[],
  now: number,
): LicenseAssignment[] | LedgerError {
  const subscription = store.get('subscription', subscriptionId)
  if (subscription === null || !hasAccess(subscription, now)) return createLedgerError(404, 404)
  if (!isLicensedPerCamera(subscription))
    return createLedgerError(400, 400, 'This plan covers every camera in the home.')
  let entryId: number | null = null
  const getEntryId = () => (entryId ??= store.addEntry('bind', subscriptionId, now))
  unassignLostCameras(store, getEntryId, own)
  const answers = devices.map((id) => assignLicense(store, getEntryId, subscription, id, own, now))
  if (answers.some(({ bound }) => bound)) addToOutbox(store, { kind: 'subscription', id: subscriptionId })
  return answers
}

/**
 * Assigns the purchased licenses to the `cameras` of the purchase, until no license is left. Unassigns the licenses of
 * all subscriptions from cameras outside `own`.
 */
export function assignPurchasedLicenses(
  store: LedgerStore,
  entry: number,
  subscription: SubscriptionRecord,
  { cameras, own }: { cameras: readonly string[]; own: readonly string[] },
  now: number,
): void {
  if (!isLicensedPerCamera(subscription) || cameras.length === 0) return
  unassignLostCameras(store, () => entry, own)
  for (const id of cameras) assignLicense(store, () => entry, subscription, id, own, now)
  addToOutbox(store, { kind: 'subscription', id: subscription.subscription_id })
}

export const countAssignedLicenses = (store: LedgerStore, subscriptionId: string): number =>
  store.listRecords('licence').filter((license) => license.subscription_id === subscriptionId).length

function unassignLostCameras(store: LedgerStore, getEntryId: EntryIdProvider, own: readonly string[]): void {
  for (const { device_id, subscription_id } of store.listRecords('licence'))
    if (!own.includes(device_id)) {
      store.deleteRecord(getEntryId(), 'licence', device_id)
      addToOutbox(store, { kind: 'subscription', id: subscription_id })
    }
}

/**
 * Returns why a camera may not get a license of this subscription; null if it may. Does not check whether an unassigned
 * license is left.
 */
export function findLicenseConflict(
  store: LedgerStore,
  subscriptionId: string,
  deviceId: string,
  own: readonly string[],
  now: number,
): 'not_yours' | 'bound' | null {
  if (!own.includes(deviceId)) return 'not_yours'
  const held = store.get('licence', deviceId)
  const other = held && held.subscription_id !== subscriptionId && store.get('subscription', held.subscription_id)
  return other && hasAccess(other, now) && isLicensedPerCamera(other) ? 'bound' : null
}

export function assignLicense(
  store: LedgerStore,
  getEntryId: EntryIdProvider,
  subscription: SubscriptionRecord,
  device_mac: string,
  own: readonly string[],
  now: number,
): LicenseAssignment {
  const createFailedAssignment = (why: AssignmentRefusalReason): LicenseAssignment => ({
    device_mac,
    bound: false,
    why,
  })
  const { subscription_id } = subscription
  const why = findLicenseConflict(store, subscription_id, device_mac, own, now)
  if (why) return createFailedAssignment(why)
  const license = store.get('licence', device_mac)
  if (license?.subscription_id === subscription_id) return { device_mac, bound: true, why: null }
  if (countAssignedLicenses(store, subscription_id) >= subscription.quantity)
    return createFailedAssignment('no_licence')
  store.put(getEntryId(), 'licence', device_mac, { device_id: device_mac, subscription_id, bound_at: now })
  if (license) addToOutbox(store, { kind: 'subscription', id: license.subscription_id })
  return { device_mac, bound: true, why: null }
}
