import type { LedgerStore } from './ledger-store.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

const SOONEST_MS = 5000
const LATEST_MS = HOUR_MS

/**
 * Returns the delay in ms before the next status check of a charge: the age of the charge at the last check, between
 * `SOONEST_MS` and `LATEST_MS`.
 */
const waitAfter = ({ begun_at, asked_at }: ChargeRecord): number =>
  Math.min(LATEST_MS, Math.max(SOONEST_MS, asked_at - begun_at))

const isOpen = ({ state }: ChargeRecord) => state !== 'booked' && state !== 'declined'

export const openCharges = (book: LedgerStore): ChargeRecord[] => book.awaited('charge')

/**
 * Returns true if a charge is in progress, parked ones excluded. Until it is finished, nothing else is charged, changed
 * or renewed.
 */
export const isBusy = (book: LedgerStore): boolean => openCharges(book).some(({ parked }) => !parked)

/** Returns the earliest due time of all billing work, ms UTC; null if nothing is due. */
export const findNextBillingTime = (book: LedgerStore): number | null => book.nextDue('subscription', waiting(book))

/**
 * Returns the ids of subscriptions that must wait: all of them while a charge is in progress; for a stuck charge, only
 * its own subscription.
 */
export function waiting(book: LedgerStore): string[] {
  const open = openCharges(book)
  if (open.some(({ parked, stuck }) => !parked && !stuck)) return book.ids('subscription')
  return open.filter(({ stuck }) => stuck).flatMap(({ job }) => getSubscriptionId(job) ?? [])
}

const getSubscriptionId = (job: ChargeRecord['job']) =>
  job.kind === 'renewal' ? job.subscription_id : job.sealed.changes?.subscription_id

/**
 * Stores a charge. An open charge gets the time of its next status check as due time. A parked one gets the expiry of
 * its quote, at which it is abandoned.
 */
export function putCharge(book: LedgerStore, charge: ChargeRecord): void {
  const { job } = charge
  const letGo = job.kind === 'purchase' ? job.sealed.exp : charge.asked_at
  const next = charge.parked ? letGo : charge.asked_at + waitAfter(charge)
  book.put(0, 'charge', charge.charge_id, charge, isOpen(charge) ? next : null)
}

/**
 * Resumes a parked purchase that a client polls, unless another charge is in progress. Abandons it if its quote is no
 * longer valid.
 */
export function resumeParkedCharge(book: LedgerStore, chargeId: string, now: number): void {
  const charge = book.get('charge', chargeId)
  if (!charge?.parked || charge.job.kind !== 'purchase' || isBusy(book)) return
  const { exp, book: revision } = charge.job.sealed
  if (exp > now && revision === book.count('revision')) putCharge(book, { ...charge, parked: false, asked_at: now })
  else abandonCharge(book, charge, now)
}

/**
 * Abandons a charge that the gateway has not answered: it is never collected, and its idempotency key may be used
 * again.
 */
export function abandonCharge(book: LedgerStore, charge: ChargeRecord, now: number): void {
  putCharge(book, { ...charge, state: 'declined', parked: false, asked_at: now })
  book.drop(0, 'intent', charge.intent)
}
