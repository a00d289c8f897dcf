import { describe, expect, test } from 'vitest'
import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { createInvoiceTable } from '../../../../src/domain/copy/invoice-csv.ts'
import {
  getInvoiceUrl,
  invoiceMethodName,
  filterInvoicesByYear,
  invoiceStatusLabel,
  invoiceSubject,
  listInvoiceYears,
  collectedCents,
  formatPaidWith,
} from '../../../../src/domain/copy/invoice-status.ts'
import { accountLabel, createLedgerTable, entryLabel } from '../../../../src/domain/copy/statement.ts'
import { toCsv } from '../../../../contract/wire/csv.ts'
import { invoiceLine, isTaxedAt, listSettlementRows, formatTaxSum } from '../../../../src/domain/copy/invoice-lines.ts'
import { INVOICE_TIME, createCreditNote, createInvoice, createMoneyLine } from '../../../support/bills.ts'
import { areDistinct, extractFacts, announcesRefund } from '../../../support/facts.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

describe('invoice state', () => {
  test.each<[string, Partial<Invoice>, string]>([
    ['paid on the invoice date', {}, 'Paid'],
    ['paid, without a stored payment date', { paid_at: null }, 'Paid'],
    ['open', { state: 'open', paid_at: null }, 'Open'],
    ['voided before payment', { state: 'void', paid_at: null }, 'Voided'],
    ['with a negative total', { total: -10, paid_at: null }, 'Credited'],
    ['refunded to a card', { kind: 'credit_note', total: -65, refunded: 65 }, 'Refunded'],
    ['credited to the balance', { kind: 'credit_note', total: -65 }, 'Credited'],
    ['that voids an unpaid invoice', { kind: 'credit_note', state: 'void' }, 'Voided'],
  ])('%s', (_, change, text) => {
    expect(invoiceStatusLabel(createInvoice(change)).text).toBe(text)
  })

  test('paid late shows the date, as an error', () => {
    const late = [1, 200].map((days) => invoiceStatusLabel(createInvoice({ paid_at: INVOICE_TIME + days * DAY_MS })))
    expect(late.map(({ text, tone }) => [extractFacts(text), tone])).toEqual([
      [['9 Aug'], 'error'],
      [['24 Feb 2027'], 'error'],
    ])
  })
})

describe('invoice subject', () => {
  test.each<[Invoice, string[]]>([
    [createInvoice(), ['Camera AI', '3', 'monthly']],
    [
      createInvoice({ lines: [createMoneyLine({ sku: 'unlimited', period: 'annual', quantity: 1 })] }),
      ['Unlimited Cameras', 'annual'],
    ],
    [
      createInvoice({ lines: [createMoneyLine({ kind: 'unused', to: INVOICE_TIME + DAY_MS })] }),
      ['credit', 'Camera AI', '1 day'],
    ],
    [createInvoice({ state: 'void', kind: 'credit_note' }), ['Camera AI', '3', 'monthly']],
    [createCreditNote(), ['refund', 'Camera AI', '6 days']],
    [createCreditNote({ refunded: 0 }), ['credit', 'Camera AI', '6 days']],
    [createCreditNote({ lines: [] }), ['credit']],
    [createInvoice({ lines: [] }), []],
  ])('%#', (bill, facts) => {
    expect(extractFacts(invoiceSubject(bill), 'monthly', 'annual', 'refund', 'credit')).toEqual(facts)
  })

  test('of an unpaid invoice differs from what was sold', () => {
    expect(
      areDistinct([createInvoice(), createInvoice({ state: 'void', kind: 'credit_note' })].map(invoiceSubject)),
    ).toBe(true)
  })
})

describe('payment method of an invoice', () => {
  test.each<[Invoice, string]>([
    [createInvoice(), 'Visa ·· 4242'],
    [createInvoice({ paid: 900, balance_used: 71 }), 'Visa ·· 4242 and balance'],
    [createInvoice({ paid: 0, balance_used: 971, method: null }), 'Balance'],
    [createInvoice({ method: { brand: 'wallet', last_four: '', name: 'maya' } }), 'Wallet'],
    [createInvoice({ method: null }), 'Card'],
    [createInvoice({ total: 0, paid: 0, method: null }), 'No payment'],
    [createInvoice({ state: 'open', paid: 0, method: null }), 'Not paid yet'],
    [createInvoice({ state: 'void', paid: 0, method: null }), 'No payment'],
    [createCreditNote(), 'Visa ·· 4242'],
    [createCreditNote({ refunded: 40 }), 'Visa ·· 4242 and balance'],
    [createCreditNote({ refunded: 0, method: null }), 'Balance'],
  ])('%#', (bill, text) => {
    expect(formatPaidWith(bill)).toBe(text)
  })

  test('with an unknown brand is a card', () => {
    expect(invoiceMethodName({ brand: 'new', last_four: '1', name: '' })).toBe('Card ·· 1')
    expect(invoiceMethodName(null)).toBe('')
  })
})

