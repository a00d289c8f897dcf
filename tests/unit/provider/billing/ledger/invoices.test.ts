import { describe, expect, test } from 'vitest'
import { applyCoupon as spend } from '../../../../../provider/billing/ledger/redemption.ts'
import { deriveAccountNumber, listInvoices } from '../../../../../provider/billing/ledger/invoices.ts'
import { addMethod, setDefaultPaymentMethod } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { importSubscriptions } from '../../../../../provider/billing/ledger/legacy-import.ts'
import { readStatementPage } from '../../../../../provider/billing/ledger/statement.ts'
import type { InvoiceRecord } from '../../../../../provider/billing/ledger/record-schemas.ts'
import { TEST_GATEWAY_METHOD, openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const VISA = { brand: 'visa', last_four: '4242', name: '' }
const getPeriodEnd = (testLedger: TestLedger) => listSubscriptions(testLedger).find(({ over }) => !over)?.until ?? 0
const redeemFreeMonths = ({ book, context }: TestLedger, now: number) => {
  const use = { code: 'GIFT', kind: 'free_months', sku: 'unlimited', value: 1 } as const
  book.transaction(() => spend(context, use, 'intent', now))
}
/** Runs the alarm once per day. The ledger waives a billing period in which the alarm never runs. */
async function runDailyAlarms({ billingService }: TestLedger, from: number, days: number): Promise<void> {
  for (let day = 0; day <= days; day += 1) await billingService.processDue(from + day * DAY_MS)
}
const parseInvoiceNumber = ({ bill }: InvoiceRecord) => Number(bill.split('-')[1])

/**
 * Creates a ledger with invoices and credit notes from different causes: purchases, a plan change, renewals, a decline
 * with a later payment, a coupon for free months, and a void.
 */
async function createAllInvoiceKinds(): Promise<TestLedger> {
  const testLedger = openTestLedger({ now: NOW_MS })
  const discountOptions = { discount: { code: 'TEN', kind: 'percent' as const, value: 10 } }
  await buyPlan(testLedger, cameraAiSelection(3), NOW_MS, discountOptions)
  await buyPlan(testLedger, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW_MS + DAY_MS)
  await buyPlan(testLedger, { sku: 'unlimited', period: 'monthly', quantity: 1 }, NOW_MS + 5 * DAY_MS)
  await runDailyAlarms(testLedger, NOW_MS + 5 * DAY_MS, 35)
  const end = getPeriodEnd(testLedger)
  testLedger.gateway.faults = ['declined']
  await testLedger.billingService.processDue(end)
  await testLedger.billingService.processDue(end + DAY_MS)
  redeemFreeMonths(testLedger, end + 3 * DAY_MS)
  testLedger.gateway.faults = Array.from({ length: 40 }, () => 'declined' as const)
  await runDailyAlarms(testLedger, end + 3 * DAY_MS, 87)
  return testLedger
}

describe('invoice numbers', () => {
  test('have no gaps or duplicates, whatever created them, and include credit notes', async () => {
    const testLedger = await createAllInvoiceKinds()
    const all = listInvoices(testLedger.book)
    const numbers = all.map(parseInvoiceNumber)
    expect(numbers).toEqual(Array.from({ length: all.length }, (_, n) => all.length - n))
    expect(all.every(({ bill }) => bill.startsWith(`${deriveAccountNumber(testLedger.book.account)}-`))).toBe(true)
    const creationTimes = all.toReversed().map(({ at }) => at)
    expect(creationTimes).toEqual(creationTimes.toSorted((a, b) => a - b))
    const kinds = all.map(({ kind, state }) => `${kind} ${state}`)
    expect(kinds).toEqual(
      expect.arrayContaining(['invoice paid', 'invoice void', 'credit_note paid', 'credit_note void']),
    )
    expectBalancedLedger(testLedger)
  })

  test('are not used up by a transaction that fails', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const { book } = testLedger
    const failInTransaction = () =>
      book.transaction(() => {
        book.incrementCounter('invoices')
        throw new Error('killed')
      })
    expect(failInTransaction).toThrow('killed')
    await testLedger.billingService.processDue(getPeriodEnd(testLedger))
    expect(listInvoices(book).map(parseInvoiceNumber)).toEqual([2, 1])
  })
})

describe('a credit note', () => {
  test('names the invoice that it refunds, of the same plan', async () => {
    const testLedger = await createAllInvoiceKinds()
    const all = listInvoices(testLedger.book)
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
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    await buyPlan(testLedger, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW_MS + DAY_MS)
    redeemFreeMonths(testLedger, NOW_MS + 2 * DAY_MS)
    const [note, , first] = listInvoices(testLedger.book)
    expect(note).toMatchObject({ kind: 'credit_note', refers_to: first?.bill })
  })

  test('of an unpaid invoice voids exactly that one', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = Array.from({ length: 9 }, () => 'declined' as const)
    await runDailyAlarms(testLedger, NOW_MS, 90)
    const [note, open] = listInvoices(testLedger.book)
    expect(note).toMatchObject({ kind: 'credit_note', refers_to: open?.bill, total: 0 - (open?.total ?? 0) })
    expect(open).toMatchObject({ state: 'void', paid: 0, paid_at: null, method: null })
  })
})

