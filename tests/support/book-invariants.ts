import { expect } from 'vitest'
import type { Quote } from '../../contract/billing/purchase.ts'
import { buildReconciliationSnapshot } from '../../provider/billing/ledger/reconciliation-snapshot.ts'
import { splitBalance } from '../../provider/billing/ledger/balance.ts'
import type { LedgerStore } from '../../provider/billing/ledger/ledger-store.ts'
import type { InvoiceRecord } from '../../provider/billing/ledger/record-schemas.ts'
import type { TestLedger } from './book.ts'
import { assertSubscriptionDates } from './book-spans.ts'

interface LedgerRun {
  readonly testLedger: TestLedger
  /** Quotes of the purchases, by idempotency key. */
  readonly quotes: ReadonlyMap<string, Quote>
}

const sum = (of: readonly number[]) => of.reduce((all, value) => all + value, 0)

/**
 * Asserts the invariants of a ledger. For example, money is neither lost nor created, orders cost what their quotes
 * say, and subscription dates follow from the entries.
 */
export async function assertLedgerInvariants({ testLedger, quotes }: LedgerRun): Promise<void> {
  const { book, context, gateway } = testLedger
  const reconciliationSnapshot = buildReconciliationSnapshot(context)
  expect([reconciliationSnapshot.crooked, reconciliationSnapshot.strayed]).toEqual([[], []])
  const totals = book.sql.exec<{ sum: number }>('SELECT coalesce(sum(cents), 0) AS sum FROM postings').one()
  expect(totals.sum).toBe(0)
  assertBalanceParts(book)
  for (const { what: label, posted, told: expected } of reconciliationSnapshot.sums)
    expect([label, posted]).toEqual([label, expected])
  assertChargesMatch(reconciliationSnapshot.charges, await gateway.charges())
  const invoices = book.listRecords('invoice')
  for (const invoice of invoices) {
    expect(sum(invoice.lines.map(({ amount }) => amount))).toBe(invoice.subtotal)
    expect(sum(invoice.lines.map(({ tax }) => tax))).toBe(invoice.tax)
    expect(invoice.subtotal + invoice.tax).toBe(invoice.total)
  }
  const orders = book.listRecords('order')
  expect(new Set(orders.map(({ intent }) => intent)).size).toBe(orders.length)
  const isRenewalPayment = (id: string) => book.get('charge', id)?.job.kind === 'renewal'
  for (const order of orders.filter(({ order_id }) => !isRenewalPayment(order_id)))
    assertOrderMatchesQuote(order, quotes.get(order.intent), invoices)
  assertSubscriptionDates(book)
  assertRenewalAttemptsAndInvoiceNumbers(testLedger)
}

function assertBalanceParts(book: LedgerStore): void {
  const { collected, promotional } = splitBalance(book)
  expect(collected + promotional).toBe(book.getBalance())
  expect(Math.min(collected, promotional)).toBeGreaterThanOrEqual(0)
  expect(collected).toBeLessThanOrEqual(book.sumPostings('cash'))
}

interface CollectedCharge {
  readonly key: string
  readonly cents: number
}

/**
 * Asserts that the ledger and the payment gateway have the same collected charges. A charge stays `authorised` in the
 * ledger if the response to its capture was lost.
 */
function assertChargesMatch(
  ledgerCharges: readonly (CollectedCharge & { state: string })[],
  collected: readonly CollectedCharge[],
): void {
  const chargesByKey = new Map(ledgerCharges.map((charge) => [charge.key, charge]))
  for (const { key, cents } of collected) {
    expect(chargesByKey.get(key)?.cents).toBe(cents)
    expect(['authorised', 'captured', 'booked']).toContain(chargesByKey.get(key)?.state)
  }
  const keys = new Set(collected.map(({ key }) => key))
  for (const { key, state } of ledgerCharges)
    if (state === 'captured' || state === 'booked') expect(keys.has(key)).toBe(true)
}

function assertOrderMatchesQuote(
  order: { bill: string; paid: number; intent: string },
  quote: Quote | undefined,
  invoices: readonly InvoiceRecord[],
): void {
  expect(order.paid).toBe(quote?.due)
  const orderInvoice = invoices.find((invoice) => invoice.bill === order.bill)
  expect(orderInvoice?.lines ?? []).toEqual(quote?.lines)
  if (orderInvoice)
    expect([orderInvoice.total, orderInvoice.paid, orderInvoice.balance_used]).toEqual([
      quote?.total,
      quote?.due,
      quote?.balance_used,
    ])
}

/**
 * Asserts that all automatic attempts to charge a renewal start within 14 days and 2 hours of the first one. Also
 * asserts that invoice numbers have no gap.
 */
function assertRenewalAttemptsAndInvoiceNumbers({ book }: TestLedger): void {
  const firstAttemptTimes = new Map<string, number>()
  for (const { job, begun_at, asked_at } of book
    .listRecords('charge')
    .sort((charge, other) => charge.begun_at - other.begun_at)) {
    if (job.kind !== 'renewal' || job.asked) continue
    const renewalKey = `${job.subscription_id} ${job.at}`
    firstAttemptTimes.set(renewalKey, firstAttemptTimes.get(renewalKey) ?? asked_at)
    expect(begun_at - (firstAttemptTimes.get(renewalKey) ?? 0)).toBeLessThanOrEqual(14 * 86_400_000 + 7_200_000)
  }
  const numbers = book.listRecords('invoice').map(({ bill }) => Number(bill.split('-')[1]))
  expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, n) => n + 1))
}