describe('invoice list', () => {
  const before = createInvoice({ bill: 'A-1', at: Date.UTC(2025, 5, 1, 12) })
  const open = createInvoice({ bill: 'A-2', state: 'open', paid: 0 })
  const all = [createCreditNote(), createInvoice(), open, before]

  test('lists the billed years and shows one of them or all, open invoices first', () => {
    expect(listInvoiceYears(all)).toEqual([2026, 2025])
    expect(filterInvoicesByYear(all, 2025)).toEqual([before])
    expect(filterInvoicesByYear(all, null).map(({ bill }) => bill)).toEqual([
      'A-2',
      'ABCDEFGHJK-8',
      'ABCDEFGHJK-7',
      'A-1',
    ])
  })

  test('totals charges minus refunds', () => {
    expect(all.reduce((sum, bill) => sum + collectedCents(bill), 0)).toBe(971 - 65 + 971)
  })

  test('links each invoice to its page', () => {
    expect(getInvoiceUrl({ bill: 'A B-1' })).toBe('/account/billing/invoice?bill=A%20B-1')
  })

  test('BILLING-02 exports a table with two decimals that no program treats as a formula', () => {
    const [head = [], first = [], second = []] = createInvoiceTable([createInvoice({ total: 970 }), createCreditNote()])
    const cell = (row: readonly string[], name: string) => row[head.indexOf(name)]
    expect(head.length).toBe(first.length)
    expect([cell(first, 'Total'), cell(first, 'Number'), cell(first, 'Type')]).toEqual([
      '9.70',
      'ABCDEFGHJK-7',
      'Invoice',
    ])
    expect([cell(second, 'Total'), cell(second, 'Refunded'), cell(second, 'Original invoice')]).toEqual([
      '-0.65',
      '0.65',
      'ABCDEFGHJK-7',
    ])
    expect(toCsv([second])).toContain(',-0.65,')
  })
})

