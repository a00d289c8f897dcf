import { describe, expect, test } from 'vitest'
import type { MoneyLine, Quote } from '../../../../contract/billing/purchase.ts'
import { changedRows, creditText, priceRows, taxTitle, taxText } from '../../../../src/domain/copy/price-quote.ts'
import { taskWait } from '../../../../src/domain/billing/task-poll-delay.ts'
import { extractFacts } from '../../../support/facts.ts'

const at = (day: string) => Date.parse(`${day}T15:41:00Z`)
const plan: MoneyLine = {
  ...{ kind: 'plan', sku: 'unlimited', period: 'annual', quantity: 1, unit: 9999, amount: 9999, tax: 825 },
  ...{ from: at('2026-11-22'), to: at('2027-11-22') },
}
const coupon: MoneyLine = {
  ...plan,
  ...{ kind: 'coupon', unit: -2000, amount: -2000, tax: -165, code: 'WELCOME20', percent: 20 },
}
const unused: MoneyLine = {
  ...{ kind: 'unused', sku: 'cam-ai', period: 'monthly', quantity: 3, unit: 299, amount: -478, tax: -39 },
  ...{ from: at('2026-11-22'), to: at('2026-12-08') },
}
const quote: Quote = {
  ...{ quote: 's', mode: 'update', change: 51, sku: 'unlimited', period: 'annual', quantity: 1, currency: 'USD' },
  ...{ tax_basis_points: 825, as_of: at('2026-11-22'), expires_at: at('2026-11-22') + 600_000 },
  ...{ starts_at: at('2026-11-22'), is_later: false, is_trial: false, lines: [plan, coupon, unused] },
  ...{ subtotal: 7521, tax: 621, total: 8142, balance_used: 0, balance_added: 0, due: 8142, next: null },
}

describe('price quote text', () => {
  test('explains under each line how it came about', () => {
    const rows = priceRows(quote.lines, 'USD').map(({ title, words, amount }) => [
      ...[extractFacts(title, 'annual', 'WELCOME20'), extractFacts(words, 'year'), amount],
    ])
    expect(rows).toEqual([
      [['Unlimited Cameras', 'annual'], ['22 Nov 2026', '22 Nov 2027'], '$99.99'],
      [['WELCOME20'], ['20 %', 'year'], '\u2212$20.00'],
      [['Camera AI'], ['3', '$2.99', '22 Nov', '8 Dec', '16', '30 days'], '\u2212$4.78'],
    ])
  })

  test('adds up the tax line by line, as rounded', () => {
    expect(extractFacts(taxTitle(825))).toEqual(['8.25 %'])
    expect(taxText(quote.lines)).toMatch(/^8\.25 \u2212 1\.65 \u2212 0\.39\b/)
    expect(taxText([plan])).toBe('')
    expect(extractFacts(creditText(quote), 'tax')).toEqual(['\u2212$20.00', '\u2212$4.78', 'tax'])
    expect(extractFacts(creditText({ ...quote, lines: [plan] }), 'tax')).toEqual(['tax'])
  })

  test('names the rows and the total that differ in another quote', () => {
    const later = { ...unused, amount: -477, from: unused.from + 60_000 }
    expect(changedRows(quote, { ...quote, lines: [plan, coupon, later], due: 8143 })).toEqual(['unused2', 'total'])
    expect(changedRows(quote, { ...quote, quote: 'another' })).toEqual([])
  })
})

describe('task polling', () => {
  test('runs every second for a minute, then every five seconds for ten minutes, then stops', () => {
    expect([0, 59_999, 60_000, 659_999, 660_000].map(taskWait)).toEqual([1000, 1000, 5000, 5000, null])
  })
})
