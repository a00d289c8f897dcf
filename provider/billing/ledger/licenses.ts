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
  book: LedgerStore,
  subscriptionId: string,
  devices: readonly string[],
  own: readonly string[],
  now: number,
): LicenseAssignment[] | LedgerError {
  const subscription = book.get('subscription', subscriptionId)
  if (subscription === null || !hasAccess(subscription, now)) return createLedgerError(404, 404)
  if (!isLicensedPerCamera(subscription))
    return createLedgerError(400, 400, 'This plan covers every camera of the home.')
  let entryId: number | null = null
  const entry = () => (entryId ??= book.addEntry('bind', subscriptionId, now))
  unassignLostCameras(book, entry, own)
  const answers = devices.map((id) => assignLicense(book, entry, subscription, id, own, now))
  if (answers.some(({ bound }) => bound)) addToOutbox(book, { kind: 'subscription', id: subscriptionId })
  return answers
}

/**
 * Assigns the purchased licenses to the `cameras` of the purchase, until no license is left. Unassigns the licenses of
 * all subscriptions from cameras outside `own`.
 */
export function assignPurchasedLicenses(
  book: LedgerStore,
  entry: number,
  subscription: SubscriptionRecord,
  { cameras, own }: { cameras: readonly string[]; own: readonly string[] },
  now: number,
): void {
  if (!isLicensedPerCamera(subscription) || cameras.length === 0) return
  unassignLostCameras(book, () => entry, own)
  for (const id of cameras) assignLicense(book, () => entry, subscription, id, own, now)
  addToOutbox(book, { kind: 'subscription', id: subscription.subscription_id })
}

/** Returns the number of cameras that licenses of a subscription cover. */
export const countAssignedLicenses = (book: LedgerStore, subscriptionId: string): number =>
  book.listRecords('licence').filter((license) => license.subscription_id === subscriptionId).length

function unassignLostCameras(book: LedgerStore, entry: EntryIdProvider, own: readonly string[]): void {
  for (const { device_id, subscription_id } of book.listRecords('licence'))
    if (!own.includes(device_id)) {
      book.deleteRecord(entry(), 'licence', device_id)
      addToOutbox(book, { kind: 'subscription', id: subscription_id })
    }
}

/**
 * Returns why a camera may not get a license of this subscription; null if it may. Does not check whether an unassigned
 * license is left.
 */
export function findLicenseConflict(
  book: LedgerStore,
  subscriptionId: string,
  deviceId: string,
  own: readonly string[],
  now: number,
): 'not_yours' | 'bound' | null {
  if (!own.includes(deviceId)) return 'not_yours'
  const held = book.get('licence', deviceId)
  const other = held && held.subscription_id !== subscriptionId && book.get('subscription', held.subscription_id)
  return other && hasAccess(other, now) && isLicensedPerCamera(other) ? 'bound' : null
}

export function assignLicense(
  book: LedgerStore,
  entry: EntryIdProvider,
  subscription: SubscriptionRecord,
  device_mac: string,
  own: readonly string[],
  now: number,
): LicenseAssignment {
  const createRefusal = (why: AssignmentRefusalReason): LicenseAssignment => ({ device_mac, bound: false, why })
  const { subscription_id } = subscription
  const why = findLicenseConflict(book, subscription_id, device_mac, own, now)
  if (why) return createRefusal(why)
  const held = book.get('licence', device_mac)
  if (held?.subscription_id === subscription_id) return { device_mac, bound: true, why: null }
  if (countAssignedLicenses(book, subscription_id) >= subscription.quantity) return createRefusal('no_licence')
  book.put(entry(), 'licence', device_mac, { device_id: device_mac, subscription_id, bound_at: now })
  if (held) addToOutbox(book, { kind: 'subscription', id: held.subscription_id })
  return { device_mac, bound: true, why: null }
}