describe('printed invoice', () => {
  test('shows for each line item what it pays for, the days and the quantity', () => {
    const describeLine = (change: Parameters<typeof createMoneyLine>[0]) => {
      const { title, words, count } = invoiceLine(createMoneyLine(change), 'USD')
      return [extractFacts(title, 'monthly', 'credit', 'TEN'), extractFacts(words, 'month', 'year'), count]
    }
    const month = ['8 Aug 2026', '8 Sep 2026']
    expect(describeLine({})).toEqual([['Camera AI', 'monthly'], ['3', '$2.99', ...month], '3'])
    const unlimited = describeLine({ sku: 'unlimited', quantity: 1, unit: 999 })
    expect(unlimited).toEqual([['Unlimited Cameras', 'monthly'], month, '1'])
    const coupon = { kind: 'coupon', code: 'TEN' } as const
    expect(describeLine({ ...coupon, percent: 10, amount: -90 })).toEqual([['TEN'], ['10%', 'month'], ''])
    expect(describeLine({ ...coupon, amount: -100, period: 'annual' })[1]).toEqual(['$1.00', 'year'])
    expect(describeLine(createCreditNote().lines[0])).toEqual([
      ['credit', 'Camera AI'],
      ['1', '$2.99', '8 Aug 2026', '14 Aug 2026', '6 days'],
      '',
    ])
    expect(describeLine({ unit: -299, amount: -897 })[0]).toEqual(['credit', 'Camera AI', 'monthly'])
  })

  test('names the tax rate only if it gives every tax exactly', () => {
    const plan = createMoneyLine({ amount: 9999, tax: 825 })
    const coupon = createMoneyLine({ kind: 'coupon', amount: -2002, tax: -165 })
    const unused = createMoneyLine({ kind: 'unused', amount: -478, tax: -39 })
    // The discount of 20.02 alone would have a tax of 1.65165, and the discounted plan has one of 6.597525.
    expect(isTaxedAt([plan, coupon, unused], 825)).toBe(true)
    expect(isTaxedAt([plan, { ...coupon, tax: -166 }, unused], 825)).toBe(false)
    expect(isTaxedAt([plan, coupon, { ...unused, tax: -40 }], 825)).toBe(false)
    expect([isTaxedAt([plan], 800), isTaxedAt(createCreditNote().lines, 825)]).toEqual([false, true])
    expect([isTaxedAt([], 825), isTaxedAt([createMoneyLine({ tax: 0 })], 0)]).toEqual([false, false])
  })

  test('adds up the tax of its lines if one line does not show it all', () => {
    expect(formatTaxSum([createMoneyLine()])).toBe('')
    expect(formatTaxSum([{ tax: 825 }, { tax: -165 }, { tax: 0 }, { tax: -39 }])).toBe('8.25 \u2212 1.65 \u2212 0.39')
    expect(formatTaxSum([{ tax: -5 }, { tax: 7 }])).toBe('\u22120.05 + 0.07')
    expect(formatTaxSum(Array.from({ length: 7 }, () => ({ tax: 1 })))).toBe('')
  })

  test.each<[string, Invoice, [string[], number][]]>([
    [
      'was paid',
      createInvoice(),
      [
        [['8 Aug 2026', 'Visa ·· 4242'], -971],
        [['balance'], 0],
      ],
    ],
    [
      'was partly paid from the balance',
      createInvoice({ paid: 900, balance_used: 71 }),
      [
        [['balance', '8 Aug 2026'], -71],
        [['8 Aug 2026', 'Visa ·· 4242'], -900],
        [['balance'], 0],
      ],
    ],
    ['is open', createInvoice({ state: 'open', paid: 0, paid_at: null }), [[['balance'], 971]]],
    ['was voided', createInvoice({ state: 'void', paid: 0 }), [[[], 0]]],
    ['is a refund', createCreditNote(), [[['Visa ·· 4242'], 65]]],
    ['is a credit to the balance', createCreditNote({ refunded: 0 }), [[['balance'], 65]]],
    [
      'is a refund and a credit',
      createCreditNote({ refunded: 60 }),
      [
        [['Visa ·· 4242'], 60],
        [['balance'], 5],
      ],
    ],
    ['voids an unpaid invoice', createCreditNote({ refunded: 0, state: 'void' }), [[[], 65]]],
  ])('that %s shows its outcome', (_, bill, rows) => {
    expect(listSettlementRows(bill).map(({ title, cents }) => [extractFacts(title, 'balance'), cents])).toEqual(rows)
  })

  test('distinguishes refunds from payments, and open amounts from voided ones', () => {
    const titles = [createInvoice(), createCreditNote()].map((bill) => listSettlementRows(bill)[0]?.title ?? '')
    expect(titles.map(announcesRefund)).toEqual([false, true])
    const none = [createInvoice(), createInvoice({ state: 'void', paid: 0 })].map(
      (bill) => listSettlementRows(bill).at(-1)?.title ?? '',
    )
    expect(areDistinct(none)).toBe(true)
  })
})

describe('account statement', () => {
  test('uses plain labels, and shows unknown names unchanged', () => {
    expect([entryLabel({ kind: 'purchase' }), entryLabel({ kind: 'some_thing' })]).toEqual(['Purchase', 'Some thing'])
    const names = ['cash', 'revenue:cam-ai', 'revenue:new', 'balance'].map(accountLabel)
    expect(names.map((name) => extractFacts(name, 'revenue:new', 'balance'))).toEqual([
      [],
      ['Camera AI'],
      ['revenue:new'],
      ['balance'],
    ])
    expect([names[0], names[0] === 'cash']).toEqual([expect.stringMatching(/./), false])
  })

  test('exports a table with one row per posting', () => {
    const postings = [
      { account: 'cash', cents: 971 },
      { account: 'tax', cents: -971 },
    ]
    expect(
      createLedgerTable([{ entry: 4, at: INVOICE_TIME, kind: 'renewal', subject: 'sub_1', bill: '', postings }]).slice(
        1,
      ),
    ).toEqual([
      ['2026-08-08T12:00:00.000Z', '4', 'Renewal', 'sub_1', 'cash', '9.71'],
      ['2026-08-08T12:00:00.000Z', '4', 'Renewal', 'sub_1', 'tax', '-9.71'],
    ])
  })
})
