import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingInfo, getBook, type Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { SELLER } from '../../../../contract/brand.ts'
import { createPurchase, previewPurchase, type Quote } from '../../../../contract/billing/purchase.ts'
import { readSeller } from '../../../../provider/platform/seller.ts'
import { addCard } from '../../../support/cards.ts'
import { type Account, addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'

const T1 = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 3 } as const

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
})
afterAll(() => town.close())

async function buyer(name: string): Promise<Account> {
  const as = await addAccount(town.bindings, name)
  const { method_id } = await addCard(town.bindings, as.userId, '4242')
  const quote = (await town.call(as, previewPurchase, { ...T1 })).body.data as Quote
  const ask = { ...T1, quote: quote.quote, method_id, intent: `intent_of_the_buyer_${name}` }
  expect((await town.call(as, createPurchase, ask)).body.data.state).toBe('done')
  return as
}
const listInvoices = async (as: Account) =>
  (await town.call(as, billingInfo, { kind: 'invoices' }, { billing_provider: 'recurring' })).body.data as {
    seller: unknown
    invoices: Invoice[]
  }

test('OPEN-83 billing info includes invoices with number, date, line items, payment, seller and buyer', async () => {
  const as = await buyer('bills')
  const { seller, invoices } = await listInvoices(as)
  expect(seller).toEqual(SELLER)
  expect(invoices).toMatchObject([
    {
      ...{ kind: 'invoice', state: 'paid', subtotal: 897, tax: 74, total: 971, paid: 971, balance_used: 0 },
      ...{ bill: expect.stringMatching(/^[0-9A-Z]{10}-1$/), refers_to: null, refunded: 0 },
      ...{ method: { brand: 'visa', last_four: '4242', name: '' }, paid_at: expect.any(Number) },
      lines: [{ kind: 'plan', sku: 'cam-ai', quantity: 3, amount: 897, tax: 74 }],
    },
  ])
  expect(invoices[0]?.buyer.at(-1)).toBe('bills@example.com')
  const { invoices: nobodys } = await listInvoices(await addAccount(town.bindings, 'none'))
  expect(nobodys).toEqual([])
})

test('a ledger is readable by its own account only', async () => {
  const as = await buyer('book')
  const own = (await town.call(as, getBook)).body.data
  expect(own.entries).toMatchObject([
    {
      kind: 'purchase',
      postings: expect.arrayContaining([
        { account: 'cash', cents: 971 },
        { account: 'revenue:cam-ai', cents: -897 },
        { account: 'tax', cents: -74 },
      ]),
    },
  ])
  expect(own.next).toBeNull()
  expect(own.sums).toContainEqual({ account: 'cash', cents: 971 })
  const other = await addAccount(town.bindings, 'reader')
  expect((await town.call(other, getBook)).body.data).toEqual({ entries: [], sums: [], next: null })
  expect((await town.call(as, getBook, { after: String(own.entries[0].entry) })).body.data.entries).toEqual([])
  expect((await town.call(as, getBook, { after: 'all' })).status).toBe(400)
})

test('the seller comes from the settings, with the brand as the default', () => {
  expect(readSeller({})).toEqual(SELLER)
  expect(readSeller({ SELLER_NAME: ' ', SELLER_ADDRESS: ' ; ', SELLER_TAX_ID: '' })).toEqual(SELLER)
  expect(
    readSeller({ SELLER_NAME: 'Nightlamp Ltd', SELLER_ADDRESS: '1 Quay; Cork ;Ireland', SELLER_TAX_ID: 'IE1' }),
  ).toEqual({
    ...{ name: 'Nightlamp Ltd', address: ['1 Quay', 'Cork', 'Ireland'], tax_id: 'IE1' },
  })
})
