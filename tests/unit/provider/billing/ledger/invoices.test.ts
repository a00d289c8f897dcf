import { describe, expect, test } from 'vitest'
import { applyCoupon as spend } from '../../../../../provider/billing/ledger/redemption.ts'
import { deriveAccountNumber, bills } from '../../../../../provider/billing/ledger/invoices.ts'
import { addMethod, setDefaultPaymentMethod } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { addOpenings } from '../../../../../provider/billing/ledger/legacy-import.ts'
import { ownBook } from '../../../../../provider/billing/ledger/statement.ts'
import type { InvoiceRecord } from '../../../../../provider/billing/ledger/record-schemas.ts'
import { CARD, openBook, type TestBook } from '../../../../support/book.ts'
import { buy, mustBalance, NOW, listSubscriptions, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const VISA = { brand: 'visa', last_four: '4242', name: '' }
const getPeriodEnd = (town: TestBook) => listSubscriptions(town).find(({ over }) => !over)?.until ?? 0
const giveFreeMonths = ({ book, ctx }: TestBook, now: number) => {
  const use = { code: 'GIFT', kind: 'free_months', sku: 'unlimited', value: 1 } as const
  book.transaction(() => spend(ctx, use, 'intent', now))
}
/** Runs the alarm once a day, because the ledger waives a billing period in which the alarm never runs. */
async function pass({ till }: TestBook, from: number, days: number): Promise<void> {
  for (let day = 0; day <= days; day += 1) await till.due(from + day * DAY_MS)
}
const parseInvoiceNumber = ({ bill }: InvoiceRecord) => Number(bill.split('-')[1])

/**
 * Covers every cause of an invoice or credit note: purchase, plan change, renewal, decline with later payment, credit,
 * and void.
 */
async function everything(): Promise<TestBook> {
  const town = openBook({ now: NOW })
  const trial = { discount: { code: 'TEN', kind: 'percent' as const, value: 10 } }
  await buy(town, T1(3), NOW, trial)
  await buy(town, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW + DAY_MS)
  await buy(town, { sku: 'unlimited', period: 'monthly', quantity: 1 }, NOW + 5 * DAY_MS)
  await pass(town, NOW + 5 * DAY_MS, 35)
  const end = getPeriodEnd(town)
  town.gateway.faults = ['declined']
  await town.till.due(end)
  await town.till.due(end + DAY_MS)
  giveFreeMonths(town, end + 3 * DAY_MS)
  town.gateway.faults = Array.from({ length: 40 }, () => 'declined' as const)
  await pass(town, end + 3 * DAY_MS, 87)
  return town
}

describe('invoice numbers', () => {
  test('have no gaps or duplicates, whatever created them, and include credit notes', async () => {
    const town = await everything()
    const all = bills(town.book)
    const numbers = all.map(parseInvoiceNumber)
    expect(numbers).toEqual(Array.from({ length: all.length }, (_, n) => all.length - n))
    expect(all.every(({ bill }) => bill.startsWith(`${deriveAccountNumber(town.book.account)}-`))).toBe(true)
    const inTime = all.toReversed().map(({ at }) => at)
    expect(inTime).toEqual(inTime.toSorted((a, b) => a - b))
    const kinds = all.map(({ kind, state }) => `${kind} ${state}`)
    expect(kinds).toEqual(
      expect.arrayContaining(['invoice paid', 'invoice void', 'credit_note paid', 'credit_note void']),
    )
    mustBalance(town)
  })

  test('are not used up by a transaction that fails', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const { book } = town
    const half = () =>
      book.transaction(() => {
        book.next('invoices')
        throw new Error('killed')
      })
    expect(half).toThrow('killed')
    await town.till.due(getPeriodEnd(town))
    expect(bills(book).map(parseInvoiceNumber)).toEqual([2, 1])
  })
})

describe('a credit note', () => {
  test('names the invoice that it refunds, of the same plan', async () => {
    const town = await everything()
    const all = bills(town.book)
    const notes = all.filter(({ kind }) => kind === 'credit_note')
    expect(notes.length).toBeGreaterThanOrEqual(2)
    for (const { refers_to, subscription_id, bill, refunded } of notes) {
      const invoice = all.find((candidate) => candidate.bill === refers_to)
      expect(invoice).toMatchObject({ kind: 'invoice', subscription_id })
      expect(Number(refers_to?.split('-')[1])).toBeLessThan(Number(bill.split('-')[1]))
      expect(refunded).toBe(0)
    }
    expect(all.filter(({ kind }) => kind === 'invoice').every(({ refers_to }) => refers_to === null)).toBe(true)
  })

  test('names no later invoice of another plan', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    await buy(town, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW + DAY_MS)
    giveFreeMonths(town, NOW + 2 * DAY_MS)
    const [note, , first] = bills(town.book)
    expect(note).toMatchObject({ kind: 'credit_note', refers_to: first?.bill })
  })

  test('of an unpaid invoice voids exactly that one', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    town.gateway.faults = Array.from({ length: 9 }, () => 'declined' as const)
    await pass(town, NOW, 90)
    const [note, open] = bills(town.book)
    expect(note).toMatchObject({ kind: 'credit_note', refers_to: open?.bill, total: 0 - (open?.total ?? 0) })
    expect(open).toMatchObject({ state: 'void', paid: 0, paid_at: null, method: null })
  })
})

