import { expect } from 'vitest'
import type { MoneyLine, Quote } from '../../contract/purchase.ts'
import { auditOf } from '../../provider/ledger/audit.ts'
import type { InvoiceRecord } from '../../provider/ledger/records.ts'
import { unusedOf } from '../../provider/money/proration.ts'
import type { TestBook } from './book.ts'

interface Played {
  readonly town: TestBook
  /** What was asked to be paid, by intent. */
  readonly quotes: ReadonlyMap<string, Quote>
}

const sum = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)

/** Nothing is lost and nothing is made, whatever has happened. */
export async function mustBeRight({ town, quotes }: Played): Promise<void> {
  const { book, ctx, gateway } = town
  const audit = auditOf(ctx)
  expect([audit.crooked, audit.strayed]).toEqual([[], []])
  const totals = book.sql.exec<{ sum: number }>('SELECT coalesce(sum(cents), 0) AS sum FROM postings').one()
  expect(totals.sum).toBe(0)
  expect(book.balance()).toBeGreaterThanOrEqual(0)
  for (const { what, posted, told } of audit.sums) expect([what, posted]).toEqual([what, told])
  mustAgree(audit.charges, await gateway.charges())
  const invoices = book.all('invoice')
  for (const bill of invoices) {
    expect(sum(bill.lines.map(({ amount }) => amount))).toBe(bill.subtotal)
    expect(sum(bill.lines.map(({ tax }) => tax))).toBe(bill.tax)
    expect(bill.subtotal + bill.tax).toBe(bill.total)
  }
  const orders = book.all('order')
  expect(new Set(orders.map(({ intent }) => intent)).size).toBe(orders.length)
  for (const order of orders) mustBeAsQuoted(order, quotes.get(order.intent), invoices)
  for (const { subscription_id } of book.all('subscription')) mustBeUnbroken(chainOf(invoices, subscription_id))
}

interface Charged {
  readonly key: string
  readonly cents: number
}

/** What the gateway has collected is what the book knows of, and the other way round; an answer on its way is not lost. */
function mustAgree(own: readonly (Charged & { state: string })[], collected: readonly Charged[]): void {
  const known = new Map(own.map((one) => [one.key, one]))
  for (const { key, cents } of collected) {
    expect(known.get(key)?.cents).toBe(cents)
    expect(['authorised', 'captured', 'booked']).toContain(known.get(key)?.state)
  }
  const keys = new Set(collected.map(({ key }) => key))
  for (const { key, state } of own) if (state === 'captured' || state === 'booked') expect(keys.has(key)).toBe(true)
}

function mustBeAsQuoted(
  order: { bill: string; paid: number; intent: string },
  quote: Quote | undefined,
  invoices: readonly InvoiceRecord[],
): void {
  expect(order.paid).toBe(quote?.due)
  const bill = invoices.find((one) => one.bill === order.bill)
  expect(bill?.lines ?? []).toEqual(quote?.lines)
  if (bill) expect([bill.total, bill.paid, bill.balance_used]).toEqual([quote?.total, quote?.due, quote?.balance_used])
}

interface Paid {
  readonly plan: MoneyLine
  readonly unused: MoneyLine | undefined
  readonly worth: number
  readonly state: InvoiceRecord['state']
}

/** Periods of a subscription in the order in which they were billed, those too that nobody paid in the end. */
function chainOf(invoices: readonly InvoiceRecord[], id: string): Paid[] {
  const own = invoices.filter(({ kind, subscription_id }) => kind === 'invoice' && subscription_id === id)
  own.sort((a, b) => Number(a.bill.split('-')[1]) - Number(b.bill.split('-')[1]))
  return own.flatMap(({ lines, state }) => {
    const plan = lines.find(({ kind }) => kind === 'plan')
    const worth = sum(lines.filter(({ kind }) => kind !== 'unused').map(({ amount }) => amount))
    return plan
      ? [{ plan, state, worth: state === 'paid' ? worth : 0, unused: lines.find(({ kind }) => kind === 'unused') }]
      : []
  })
}

/** Each period begins where the one before ends, or where a change has given back what was left of it. */
function mustBeUnbroken(chain: readonly Paid[]): void {
  for (const [n, { plan, unused }] of chain.entries()) {
    const before = chain[n - 1]
    if (!before || plan.from === before.plan.to) continue
    const left = unusedOf({ paid: before.worth, from: before.plan.from, until: before.plan.to }, plan.from)
    expect(0 - (unused?.amount ?? 0)).toBe(left)
  }
}