describe('an invoice', () => {
  test('states when and how it was paid, and keeps the address of that day', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const { book, context } = testLedger
    expect(listInvoices(book)[0]).toMatchObject({
      paid_at: NOW_MS,
      method: VISA,
      buyer: TEST_GATEWAY_METHOD.address,
    })
    const other = {
      ...TEST_GATEWAY_METHOD,
      token: 'token_2',
      brand: 'mastercard',
      last_four: '4444',
      address: ['2 Hill', 'Elko'],
    }
    const { method_id } = book.transaction(() => addMethod(context, 'session_2', other, NOW_MS))
    book.transaction(() => setDefaultPaymentMethod(book, method_id, NOW_MS))
    const end = getPeriodEnd(testLedger)
    await testLedger.billingService.processDue(end)
    const [renewal, first] = listInvoices(book)
    expect(renewal).toMatchObject({ paid_at: end, method: { brand: 'mastercard' }, buyer: ['2 Hill', 'Elko'] })
    expect(first?.buyer).toEqual(TEST_GATEWAY_METHOD.address)
  })

  test('that was declined shows its later payment date', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const end = getPeriodEnd(testLedger)
    testLedger.gateway.faults = ['declined']
    await testLedger.billingService.processDue(end)
    expect(listInvoices(testLedger.book)[0]).toMatchObject({
      state: 'open',
      at: end,
      paid_at: null,
      method: null,
      paid: 0,
    })
    await testLedger.billingService.processDue(end + DAY_MS)
    expect(listInvoices(testLedger.book)).toHaveLength(2)
    expect(listInvoices(testLedger.book)[0]).toMatchObject({
      state: 'paid',
      at: end,
      paid_at: end + DAY_MS,
      method: VISA,
      paid: 324,
    })
  })

  test('that the balance pays names no payment method', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { book, context } = testLedger
    book.transaction(() => spend(context, { code: 'GIFT', kind: 'credit', sku: null, value: 5000 }, 'intent', NOW_MS))
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    expect(listInvoices(book)[0]).toMatchObject({ paid: 0, balance_used: 324, method: null, paid_at: NOW_MS })
  })

  test('from before there was a card names no buyer', () => {
    const testLedger = openTestLedger({ card: false, now: NOW_MS })
    const opening = { subscription_id: 's', sku: 'cam-ai', channel: 'web', status: 'past_due', quantity: 1 } as const
    const until = {
      period: 'monthly',
      billing_provider: 'card',
      renews_at: NOW_MS + 9 * DAY_MS,
      since: 0,
    } as const
    testLedger.book.transaction(() => importSubscriptions(testLedger.context, [{ ...opening, ...until }], [], NOW_MS))
    expect(listInvoices(testLedger.book)).toMatchObject([{ state: 'open', buyer: [], method: null, paid_at: null }])
  })

  test('that was stored before these fields existed can still be read', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const [{ paid_at: _, method: _m, refers_to: _r, refunded: _f, buyer: _b, ...old } = { bill: '' }] = listInvoices(
      testLedger.book,
    )
    testLedger.book.sql.exec("UPDATE records SET body = ? WHERE kind = 'invoice'", JSON.stringify(old))
    expect(listInvoices(testLedger.book)).toEqual([
      { ...old, paid_at: null, method: null, refers_to: null, refunded: 0, buyer: [] },
    ])
  })
})

describe('the account statement', () => {
  test('is paged: each entry sums to 0, and all entries sum to the account balances', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
    const { book } = testLedger
    const credit = (n: number) => ({ code: `GIFT${n}`, kind: 'credit', sku: null, value: 1 }) as const
    book.transaction(() => {
      for (let n = 0; n < 450; n += 1) spend(testLedger.context, credit(n), `intent ${n}`, NOW_MS + n)
    })
    const pages = [readStatementPage(book, 0)]
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(readStatementPage(book, Number(next)))
    expect(pages.map(({ entries }) => entries.length)).toEqual([200, 200, 51])
    const entries = pages.flatMap((page) => page.entries)
    expect(entries.map(({ entry }) => entry)).toEqual(entries.map(({ entry }) => entry).toSorted((a, b) => a - b))
    expect(entries[0]).toMatchObject({ kind: 'purchase', at: NOW_MS, bill: listInvoices(book).at(-1)?.bill })
    expect(entries.at(-1)).toMatchObject({ kind: 'credit', bill: '' })
    const sums = new Map<string, number>()
    for (const { postings } of entries) {
      expect(postings.reduce((sum, { cents }) => sum + cents, 0)).toBe(0)
      for (const { account, cents } of postings) sums.set(account, (sums.get(account) ?? 0) + cents)
    }
    for (const page of pages) expect(new Map(page.sums.map(({ account, cents }) => [account, cents]))).toEqual(sums)
  })

  test('of an account without money is empty', () => {
    expect(readStatementPage(openTestLedger({ now: NOW_MS }).book, 0)).toEqual({
      entries: [],
      sums: [],
      next: null,
    })
  })
})
