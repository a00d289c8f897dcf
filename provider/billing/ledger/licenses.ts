import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { BindWhy, LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { toOutbox } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { ledgerError } from './errors.ts'
import { isLive } from './subscription-rules.ts'

export interface LicenseAssignment {
  readonly device_mac: string
  readonly bound: boolean
  readonly why: BindWhy | null
}

/** Returns true if the plan counts licenses, one per camera. */
export const isCounted = ({ sku }: SubscriptionRecord) => getPlan(sku).per === 'camera'

/** Returns the number of the entry that records a change of licenses. */
export type EntryOf = () => number

/**
 * Assigns licenses of a subscription to cameras. `own`: all cameras that the account may cover; licenses of other
 * cameras become unassigned. Existing assignments are published again, because the camera may have left the home for
 * some time.
 */
export function bindTo(
  book: LedgerStore,
  subscriptionId: string,
  devices: readonly string[],
  own: readonly string[],
  now: number,
): LicenseAssignment[] | LedgerError {
  const subscription = book.get('subscription', subscriptionId)
  if (subscription === null || !isLive(subscription, now)) return ledgerError(404, 404)
  if (!isCounted(subscription)) return ledgerError(400, 400, 'This plan covers every camera of the home.')
  let entered: number | null = null
  const entry = () => (entered ??= book.enter('bind', subscriptionId, now))
  freeGone(book, entry, own)
  const answers = devices.map((id) => bindOne(book, entry, subscription, id, own, now))
  if (answers.some(({ bound }) => bound)) toOutbox(book, { kind: 'subscription', id: subscriptionId })
  return answers
}

/** Covers the cameras that a purchase names, while it has licenses left. */
export function bindFirst(
  book: LedgerStore,
  entry: number,
  subscription: SubscriptionRecord,
  { cameras, own }: { cameras: readonly string[]; own: readonly string[] },
  now: number,
): void {
  if (!isCounted(subscription) || cameras.length === 0) return
  freeGone(book, () => entry, own)
  for (const id of cameras) bindOne(book, () => entry, subscription, id, own, now)
  toOutbox(book, { kind: 'subscription', id: subscription.subscription_id })
}

/** Number of cameras that licenses of a subscription cover. */
export const boundTo = (book: LedgerStore, subscriptionId: string): number =>
  book.all('licence').filter((license) => license.subscription_id === subscriptionId).length

function freeGone(book: LedgerStore, entry: EntryOf, own: readonly string[]): void {
  for (const { device_id, subscription_id } of book.all('licence'))
    if (!own.includes(device_id)) {
      book.drop(entry(), 'licence', device_id)
      toOutbox(book, { kind: 'subscription', id: subscription_id })
    }
}

/**
 * Returns the reason why a camera may not get a license of this subscription; null if there is none, even if no
 * unassigned license is left.
 */
export function licenseConflict(
  book: LedgerStore,
  subscriptionId: string,
  deviceId: string,
  own: readonly string[],
  now: number,
): 'not_yours' | 'bound' | null {
  if (!own.includes(deviceId)) return 'not_yours'
  const held = book.get('licence', deviceId)
  const other = held && held.subscription_id !== subscriptionId && book.get('subscription', held.subscription_id)
  return other && isLive(other, now) && isCounted(other) ? 'bound' : null
}

export function bindOne(
  book: LedgerStore,
  entry: EntryOf,
  subscription: SubscriptionRecord,
  device_mac: string,
  own: readonly string[],
  now: number,
): LicenseAssignment {
  const no = (why: BindWhy): LicenseAssignment => ({ device_mac, bound: false, why })
  const { subscription_id } = subscription
  const why = licenseConflict(book, subscription_id, device_mac, own, now)
  if (why) return no(why)
  const held = book.get('licence', device_mac)
  if (held?.subscription_id === subscription_id) return { device_mac, bound: true, why: null }
  if (boundTo(book, subscription_id) >= subscription.quantity) return no('no_licence')
  book.put(entry(), 'licence', device_mac, { device_id: device_mac, subscription_id, bound_at: now })
  if (held) toOutbox(book, { kind: 'subscription', id: held.subscription_id })
  return { device_mac, bound: true, why: null }
}
