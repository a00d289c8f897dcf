import type { MoneyLine } from '../../contract/purchase.ts'
import type { Book } from './book.ts'
import type { InvoiceRecord } from './records.ts'
import { tellBill } from './telling.ts'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Ten characters that stand for the account on its bills. */
export function accountNumber(account: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(account))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return Array.from({ length: 10 }, (_, n) => DIGITS[Number((hash >> BigInt(5 * n + 14)) & 31n)]).join('')
}

interface NewBill {
  readonly kind: InvoiceRecord['kind']
  readonly subscription_id: string | null
  readonly lines: MoneyLine[]
  /** Cents that were collected. */
  readonly paid: number
  readonly state: InvoiceRecord['state']
}

/** Writes a bill with the next number of the account. */
export function addBill(book: Book, entry: number, bill: NewBill, now: number): InvoiceRecord {
  const number = `${accountNumber(book.account)}-${book.next('invoices')}`
  const subtotal = bill.lines.reduce((sum, { amount }) => sum + amount, 0)
  const tax = bill.lines.reduce((sum, line) => sum + line.tax, 0)
  const total = subtotal + tax
  const balance_used = bill.state === 'paid' ? Math.max(0, total - bill.paid) : 0
  const record: InvoiceRecord = {
    ...{ ...bill, bill: number, at: now, subtotal, tax, total, balance_used },
    ...{ paid_at: bill.state === 'paid' ? now : null, method: null, refers_to: null, refunded: 0, buyer: [] },
  }
  book.put(entry, 'invoice', number, record)
  tellBill(book, record, now)
  return record
}

/** All bills, the newest first. */
export function bills(book: Book): InvoiceRecord[] {
  const numberOf = ({ bill }: InvoiceRecord) => Number(bill.split('-')[1])
  return book.all('invoice').sort((a, b) => numberOf(b) - numberOf(a))
}
