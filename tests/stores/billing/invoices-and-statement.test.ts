import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SELLER } from '../../../contract/brand.ts'
import { $bills, loadBills } from '../../../src/stores/billing/invoices.ts'
import { saveBills } from '../../../src/stores/billing/save-invoices.ts'
import { $ownBook, loadMoreOfBook, saveBook } from '../../../src/stores/billing/statement.ts'
import * as files from '../../../src/stores/shell/save-file.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { invoice } from '../../support/bills.ts'
import { answerWith } from '../../support/client.ts'
import { failureText } from '../../../src/stores/shell/failure-text.ts'
import { areDistinct } from '../../support/facts.ts'

const PLAIN = failureText({ ok: false, code: 'ERR_NETWORK', msg: '', kind: 'ERR_NETWORK', status: 0 })

const listed = (bill: string) => ({
  code: 200,
  data: { kind: 'invoices', seller: SELLER, invoices: [invoice({ bill })] },
})
const page = (entry: number, next: string | null) => ({
  code: 200,
  data: {
    ...{ sums: [{ account: 'cash', cents: 0 }], next },
    entries: [{ entry, at: 1, kind: 'renewal', subject: 's', postings: [{ account: 'cash', cents: 0 }] }],
  },
})
const entries = () => $ownBook.get()?.entries.map(({ entry }) => entry)

beforeEach(() => {
  $bills.set({ state: 'loading' })
  $ownBook.set(null)
  while ($toast.get()) closeToast()
})

describe('invoices', () => {
  test('are loaded with their seller', async () => {
    const requests = answerWith({ recurring_info: listed('A-1') })
    await loadBills()
    expect(requests).toEqual([
      { path: expect.stringMatching(/\/services\/recurring_info$/), body: { kind: 'invoices' } },
    ])
    expect($bills.get()).toMatchObject({ state: 'ready', bills: [{ bill: 'A-1' }], seller: SELLER })
  })

  test('that fail to load show an error in place, not as a toast; those already shown stay', async () => {
    answerWith({ recurring_info: { code: 429 } })
    await loadBills()
    expect($bills.get()).toMatchObject({ state: 'failed', failure: { status: 429, inPlace: true } })
    expect($toast.get()).toBeNull()
    answerWith({ recurring_info: listed('A-1') })
    await loadBills()
    answerWith({ recurring_info: null })
    await loadBills()
    expect($bills.get()).toMatchObject({ state: 'ready', bills: [{ bill: 'A-1' }] })
  })

  test('are saved as a table', async () => {
    const save = vi.spyOn(files, 'saveAs').mockImplementation(() => undefined)
    saveBills([invoice({ bill: 'A-1' })])
    const [blob, name] = save.mock.calls[0] ?? []
    expect(name).toBe('Porchlight invoices.csv')
    expect(await blob?.text()).toContain('A-1,Invoice,"Camera AI, 3 cameras, monthly",Visa 4242,Paid')
    save.mockRestore()
  })
})

describe('the account statement', () => {
  test('loads page by page, each after the previous one', async () => {
    answerWith({ book: page(1, '1') })
    expect(await loadMoreOfBook()).toBeNull()
    answerWith({ book: page(2, null) })
    expect(await loadMoreOfBook()).toBeNull()
    expect([entries(), $ownBook.get()?.next]).toEqual([[1, 2], null])
    const requests = answerWith({ book: page(3, null) })
    expect(await loadMoreOfBook()).toBeNull()
    expect(requests).toEqual([])
  })

  test('that fails to load shows an error in place, and keeps its entries', async () => {
    answerWith({ book: page(1, '1') })
    await loadMoreOfBook()
    answerWith({ book: { code: 429 } })
    expect(await loadMoreOfBook()).toMatchObject({ status: 429, inPlace: true })
    expect(entries()).toEqual([1])
    answerWith({ book: null })
    expect(await saveBook()).toMatchObject({ inPlace: false })
    expect(areDistinct([$toast.get()?.text ?? '', PLAIN])).toBe(true)
  })

  test('is saved whole, after the missing pages are fetched', async () => {
    const save = vi.spyOn(files, 'saveAs').mockImplementation(() => undefined)
    answerWith({ book: page(1, null) })
    expect(await saveBook()).toBeNull()
    const [blob, name] = save.mock.calls[0] ?? []
    expect([name, (await blob?.text())?.split('\r\n').length]).toEqual(['Porchlight book.csv', 3])
    save.mockRestore()
  })
})
