import type { Book } from './book.ts'
import type { ChargeRecord } from './records.ts'

/** The alarm looks at what is under way so often. */
export const CHARGE_WAIT_MS = 5000

/** How long after a question without an answer the next one comes: longer each time, an hour at most. */
const waitAfter = (tries: number): number => Math.min(3_600_000, CHARGE_WAIT_MS * 2 ** Math.min(tries, 10))

const isOpen = ({ state }: ChargeRecord) => state !== 'booked' && state !== 'declined'

/** Charges of which it is not known yet what becomes of them. */
export const openCharges = (book: Book): ChargeRecord[] => book.all('charge').filter(isOpen)

/** Keeps a charge as it is now; an open one is asked for again, a parked one is let go once its quote is over. */
export function putCharge(book: Book, charge: ChargeRecord): void {
  const { job } = charge
  const letGo = job.kind === 'purchase' ? job.sealed.exp : charge.asked_at
  const next = charge.parked ? letGo : charge.asked_at + waitAfter(charge.tries)
  book.put(0, 'charge', charge.charge_id, charge, isOpen(charge) ? next : null)
}

/** Lets a charge go that the gateway has not answered: it is never collected, and its intent may begin anew. */
export function dropCharge(book: Book, charge: ChargeRecord, now: number): void {
  putCharge(book, { ...charge, state: 'declined', parked: false, asked_at: now })
  book.drop(0, 'intent', charge.intent)
}
