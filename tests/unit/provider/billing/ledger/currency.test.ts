import { describe, expect, test } from 'vitest'
import {
  getCurrencyName,
  getCurrencyProblem,
  formatMoney,
  formatPlainAmount,
} from '../../../../../contract/billing/amounts.ts'
import { findMismatches } from '../../../../../provider/billing/reconciliation/find-mismatches.ts'
import { buildReconciliationSnapshot } from '../../../../../provider/billing/ledger/reconciliation-snapshot.ts'
import { listInvoices } from '../../../../../provider/billing/ledger/invoices.ts'
import { buildProjection } from '../../../../../provider/billing/ledger/projection.ts'
import { requireSellableCurrency } from '../../../../../scripts/lib/build.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  quotePurchase,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const listPostedCurrencies = ({ book }: TestLedger) =>
  book.sql
    .exec<{ currency: string }>('SELECT DISTINCT currency FROM postings')
    .toArray()
    .map(({ currency }) => currency)

describe('deployment that sells in euros', () => {
  test('quotes, charges, renews, invoices and projects in euros', async () => {
    const testLedger = openTestLedger({ now: NOW_MS, currency: 'EUR' })
    expect((await quotePurchase(testLedger, cameraAiSelection(3), NOW_MS)).quote.currency).toBe('EUR')
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
    await testLedger.billingService.processDue(listSubscriptions(testLedger)[0]?.until ?? 0)
    await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS + 40 * DAY_MS)
    const charges = await testLedger.gateway.charges()
    expect(charges.map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'EUR'])
    expect(listInvoices(testLedger.book).map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'EUR'])
    expect(listPostedCurrencies(testLedger)).toEqual(['EUR'])
    const message = {
      kind: 'subscription',
      id: listSubscriptions(testLedger)[0]?.subscription_id ?? '',
      seq: 1,
    } as const
    expect(buildProjection(testLedger.book, message, 825)[0]?.values).toContain('EUR')
    expectBalancedLedger(testLedger)
  })

  test('detects a charge that the gateway has in dollars, regardless of its amount', async () => {
    const testLedger = openTestLedger({ now: NOW_MS, currency: 'EUR' })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
    const reconciliationSnapshot = buildReconciliationSnapshot(testLedger.context)
    const charges = await testLedger.gateway.charges()
    const emptyProjection = {
      subscriptions: reconciliationSnapshot.subscriptions,
      bindings: [],
      cameras: new Set<string>(),
    }
    expect(findMismatches(reconciliationSnapshot, charges, emptyProjection)).toEqual([])
    const dollars = charges.map((charge) => ({ ...charge, currency: 'USD' }))
    expect(findMismatches(reconciliationSnapshot, dollars, emptyProjection)).toEqual([
      { where: 'gateway', what: expect.stringMatching(/^charge .*EUR.*USD/) as string, book: null, other: null },
    ])
  })
})

describe('deployment that changes its currency after sales', () => {
  test('prices and charges nothing in old ledgers, refunds in their currency, and reports them', async () => {
    const testLedger = openTestLedger({ now: NOW_MS, currency: 'USD' })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
    const end = listSubscriptions(testLedger)[0]?.until ?? 0
    testLedger.switchCurrency('EUR')
    await expect(quotePurchase(testLedger, ANNUAL_UNLIMITED, NOW_MS + DAY_MS)).rejects.toThrow('currency')
    await testLedger.billingService.processDue(end)
    expect(await testLedger.gateway.charges()).toHaveLength(1)
    expect(listSubscriptions(testLedger)).toMatchObject([{ until: end, over: false }])
    const reconciliationSnapshot = buildReconciliationSnapshot(testLedger.context)
    expect([
      reconciliationSnapshot.currency,
      reconciliationSnapshot.isOfOtherCurrency,
      reconciliationSnapshot.postponed,
    ]).toEqual(['USD', true, [listSubscriptions(testLedger)[0]?.subscription_id]])
    await testLedger.billingService.closeAccount(NOW_MS + DAY_MS)
    expect(listInvoices(testLedger.book)[0]).toMatchObject({ kind: 'credit_note', currency: 'USD', refunded: 971 })
    expect(listPostedCurrencies(testLedger)).toEqual(['USD'])
  })

  test('does not post a charge in another currency', async () => {
    const testLedger = openTestLedger({ now: NOW_MS, currency: 'USD' })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(3), NOW_MS)
    testLedger.gateway.faults = ['pending']
    await testLedger.billingService.purchase(purchaseRequest, NOW_MS)
    testLedger.switchCurrency('EUR')
    await testLedger.billingService.processDue(NOW_MS + DAY_MS / 2)
    expect(await testLedger.gateway.charges()).toMatchObject([{ currency: 'USD' }])
    expect(listPostedCurrencies(testLedger)).toEqual([])
    expect(buildReconciliationSnapshot(testLedger.context).charges).toMatchObject([
      { state: 'captured', stuck: true, currency: 'USD' },
    ])
  })
})

describe('currency', () => {
  test.each([
    ['USD', null],
    ['EUR', null],
    ['CHF', null],
    ['JPY', '0 decimal places'],
    ['KWD', '3 decimal places'],
    ['ZZZ', 'ISO 4217'],
    ['dollars', 'ISO 4217'],
    ['', 'ISO 4217'],
  ])('%s is supported, or rejected before anything is built: %s', (code, reason) => {
    if (reason === null) expect(() => requireSellableCurrency(code)).not.toThrow()
    else expect(() => requireSellableCurrency(code)).toThrow(reason)
    expect(getCurrencyProblem(code) === null).toBe(reason === null)
  })

  test('has its own symbol and name', () => {
    expect([formatMoney(-123_456, 'EUR'), formatPlainAmount(-971), getCurrencyName('CHF', 'many')]).toEqual([
      '\u2212€1,234.56',
      '-9.71',
      'Swiss francs',
    ])
  })
})
