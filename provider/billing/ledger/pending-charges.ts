import type { LedgerStore } from './ledger-store.ts'
import type { ChargeRecord } from './record-schemas.ts'

const SOONEST_MS = 5000
const LATEST_MS = 3_600_000

/** How long after a question the next one comes: as long as it has taken so far, whoever asked in between. */
const waitAfter = ({ begun_at, asked_at }: ChargeRecord): number =>
  Math.min(LATEST_MS, Math.max(SOONEST_MS, asked_at - begun_at))

const isOpen = ({ state }: ChargeRecord) => state !== 'booked' && state !== 'declined'

/** Charges of which it is not known yet what becomes of them. */
export const openCharges = (book: LedgerStore): ChargeRecord[] => book.awaited('charge')

/** Whether a charge goes on by itself: nothing else is charged, changed or renewed meanwhile. */
export const isBusy = (book: LedgerStore): boolean => openCharges(book).some(({ parked }) => !parked)

/** The earliest moment at which something is to be done, ms UTC; null: never. */
export const nextLook = (book: LedgerStore): number | null => book.nextDue('subscription', waiting(book))

/** Ids of subscriptions of which nothing is done for now: all of them while a charge is under way, its own while one is stuck. */
export function waiting(book: LedgerStore): string[] {
  const open = openCharges(book)
  if (open.some(({ parked, stuck }) => !parked && !stuck)) return book.ids('subscription')
  return open.filter(({ stuck }) => stuck).flatMap(({ job }) => getSubscriptionId(job) ?? [])
}

const getSubscriptionId = (job: ChargeRecord['job']) =>
  job.kind === 'renewal' ? job.subscription_id : job.sealed.changes?.subscription_id

/** Keeps a charge as it is now; an open one is asked for again, a parked one is let go once its quote is over. */
export function putCharge(book: LedgerStore, charge: ChargeRecord): void {
  const { job } = charge
  const letGo = job.kind === 'purchase' ? job.sealed.exp : charge.asked_at
  const next = charge.parked ? letGo : charge.asked_at + waitAfter(charge)
  book.put(0, 'charge', charge.charge_id, charge, isOpen(charge) ? next : null)
}

/** A parked purchase goes on for somebody who follows it, if nothing else is under way and its quote is still true; else it is let go. */
export function resumeParkedCharge(book: LedgerStore, chargeId: string, now: number): void {
  const charge = book.get('charge', chargeId)
  if (!charge?.parked || charge.job.kind !== 'purchase' || isBusy(book)) return
  const { exp, book: revision } = charge.job.sealed
  if (exp > now && revision === book.count('revision')) putCharge(book, { ...charge, parked: false, asked_at: now })
  else abandonCharge(book, charge, now)
}

/** Lets a charge go that the gateway has not answered: it is never collected, and its intent may begin anew. */
export function abandonCharge(book: LedgerStore, charge: ChargeRecord, now: number): void {
  putCharge(book, { ...charge, state: 'declined', parked: false, asked_at: now })
  book.drop(0, 'intent', charge.intent)
}
