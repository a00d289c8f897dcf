import type { LedgerStore } from './ledger-store.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

const MIN_CHECK_DELAY_MS = 5000
const MAX_CHECK_DELAY_MS = HOUR_MS

/**
 * Returns the delay before the next status check of a charge. It is the charge's age at the last check, limited to 5 s
 * to 1 hour.
 */
const getCheckDelayMs = ({ begun_at, asked_at }: ChargeRecord): number =>
  Math.min(MAX_CHECK_DELAY_MS, Math.max(MIN_CHECK_DELAY_MS, asked_at - begun_at))

const isOpen = ({ state }: ChargeRecord) => state !== 'booked' && state !== 'declined'

export const listOpenCharges = (store: LedgerStore): ChargeRecord[] => store.listScheduled('charge')

/**
 * Returns true if an open charge is not parked. Until that charge is finished, the account cannot buy or change a plan,
 * or redeem a coupon.
 */
export const hasChargeInProgress = (store: LedgerStore): boolean => listOpenCharges(store).some(({ parked }) => !parked)

/**
 * Returns the earliest due time of all billing work, ms UTC; null if there is none. Ignores subscriptions that a charge
 * blocks.
 */
export const findNextBillingTime = (store: LedgerStore): number | null =>
  store.findNextDue('subscription', listBlockedSubscriptionIds(store))

/**
 * Returns the ids of subscriptions that a charge blocks. An open charge blocks every subscription of the account,
 * unless it is parked or stuck. A stuck charge blocks only the subscription that it renews or changes.
 */
export function listBlockedSubscriptionIds(store: LedgerStore): string[] {
  const open = listOpenCharges(store)
  if (open.some(({ parked, stuck }) => !parked && !stuck)) return store.listIds('subscription')
  return open.filter(({ stuck }) => stuck).flatMap(({ job }) => getSubscriptionId(job) || [])
}

const getSubscriptionId = (job: ChargeRecord['job']) =>
  job.kind === 'renewal' ? job.subscription_id : job.kind === 'purchase' && job.sealed.changes?.subscription_id

/** Returns true if the account started the payment, so that it gets the result. */
export const isRequestedByAccount = (job: ChargeRecord['job']): boolean =>
  job.kind === 'purchase' || (job.kind === 'renewal' && job.asked)

/**
 * Stores a charge with its due time. An open charge is due at its next status check. A parked charge is due when its
 * quote expires, and is then abandoned.
 */
export function putCharge(store: LedgerStore, charge: ChargeRecord): void {
  const { job } = charge
  const abandonAt = job.kind === 'purchase' ? job.sealed.exp : charge.asked_at
  const next = charge.parked ? abandonAt : charge.asked_at + getCheckDelayMs(charge)
  store.put(0, 'charge', charge.charge_id, charge, isOpen(charge) ? next : null)
}

/**
 * Resumes a parked purchase that a client polls, unless another charge is in progress. Abandons it if its quote is no
 * longer valid.
 */
export function resumeParkedCharge(store: LedgerStore, chargeId: string, now: number): void {
  const charge = store.get('charge', chargeId)
  if (!charge?.parked || charge.job.kind !== 'purchase' || hasChargeInProgress(store)) return
  const { exp, book: revision } = charge.job.sealed
  if (exp > now && revision === store.getCounter('revision'))
    putCharge(store, { ...charge, parked: false, asked_at: now })
  else abandonCharge(store, charge, now)
}

/**
 * Abandons a charge: the ledger never collects it, and its idempotency key may be used again. The charge must be in the
 * state `written`.
 */
export function abandonCharge(store: LedgerStore, charge: ChargeRecord, now: number): void {
  putCharge(store, { ...charge, state: 'declined', parked: false, asked_at: now })
  store.deleteRecord(0, 'intent', charge.intent)
}
