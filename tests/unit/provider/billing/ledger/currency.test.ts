import { describe, expect, test } from 'vitest'
import { currencyName, currencyProblem, inMoney, inPlain } from '../../../../../contract/billing/amounts.ts'
import { findMismatches } from '../../../../../provider/billing/reconciliation/find-mismatches.ts'
import { buildAudit } from '../../../../../provider/billing/ledger/reconciliation-snapshot.ts'
import { bills } from '../../../../../provider/billing/ledger/invoices.ts'
import { buildProjection } from '../../../../../provider/billing/ledger/projection.ts'
import { mustBeSellable } from '../../../../../scripts/lib/build.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { buy, mustBalance, NOW, listSubscriptions, quoted, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const postedIn = ({ book }: TestBook) =>
  book.sql
    .exec<{ currency: string }>('SELECT DISTINCT currency FROM postings')
    .toArray()
    .map(({ currency }) => currency)

describe('deployment that sells in euros', () => {
  test('quotes, charges, renews, invoices and projects in euros', async () => {
    const town = openBook({ now: NOW, currency: 'EUR' })
    expect((await quoted(town, T1(3), NOW)).quote.currency).toBe('EUR')
    await buy(town, T1(3), NOW)
    await town.till.due(listSubscriptions(town)[0]?.until ?? 0)
    await buy(town, T2, NOW + 40 * DAY_MS)
    const charges = await town.gateway.charges()
    expect(charges.map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'EUR'])
    expect(bills(town.book).map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'EUR'])
    expect(postedIn(town)).toEqual(['EUR'])
    const message = { kind: 'subscription', id: listSubscriptions(town)[0]?.subscription_id ?? '', seq: 1 } as const
    expect(buildProjection(town.book, message, 825)[0]?.values).toContain('EUR')
    mustBalance(town)
  })

  test('detects a charge that the gateway has in dollars, regardless of its amount', async () => {
    const town = openBook({ now: NOW, currency: 'EUR' })
    await buy(town, T1(3), NOW)
    const audit = buildAudit(town.ctx)
    const charges = await town.gateway.charges()
    const nothing = { subscriptions: audit.subscriptions, bindings: [], cameras: new Set<string>() }
    expect(findMismatches(audit, charges, nothing)).toEqual([])
    const dollars = charges.map((charge) => ({ ...charge, currency: 'USD' }))
    expect(findMismatches(audit, dollars, nothing)).toEqual([
      { where: 'gateway', what: expect.stringMatching(/^charge .*EUR.*USD/) as string, book: null, other: null },
    ])
  })
})

describe('deployment that changes its currency after sales', () => {
  test('prices and charges nothing in old ledgers, refunds in their currency, and reports them', async () => {
    const town = openBook({ now: NOW, currency: 'USD' })
    await buy(town, T1(3), NOW)
    const end = listSubscriptions(town)[0]?.until ?? 0
    town.sellIn('EUR')
    await expect(quoted(town, T2, NOW + DAY_MS)).rejects.toThrow('currency')
    await town.till.due(end)
    expect(await town.gateway.charges()).toHaveLength(1)
    expect(listSubscriptions(town)).toMatchObject([{ until: end, over: false }])
    const audit = buildAudit(town.ctx)
    expect([audit.currency, audit.isOfOtherCurrency, audit.postponed]).toEqual([
      'USD',
      true,
      [listSubscriptions(town)[0]?.subscription_id],
    ])
    await town.till.end(NOW + DAY_MS)
    expect(bills(town.book)[0]).toMatchObject({ kind: 'credit_note', currency: 'USD', refunded: 971 })
    expect(postedIn(town)).toEqual(['USD'])
  })

  test('does not post a charge in another currency', async () => {
    const town = openBook({ now: NOW, currency: 'USD' })
    const { ask } = await quoted(town, T1(3), NOW)
    town.gateway.faults = ['pending']
    await town.till.purchase(ask, NOW)
    town.sellIn('EUR')
    await town.till.due(NOW + DAY_MS / 2)
    expect(await town.gateway.charges()).toMatchObject([{ currency: 'USD' }])
    expect(postedIn(town)).toEqual([])
    expect(buildAudit(town.ctx).charges).toMatchObject([{ state: 'captured', stuck: true, currency: 'USD' }])
  })
})

describe('currency', () => {
  test.each([
    ['USD', null],
    ['EUR', null],
    ['CHF', null],
    ['JPY', '0 decimals'],
    ['KWD', '3 decimals'],
    ['ZZZ', 'ISO 4217'],
    ['dollars', 'ISO 4217'],
    ['', 'ISO 4217'],
  ])('%s is supported, or rejected before anything is built: %s', (code, reason) => {
    if (reason === null) expect(() => mustBeSellable(code)).not.toThrow()
    else expect(() => mustBeSellable(code)).toThrow(reason)
    expect(currencyProblem(code) === null).toBe(reason === null)
  })

  test('has its own symbol and name', () => {
    expect([inMoney(-123_456, 'EUR'), inPlain(-971), currencyName('CHF', 'many')]).toEqual([
      '\u2212€1,234.56',
      '-9.71',
      'Swiss francs',
    ])
  })
})
