import { afterAll, beforeAll, expect, test } from 'vitest'
import { getBillingInfo, getLedger, type Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { SELLER } from '../../../../contract/brand.ts'
import { createPurchase, previewPurchase, type Quote } from '../../../../contract/billing/purchase.ts'
import { readSeller } from '../../../../provider/platform/seller.ts'
import { addCard } from '../../../support/cards.ts'
import { type Account, addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'

const THREE_CAM_AI = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 3 } as const

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(() => neighborhood.close())

async function createBuyer(name: string): Promise<Account> {
  const account = await addAccount(neighborhood.bindings, name)
  const { method_id } = await addCard(neighborhood.bindings, account.userId, '4242')
  const quote = (await neighborhood.call(account, previewPurchase, { ...THREE_CAM_AI })).body.data as Quote
  const order = { ...THREE_CAM_AI, quote: quote.quote, method_id, intent: `intent_of_the_buyer_${name}` }
  expect((await neighborhood.call(account, createPurchase, order)).body.data.state).toBe('done')
  return account
}
const listInvoices = async (account: Account) =>
  (await neighborhood.call(account, getBillingInfo, { kind: 'invoices' }, { billing_provider: 'recurring' })).body
    .data as {
    seller: unknown
    invoices: Invoice[]
  }

test('OPEN-83 billing info includes invoices with number, date, line items, payment, seller and buyer', async () => {
  const account = await createBuyer('bills')
  const { seller, invoices } = await listInvoices(account)
  expect(seller).toEqual(SELLER)
  expect(invoices).toMatchObject([
    {
      kind: 'invoice',
      state: 'paid',
      subtotal: 897,
      tax: 74,
      total: 971,
      paid: 971,
      balance_used: 0,
      bill: expect.stringMatching(/^[0-9A-Z]{10}-1$/),
      refers_to: null,
      refunded: 0,
      method: { brand: 'visa', last_four: '4242', name: '' },
      paid_at: expect.any(Number),
      lines: [{ kind: 'plan', sku: 'cam-ai', quantity: 3, amount: 897, tax: 74 }],
    },
  ])
  expect(invoices[0]?.buyer.at(-1)).toBe('bills@example.com')
  const { invoices: otherInvoices } = await listInvoices(await addAccount(neighborhood.bindings, 'none'))
  expect(otherInvoices).toEqual([])
})

test('a ledger is readable by its own account only', async () => {
  const account = await createBuyer('book')
  const statement = (await neighborhood.call(account, getLedger)).body.data
  expect(statement.entries).toMatchObject([
    {
      kind: 'purchase',
      postings: expect.arrayContaining([
        { account: 'cash', cents: 971 },
        { account: 'revenue:cam-ai', cents: -897 },
        { account: 'tax', cents: -74 },
      ]),
    },
  ])
  expect(statement.next).toBeNull()
  expect(statement.sums).toContainEqual({ account: 'cash', cents: 971 })
  const other = await addAccount(neighborhood.bindings, 'reader')
  expect((await neighborhood.call(other, getLedger)).body.data).toEqual({ entries: [], sums: [], next: null })
  expect(
    (await neighborhood.call(account, getLedger, { after: String(statement.entries[0].entry) })).body.data.entries,
  ).toEqual([])
  expect((await neighborhood.call(account, getLedger, { after: 'all' })).status).toBe(400)
})

test('the seller comes from the settings, with the brand as the default', () => {
  expect(readSeller({})).toEqual(SELLER)
  expect(readSeller({ SELLER_NAME: ' ', SELLER_ADDRESS: ' ; ', SELLER_TAX_ID: '' })).toEqual(SELLER)
  expect(
    readSeller({ SELLER_NAME: 'Nightlamp Ltd', SELLER_ADDRESS: '1 Quay; Cork ;Ireland', SELLER_TAX_ID: 'IE1' }),
  ).toEqual({
    name: 'Nightlamp Ltd',
    address: ['1 Quay', 'Cork', 'Ireland'],
    tax_id: 'IE1',
  })
})
