import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SELLER } from '../../../contract/brand.ts'
import { $invoices, loadInvoices } from '../../../src/stores/billing/invoices.ts'
import { saveInvoicesCsv } from '../../../src/stores/billing/save-invoices.ts'
import {
  $statement,
  loadNextStatementPage,
  loadStatement,
  saveStatementCsv,
} from '../../../src/stores/billing/statement.ts'
import * as files from '../../../src/stores/shell/save-file.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { createInvoice } from '../../support/bills.ts'
import { stubApiResponses } from '../../support/client.ts'
import { formatFailure } from '../../../src/stores/shell/failure-text.ts'
import { areDistinct } from '../../support/facts.ts'

const NETWORK_ERROR_TEXT = formatFailure({ ok: false, code: 'ERR_NETWORK', msg: '', kind: 'ERR_NETWORK', status: 0 })

const invoicesResponse = (bill: string) => ({
  code: 200,
  data: { kind: 'invoices', seller: SELLER, invoices: [createInvoice({ bill })] },
})
const statementPage = (entry: number, next: string | null) => ({
  code: 200,
  data: {
    sums: [{ account: 'cash', cents: 0 }],
    next,
    entries: [{ entry, at: 1, kind: 'renewal', subject: 's', postings: [{ account: 'cash', cents: 0 }] }],
  },
})
const listEntryIds = () => $statement.get()?.entries.map(({ entry }) => entry)

beforeEach(() => {
  $invoices.set({ state: 'loading' })
  $statement.set(null)
  while ($toast.get()) closeToast()
})

describe('invoices', () => {
  test('are loaded with their seller', async () => {
    const requests = stubApiResponses({ recurring_info: invoicesResponse('A-1') })
    await loadInvoices()
    expect(requests).toEqual([
      { path: expect.stringMatching(/\/services\/recurring_info$/), body: { kind: 'invoices' } },
    ])
    expect($invoices.get()).toMatchObject({ state: 'ready', bills: [{ bill: 'A-1' }], seller: SELLER })
  })

  test('that fail to load show an error in place, not as a toast; those already shown stay', async () => {
    stubApiResponses({ recurring_info: { code: 429 } })
    await loadInvoices()
    expect($invoices.get()).toMatchObject({ state: 'failed', failure: { status: 429, inPlace: true } })
    expect($toast.get()).toBeNull()
    stubApiResponses({ recurring_info: invoicesResponse('A-1') })
    await loadInvoices()
    stubApiResponses({ recurring_info: null })
    await loadInvoices()
    expect($invoices.get()).toMatchObject({ state: 'ready', bills: [{ bill: 'A-1' }] })
  })

  test('are saved as a table', async () => {
    const save = vi.spyOn(files, 'saveFile').mockImplementation(() => undefined)
    saveInvoicesCsv([createInvoice({ bill: 'A-1' })])
    const [blob, name] = save.mock.calls[0] ?? []
    expect(name).toBe('Porchlight invoices.csv')
    expect(await blob?.text()).toContain('A-1,Invoice,"Camera AI, 3 cameras, monthly",Visa ·· 4242,Paid')
    save.mockRestore()
  })
})

describe('the account statement', () => {
  test('loads page by page, each after the previous one', async () => {
    stubApiResponses({ book: statementPage(1, '1') })
    expect(await loadNextStatementPage()).toBeNull()
    stubApiResponses({ book: statementPage(2, null) })
    expect(await loadNextStatementPage()).toBeNull()
    expect([listEntryIds(), $statement.get()?.next]).toEqual([[1, 2], null])
    const requests = stubApiResponses({ book: statementPage(3, null) })
    expect(await loadNextStatementPage()).toBeNull()
    expect(requests).toEqual([])
  })

  test('that fails to load shows an error in place, and keeps its entries', async () => {
    stubApiResponses({ book: statementPage(1, '1') })
    await loadNextStatementPage()
    stubApiResponses({ book: { code: 429 } })
    expect(await loadNextStatementPage()).toMatchObject({ status: 429, inPlace: true })
    expect(listEntryIds()).toEqual([1])
    stubApiResponses({ book: null })
    expect(await saveStatementCsv()).toMatchObject({ inPlace: false })
    expect(areDistinct([$toast.get()?.text ?? '', NETWORK_ERROR_TEXT])).toBe(true)
  })

  test('loads all pages for a list that starts with the newest entry', async () => {
    const pages = [statementPage(1, '1'), statementPage(2, null)]
    const requests = stubApiResponses({ book: () => pages.shift() })
    expect(await loadStatement()).toBeNull()
    expect([listEntryIds(), requests.length]).toEqual([[1, 2], 2])
  })

  test('is saved whole, after the missing pages are fetched', async () => {
    const save = vi.spyOn(files, 'saveFile').mockImplementation(() => undefined)
    stubApiResponses({ book: statementPage(1, null) })
    expect(await saveStatementCsv()).toBeNull()
    const [blob, name] = save.mock.calls[0] ?? []
    expect([name, (await blob?.text())?.split('\r\n').length]).toEqual(['Porchlight ledger.csv', 3])
    save.mockRestore()
  })
})
