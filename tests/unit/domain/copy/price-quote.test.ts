import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MoneyLine, Quote } from '../../../../contract/billing/purchase.ts'
import {
  computeIncludedTax,
  listChangedRowKeys,
  creditText,
  toPriceRows,
  taxTitle,
  taxText,
} from '../../../../src/domain/copy/price-quote.ts'
import { getTaskPollDelayMs } from '../../../../src/domain/billing/task-poll-delay.ts'
import { extractFacts } from '../../../support/facts.ts'

const parseDay = (day: string) => Date.parse(`${day}T15:41:00Z`)
const PLAN_LINE: MoneyLine = {
  kind: 'plan',
  sku: 'unlimited',
  period: 'annual',
  quantity: 1,
  unit: 9999,
  amount: 9999,
  tax: 825,
  from: parseDay('2026-11-22'),
  to: parseDay('2027-11-22'),
}
const COUPON_LINE: MoneyLine = {
  ...PLAN_LINE,
  kind: 'coupon',
  unit: -2000,
  amount: -2000,
  tax: -165,
  code: 'WELCOME20',
  percent: 20,
}
const UNUSED_LINE: MoneyLine = {
  kind: 'unused',
  sku: 'cam-ai',
  period: 'monthly',
  quantity: 3,
  unit: 299,
  amount: -478,
  tax: -39,
  from: parseDay('2026-11-22'),
  to: parseDay('2026-12-08'),
}
const TEST_QUOTE: Quote = {
  quote: 's',
  mode: 'update',
  change: 51,
  sku: 'unlimited',
  period: 'annual',
  quantity: 1,
  currency: 'USD',
  tax_basis_points: 825,
  as_of: parseDay('2026-11-22'),
  expires_at: parseDay('2026-11-22') + 600_000,
  starts_at: parseDay('2026-11-22'),
  is_later: false,
  is_trial: false,
  lines: [PLAN_LINE, COUPON_LINE, UNUSED_LINE],
  subtotal: 7521,
  tax: 621,
  total: 8142,
  balance_used: 0,
  balance_added: 0,
  due: 8142,
  next: null,
}

describe('price quote text', () => {
  test('explains under each line how it came about', () => {
    const rows = toPriceRows(TEST_QUOTE.lines, 'USD').map(({ title, words, amount }) => [
      extractFacts(title, 'annual', 'WELCOME20'),
      extractFacts(words, 'year'),
      amount,
    ])
    expect(rows).toEqual([
      [['Unlimited Cameras', 'annual'], ['22 Nov 2026', '22 Nov 2027'], '$99.99'],
      [['WELCOME20'], ['20%', 'year'], '\u2212$20.00'],
      [['Camera AI'], ['3', '$2.99', '22 Nov', '8 Dec', '16', '30 days'], '\u2212$4.78'],
    ])
  })

  test('adds up the tax line by line, as rounded', () => {
    expect(extractFacts(taxTitle(825))).toEqual(['8.25%'])
    expect(taxText(TEST_QUOTE.lines)).toMatch(/^8\.25 \u2212 1\.65 \u2212 0\.39\b/)
    expect(taxText([PLAN_LINE])).toBe('')
    expect(extractFacts(creditText(TEST_QUOTE), 'tax')).toEqual(['\u2212$20.00', '\u2212$4.78', 'tax'])
    expect(extractFacts(creditText({ ...TEST_QUOTE, lines: [PLAN_LINE] }), 'tax')).toEqual(['tax'])
    expect(creditText({ ...TEST_QUOTE, total: -7770, balance_added: 7770, due: 0 })).toBe('$77.70 to your balance')
  })

  test('names the rows and the total that differ in another quote', () => {
    const later = { ...UNUSED_LINE, amount: -477, from: UNUSED_LINE.from + 60_000 }
    expect(
      listChangedRowKeys(TEST_QUOTE, { ...TEST_QUOTE, lines: [PLAN_LINE, COUPON_LINE, later], due: 8143 }),
    ).toEqual(['unused2', 'total'])
    expect(listChangedRowKeys(TEST_QUOTE, { ...TEST_QUOTE, quote: 'another' })).toEqual([])
  })
})

describe('task polling', () => {
  test('runs every second for a minute, then every five seconds for ten minutes, then stops', () => {
    expect([0, 59_999, 60_000, 659_999, 660_000].map(getTaskPollDelayMs)).toEqual([1000, 1000, 5000, 5000, null])
  })
})

describe('the tax in an amount', () => {
  test('can be recovered for every price', () => {
    expect(computeIncludedTax(971, 825)).toBe(74)
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(2500), (net, rate) => {
        const total = net + Math.floor((net * rate + 5000) / 10_000)
        const tax = computeIncludedTax(total, rate)
        expect(tax).not.toBeNull()
        const rest = total - (tax ?? 0)
        expect(rest + Math.floor((rest * rate + 5000) / 10_000)).toBe(total)
      }),
    )
  })
})