describe('an invoice', () => {
  test('states when and how it was paid, and keeps the address of that day', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const { book, ctx } = town
    expect(bills(book)[0]).toMatchObject({ paid_at: NOW, method: VISA, buyer: CARD.address })
    const other = { ...CARD, token: 'token_2', brand: 'mastercard', last_four: '4444', address: ['2 Hill', 'Elko'] }
    const { method_id } = book.transaction(() => addMethod(ctx, 'session_2', other, NOW))
    book.transaction(() => setDefaultPaymentMethod(book, method_id, NOW))
    const end = getPeriodEnd(town)
    await town.till.due(end)
    const [renewal, first] = bills(book)
    expect(renewal).toMatchObject({ paid_at: end, method: { brand: 'mastercard' }, buyer: ['2 Hill', 'Elko'] })
    expect(first?.buyer).toEqual(CARD.address)
  })

  test('that was declined shows its later payment date', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const end = getPeriodEnd(town)
    town.gateway.faults = ['declined']
    await town.till.due(end)
    expect(bills(town.book)[0]).toMatchObject({ state: 'open', at: end, paid_at: null, method: null, paid: 0 })
    await town.till.due(end + DAY_MS)
    expect(bills(town.book)).toHaveLength(2)
    expect(bills(town.book)[0]).toMatchObject({
      state: 'paid',
      at: end,
      paid_at: end + DAY_MS,
      method: VISA,
      paid: 324,
    })
  })

  test('that the balance pays names no payment method', async () => {
    const town = openBook({ now: NOW })
    const { book, ctx } = town
    book.transaction(() => spend(ctx, { code: 'GIFT', kind: 'credit', sku: null, value: 5000 }, 'intent', NOW))
    await buy(town, T1(), NOW)
    expect(bills(book)[0]).toMatchObject({ paid: 0, balance_used: 324, method: null, paid_at: NOW })
  })

  test('from before there was a card names no buyer', () => {
    const town = openBook({ card: false, now: NOW })
    const opening = { subscription_id: 's', sku: 'cam-ai', channel: 'web', status: 'past_due', quantity: 1 } as const
    const until = { period: 'monthly', billing_provider: 'card', renews_at: NOW + 9 * DAY_MS, since: 0 } as const
    town.book.transaction(() => addOpenings(town.ctx, [{ ...opening, ...until }], [], NOW))
    expect(bills(town.book)).toMatchObject([{ state: 'open', buyer: [], method: null, paid_at: null }])
  })

  test('that was stored before these fields existed can still be read', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const [{ paid_at: _, method: _m, refers_to: _r, refunded: _f, buyer: _b, ...old } = { bill: '' }] = bills(town.book)
    town.book.sql.exec("UPDATE records SET body = ? WHERE kind = 'invoice'", JSON.stringify(old))
    expect(bills(town.book)).toEqual([{ ...old, paid_at: null, method: null, refers_to: null, refunded: 0, buyer: [] }])
  })
})

describe('the account statement', () => {
  test('is paged: each entry sums to 0, and all entries sum to the account balances', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T2, NOW)
    const { book } = town
    const credit = (n: number) => ({ code: `GIFT${n}`, kind: 'credit', sku: null, value: 1 }) as const
    book.transaction(() => {
      for (let n = 0; n < 450; n += 1) spend(town.ctx, credit(n), `intent ${n}`, NOW + n)
    })
    const pages = [ownBook(book, 0)]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(ownBook(book, Number(next)))
    expect(pages.map(({ entries }) => entries.length)).toEqual([200, 200, 51])
    const entries = pages.flatMap((page) => page.entries)
    expect(entries.map(({ entry }) => entry)).toEqual(entries.map(({ entry }) => entry).toSorted((a, b) => a - b))
    expect(entries[0]).toMatchObject({ kind: 'purchase', at: NOW })
    const sums = new Map<string, number>()
    for (const { postings } of entries) {
      expect(postings.reduce((sum, { cents }) => sum + cents, 0)).toBe(0)
      for (const { account, cents } of postings) sums.set(account, (sums.get(account) ?? 0) + cents)
    }
    for (const page of pages) expect(new Map(page.sums.map(({ account, cents }) => [account, cents]))).toEqual(sums)
  })

  test('of an account without money is empty', () => {
    expect(ownBook(openBook({ now: NOW }).book, 0)).toEqual({ entries: [], sums: [], next: null })
  })
})
