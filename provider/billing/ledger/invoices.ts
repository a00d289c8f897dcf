import type { MoneyLine } from '../../../contract/billing/purchase.ts'
import type { LedgerStore } from './ledger-store.ts'
import type { InvoiceRecord, MethodRecord } from './record-schemas.ts'
import { findDefaultMethod } from './subscription-rules.ts'
import { queueInvoiceNotification } from './notify-plan-changes.ts'

const BASE32_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns ten characters, derived from the account id, that identify the account on its invoices. */
export function deriveAccountNumber(account: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(account))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return Array.from({ length: 10 }, (_, n) => BASE32_DIGITS[Number((hash >> BigInt(5 * n + 14)) & 31n)]).join('')
}

type InvoiceMethod = Pick<MethodRecord, 'brand' | 'last_four' | 'name'> & Partial<Pick<MethodRecord, 'address'>>

interface NewInvoice {
  readonly kind: InvoiceRecord['kind']
  readonly subscription_id: string | null
  readonly lines: MoneyLine[]
  /** Cents collected from the payment method; below 0 if they are refunded to it. */
  readonly paid: number
  readonly state: InvoiceRecord['state']
  /** Payment method that was charged or is refunded; omitted or null: none. */
  readonly method?: InvoiceMethod | null
  /** Number of the invoice that a credit note refers to; omitted or null: the subscription's last invoice. */
  readonly refers_to?: string | null
  /** For a credit note: cents refunded to the payment method. The rest goes to the balance. */
  readonly refunded?: number
}

/**
 * Writes an invoice or credit note with the account's next number. Must run in the transaction of `entry`, so that no
 * number is used up without an invoice.
 */
export function addInvoice(store: LedgerStore, entry: number, invoice: NewInvoice, now: number): InvoiceRecord {
  const number = `${deriveAccountNumber(store.account)}-${store.incrementCounter('invoices')}`
  const { kind, subscription_id, lines, paid, state, method = null, refunded = 0 } = invoice
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  const tax = lines.reduce((sum, line) => sum + line.tax, 0)
  const total = subtotal + tax
  const record: InvoiceRecord = {
    bill: number,
    kind,
    at: now,
    subscription_id,
    lines,
    currency: store.currency,
    subtotal,
    tax,
    total,
    paid,
    state,
    balance_used: state === 'paid' ? Math.max(0, total - paid) : 0,
    paid_at: state === 'paid' && total > 0 ? now : null,
    method: toInvoiceMethod(method),
    refers_to: kind === 'credit_note' ? (invoice.refers_to ?? findLastInvoice(store, subscription_id)) : null,
    refunded,
    refund_retried: false,
    buyer: getBuyerAddress(store, method),
  }
  store.put(entry, 'invoice', number, record)
  queueInvoiceNotification(store, record, now)
  return record
}

/** Marks an open invoice as paid. `paid`: cents collected from `method`; the balance paid the rest. */
export function markInvoicePaid(
  store: LedgerStore,
  entry: number,
  openInvoice: InvoiceRecord,
  { paid, method }: { paid: number; method: InvoiceMethod | null },
  now: number,
): InvoiceRecord {
  const balance_used = openInvoice.total - paid
  const record = {
    ...openInvoice,
    state: 'paid' as const,
    paid,
    balance_used,
    paid_at: now,
    method: toInvoiceMethod(method),
  }
  store.put(entry, 'invoice', openInvoice.bill, record)
  queueInvoiceNotification(store, record, now)
  return record
}

const toInvoiceMethod = (method: InvoiceMethod | null): InvoiceRecord['method'] =>
  method && { brand: method.brand, last_four: method.last_four, name: method.name }

/**
 * Returns the billing address for a new invoice: the address of `method`, else of the default method. The invoice keeps
 * this address even if the card is replaced.
 */
const getBuyerAddress = (store: LedgerStore, method: InvoiceMethod | null): string[] =>
  [method?.address, findDefaultMethod(store)?.address].find((lines) => lines && lines.length > 0)?.slice() ?? []

function findLastInvoice(store: LedgerStore, subscriptionId: string | null): string | null {
  const subscriptionInvoices = listInvoices(store).filter(
    ({ kind, subscription_id }) => kind === 'invoice' && subscription_id === subscriptionId,
  )
  return subscriptionInvoices[0]?.bill ?? null
}

/** Returns all invoices and credit notes, newest first. */
export function listInvoices(store: LedgerStore): InvoiceRecord[] {
  const getInvoiceNumber = ({ bill }: InvoiceRecord) => Number(bill.split('-')[1])
  return store.listRecords('invoice').sort((a, b) => getInvoiceNumber(b) - getInvoiceNumber(a))
}
