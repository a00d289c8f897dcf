// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SELLER as BRANDS } from '../../../../contract/brand.ts'
import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { BillingPage } from '../../../../src/islands/billing/parts/BillingPage.tsx'
import { PrintedInvoice } from '../../../../src/islands/invoice/parts/PrintedInvoice.tsx'
import { $invoices } from '../../../../src/stores/billing/invoices.ts'
import { createCreditNote, createInvoice } from '../../../support/bills.ts'
import { stubApiResponses } from '../../../support/client.ts'
import { statesNoCharge } from '../../../support/facts.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const SELLER = { ...BRANDS, address: [...BRANDS.address] }
const container = document.createElement('div')
let root: Root
const readText = () => container.textContent ?? ''
const readRows = () => [...container.querySelectorAll('tbody tr')].map(({ textContent }) => textContent ?? '')

beforeEach(() => {
  document.body.append(container)
  history.replaceState(null, '', '/account/billing')
  $invoices.set({ state: 'loading' })
  root = createRoot(container)
})
afterEach(() => act(() => root.unmount()))

async function renderPage(...invoices: Invoice[]): Promise<void> {
  stubApiResponses({ recurring_info: { code: 200, data: { kind: 'invoices', seller: SELLER, invoices } } })
  await act(async () => {
    root.render(<BillingPage />)
    await Promise.resolve()
  })
  await act(async () => {
    while ($invoices.get().state === 'loading') await new Promise((resolve) => setImmediate(resolve))
  })
}

describe('invoice list', () => {
  const before = createInvoice({ bill: 'A-1', at: Date.UTC(2025, 5, 1, 12), paid: 324, total: 324 })

  test('shows one year with its sum, credits with a minus, and all years on request', async () => {
    await renderPage(createCreditNote(), createInvoice(), before)
    expect(readRows()).toEqual([
      expect.stringMatching(/8 Aug 2026.*K-8.*Camera AI.*6 days.*Visa 4242.*\u2212\$0\.65/),
      expect.stringMatching(/8 Aug 2026.*K-7.*Camera AI.*3 .*Visa 4242.*\$9\.71/),
    ])
    expect(readText()).toMatch(/\$9\.06 .*2026/)
    const year = container.querySelector('select')
    act(() => {
      if (year) year.value = 'all'
      year?.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect(readRows()).toHaveLength(3)
    expect(readText()).toContain('$12.30')
  })

  test('puts an open invoice first, and says where to pay it and that nothing was charged', async () => {
    const open = createInvoice({ bill: 'A-2', at: before.at, state: 'open', paid: 0, paid_at: null, method: null })
    await renderPage(createInvoice(), open, before)
    expect(readText()).toMatch(/\$9\.71 .*1 Jun 2025/)
    expect(readText()).toSatisfy(statesNoCharge)
    const pay = [...container.querySelectorAll('a')].find(({ textContent }) => textContent === 'Pay now')
    expect(pay?.getAttribute('href')).toBe('/account/services')
  })

  test('of one plan omits the others, and links back to all', async () => {
    history.replaceState(null, '', '/account/billing?subscription=sub_2')
    await renderPage(createInvoice(), createInvoice({ bill: 'A-3', subscription_id: 'sub_2' }))
    expect(readRows()).toEqual([expect.stringContaining('A-3')])
    expect(container.querySelector('a[href="/account/billing"]')).not.toBeNull()
  })
})

describe('printed invoice', () => {
  test('is a credit note for a refund, with the number of its invoice and negative amounts', () => {
    act(() => root.render(<PrintedInvoice bill={createCreditNote()} seller={SELLER} creditNote={null} />))
    expect(container.querySelector('h1')?.textContent).toBe('Credit note')
    expect(readText()).toContain('For invoiceABCDEFGHJK-7')
    expect(readText()).toContain('Total\u2212$0.65')
    expect(readText()).toContain('Visa 4242$0.65')
  })

  test('names the seller, the buyer and the credit note that reverses it', () => {
    act(() => root.render(<PrintedInvoice bill={createInvoice()} seller={SELLER} creditNote={createCreditNote()} />))
    expect(container.querySelector('h1')?.textContent).toBe('Invoice')
    for (const line of [SELLER.name, ...SELLER.address, SELLER.tax_id, ...createInvoice().buyer])
      expect(readText()).toContain(line)
    expect(readText()).toContain('Credit noteABCDEFGHJK-8')
  })
})
