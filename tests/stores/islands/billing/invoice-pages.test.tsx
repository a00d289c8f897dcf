// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SELLER as BRANDS } from '../../../../contract/brand.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'
import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { BillingPage } from '../../../../src/islands/billing/parts/BillingPage.tsx'
import { StatementPanel } from '../../../../src/islands/billing/parts/StatementPanel.tsx'
import { InvoicePage } from '../../../../src/islands/invoice/parts/InvoicePage.tsx'
import { PrintedInvoice } from '../../../../src/islands/invoice/parts/PrintedInvoice.tsx'
import { $invoices } from '../../../../src/stores/billing/invoices.ts'
import { createCreditNote, createInvoice, createMoneyLine, INVOICE_TIME } from '../../../support/bills.ts'
import { stubApiResponses } from '../../../support/client.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'
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
      expect.stringMatching(/8 Aug 2026.*K-8.*Camera AI.*6 days.*Visa ·· 4242.*\u2212\$0\.65/),
      expect.stringMatching(/8 Aug 2026.*K-7.*Camera AI.*3 .*Visa ·· 4242.*\$9\.71/),
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
    act(() => root.render(<PrintedInvoice bill={createCreditNote()} seller={SELLER} creditNote={null} invoices={[]} />))
    expect(container.querySelector('h1')?.textContent).toBe('Credit note')
    expect(readText()).toContain('For invoiceABCDEFGHJK-7')
    expect(readText()).toContain('Total\u2212$0.65')
    expect(readText()).toContain('Visa ·· 4242$0.65')
  })

  test('names the invoice that charged the credited time', () => {
    const unused = createMoneyLine({ kind: 'unused', amount: -60, tax: -5, from: INVOICE_TIME + DAY_MS })
    const change = createInvoice({ bill: 'ABCDEFGHJK-9', at: INVOICE_TIME + DAY_MS, lines: [unused] })
    const render = (...invoices: Invoice[]) =>
      act(() => root.render(<PrintedInvoice bill={change} seller={SELLER} creditNote={null} invoices={invoices} />))
    render(change, createInvoice())
    expect(readText()).toContain('from invoice ABCDEFGHJK-7')
    // Two invoices for the same time leave the source open.
    render(change, createInvoice(), createInvoice({ bill: 'ABCDEFGHJK-6' }))
    expect(readText()).not.toContain('from invoice')
  })

  test('names the seller, the buyer and the credit note that reverses it', () => {
    const [bill, creditNote] = [createInvoice(), createCreditNote()]
    act(() => root.render(<PrintedInvoice bill={bill} seller={SELLER} creditNote={creditNote} invoices={[]} />))
    expect(container.querySelector('h1')?.textContent).toBe('Invoice')
    for (const line of [SELLER.name, ...SELLER.address, SELLER.tax_id, ...createInvoice().buyer])
      expect(readText()).toContain(line)
    expect(readText()).toContain('Credit noteABCDEFGHJK-8')
  })
})

describe('page of an invoice', () => {
  const next = { subscription_id: 'sub_1', sku: 'cam-ai', period: 'monthly', quantity: 3 } as const
  const upcoming = [{ ...next, at: INVOICE_TIME + 31 * DAY_MS, due: 971, method_id: null, would_fail: false }]
  const openPage = async (number: string, balance: number, ...bills: Invoice[]) => {
    history.replaceState(null, '', `/account/billing/invoice?bill=${number}`)
    const data = {
      invoices: { kind: 'invoices', seller: SELLER, invoices: bills },
      payment_methods: { kind: 'payment_methods', methods: [], upcoming, balance, address: [] },
      catalogue: { kind: 'catalogue', currency: 'USD', tax_basis_points: 825, sells: true, trial: false, plans: [] },
    }
    stubApiResponses({
      recurring_info: ({ kind }: { kind: keyof typeof data }) => ({ code: 200, data: data[kind] }),
    })
    $invoices.set({ state: 'loading' })
    act(() => root.unmount())
    root = createRoot(container)
    act(() => root.render(<InvoicePage />))
    // Waits outside of act, because act applies no update before it returns.
    await vi.waitFor(async () => {
      await act(() => new Promise((resolve) => setImmediate(resolve)))
      expect(readText()).toContain('Sales tax, 8.25%$0.74')
    }, WAIT_OPTIONS)
  }

  test('names the tax rate, and the next charge on the latest paid invoice only', async () => {
    const older = createInvoice({ bill: 'A-6', at: INVOICE_TIME - 31 * DAY_MS })
    const number = createInvoice().bill
    await openPage(number, 0, createCreditNote(), createInvoice(), older)
    expect(readText()).toContain('Next charge8 Sept 2026, $9.71 with taxCamera AI, 3 cameras, no payment method')
    await openPage(number, 100, createInvoice())
    expect(readText()).toContain('$9.71 after tax and balance')
    await openPage('A-6', 0, createInvoice(), older)
    expect(readText()).not.toContain('Next charge')
    await openPage(number, 0, createInvoice({ state: 'open' }))
    expect(readText()).not.toContain('Next charge')
  })
})

describe('account ledger', () => {
  test('opens with the newest entry first, links its invoice, and its button hides it again', async () => {
    const createEntry = (entry: number, bill: string) => ({
      entry,
      at: INVOICE_TIME + entry * DAY_MS,
      kind: 'renewal',
      subject: 's',
      bill,
      postings: [{ account: 'cash', cents: 971 }],
    })
    const entries = [createEntry(1, ''), createEntry(2, 'ABCDEFGHJK-7')]
    stubApiResponses({ book: { code: 200, data: { entries, sums: [], next: null } } })
    act(() => root.render(<StatementPanel />))
    const button = container.querySelector('button')
    await act(async () => button?.click())
    // Waits outside of act, because act applies no update before it returns.
    await vi.waitFor(async () => {
      await act(() => new Promise((resolve) => setImmediate(resolve)))
      expect(container.querySelectorAll('tbody')).toHaveLength(2)
    }, WAIT_OPTIONS)
    expect([...container.querySelectorAll('tbody')].map(({ textContent }) => textContent?.slice(0, 6))).toEqual([
      '10 Aug',
      '9 Aug ',
    ])
    const links = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))
    expect(links).toEqual(['/account/billing/invoice?bill=ABCDEFGHJK-7'])
    expect(button?.textContent).toBe('Hide ledger')
    await act(async () => button?.click())
    expect([button?.textContent, container.querySelectorAll('tbody').length]).toEqual(['View ledger', 0])
  })
})
