import { readFile } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright/test'
import type { Invoice } from '../../contract/billing/payment-methods-and-invoices.ts'
import { findViolations } from '../support/axe.ts'
import { addCardOverHttp, buyPlanOverHttp } from '../support/browser-account.ts'
import { signInAsNewAccount } from '../support/customer.ts'
import { expect, removeExpectedProblems, SIGNED_OUT_STATE, SIGNED_IN_STATES, test } from '../support/e2e.ts'

const findInvoiceRows = (page: Page) => page.getByRole('table', { name: /^Invoices/ }).getByRole('row')
const findInvoices = (page: Page) => findInvoiceRows(page).filter({ has: page.getByRole('link') })

async function openInvoiceList(page: Page): Promise<readonly Invoice[]> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/recurring_info') && response.status() === 200),
    page.goto('/account/billing'),
  ])
  const { data } = (await answer.json()) as { data: { invoices: Invoice[] } }
  await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible()
  return data.invoices
}

async function downloadCsv(page: Page, button: string): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
  const text = await readFile(await file.path(), 'utf8')
  // The file starts with a byte order mark, because Excel would otherwise read it as ANSI.
  expect(text.slice(0, 1)).toBe('\uFEFF')
  const cells = text
    .slice(1)
    .split('\r\n')
    .filter((line) => line !== '')
  return cells.map((line) =>
    [...line.matchAll(/"([^"]*)"|([^,]+)|(?<=,)(?=,|$)/g)].map((match) => match[1] ?? match[0]),
  )
}

/** Checks that a page with a dark theme prints `printedText` in a dark color on white, and without the banner. */
async function expectPrintColors(page: Page, printedText: Locator): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'porchlight-dark')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(printedText).toHaveCSS('color', /^rgb\((35, 26, 48|88, 78, 102)\)$/)
  await expect(page.getByRole('banner')).toBeHidden()
}

const formatDollars = (cents: number) => `${cents < 0 ? '\u2212' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`

test.describe('invoices after a purchase', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('BILLING-01 BILLING-02 list date, number, item, payment, state and two decimals, with a ledger whose entries sum to zero', async ({
    page,
  }) => {
    await signInAsNewAccount(page, 'biller')
    await buyPlanOverHttp(page, await addCardOverHttp(page))
    const [bill] = await openInvoiceList(page)
    await expect(findInvoices(page)).toHaveCount(1)
    for (const fact of [bill?.bill ?? 'none', 'Unlimited Cameras, monthly', 'Visa ·· 4242', 'Paid', '$10.81'])
      await expect(findInvoices(page)).toContainText(fact)
    await expect(page.getByText(/^\$10\.81 so far in \d{4}/)).toBeVisible()
    expect(await findViolations(page, 'bills')).toEqual([])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expectPrintColors(page, findInvoices(page).getByText('Visa ·· 4242'))
    await expect(page.getByRole('navigation', { name: 'Account' })).toBeHidden()
    await page.emulateMedia({ media: null, colorScheme: null })
    const [head, first] = await downloadCsv(page, 'Download all')
    expect(head).toEqual(expect.arrayContaining(['Date', 'Number', 'Description', 'Net', 'Tax', 'Total', 'Charged']))
    expect(first).toEqual(expect.arrayContaining([bill?.bill, 'Unlimited Cameras, monthly', '9.99', '0.82', '10.81']))
    await expectBalancedLedger(page)
  })

  test('print on one page: seller, buyer, line items with tax, total and payment', async ({ page }) => {
    await signInAsNewAccount(page, 'printer')
    await buyPlanOverHttp(page, await addCardOverHttp(page))
    const printedInvoice = await openInvoice(page)
    for (const text of ['200 Lantern Street', '48 Alder Lane', '@example.com', '$0.82', '$9.99'])
      await expect(printedInvoice).toContainText(text)
    await expect(printedInvoice).toContainText(/Paid \d+ \w{3} \d{4}, Visa ·· 4242/)
    await expect(printedInvoice).toContainText('\u2212$10.81')
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeVisible()
    expect(await findViolations(page, 'invoice')).toEqual([])
    expect(await countPages(page)).toEqual({ A4: 1, Letter: 1 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeHidden()
    await expect(printedInvoice).toBeVisible()
    await expectPrintColors(page, printedInvoice)
  })

  test(
    'with more line items than a page holds print on two pages, each with the table header',
    { tag: '@all' },
    async ({ page }) => {
      await signInAsNewAccount(page, 'long')
      await buyPlanOverHttp(page, await addCardOverHttp(page))
      await openInvoice(page)
      await setLineItemCount(page, 20)
      expect(await countPages(page)).toEqual({ A4: 1, Letter: 1 })
      await setLineItemCount(page, 60)
      expect(await countPages(page)).toEqual({ A4: 2, Letter: 2 })
      // Settled: the test itself inserted the line items, and nothing else changes the page.
      expect(await countTableHeaders(page)).toBe(2)
    },
  )
})

test.describe('invoices of a free account', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test('show a load failure, then an empty list after a retry, with a link to the plans', async ({
    page,
    problems,
  }) => {
    await page.route('**/recurring_info', (route) => route.abort())
    await page.goto('/account/billing')
    const errorAlert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) })
    await expect(errorAlert).toContainText('Your payments aren’t affected')
    expect(await findViolations(page, 'failed bills')).toEqual([])
    await page.unroute('**/recurring_info')
    await errorAlert.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'No invoices yet' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Explore plans' })).toHaveAttribute(
      'href',
      '/account/products/choose',
    )
    await expect(page.getByRole('button', { name: 'Download all' })).toHaveCount(0)
    expect(await findViolations(page, 'no bills')).toEqual([])
    removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /\/recurring_info$/ })
  })

  test('an invoice that the account does not have is reported as not found', { tag: '@all' }, async ({ page }) => {
    await page.goto('/account/billing/invoice?bill=NOBODYHAS-1')
    await expect(page.getByRole('heading', { name: 'Invoice not found' })).toBeVisible()
    expect(await findViolations(page, 'no such invoice')).toEqual([])
  })
})

test.describe('invoices of the demo owner', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('BILLING-01 match the server list, each with its amount, and can be filtered by plan', async ({ page }) => {
    const invoices = await openInvoiceList(page)
    const heading = invoices.length === 0 ? 'No invoices yet' : 'Invoices'
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await showAllYears(page, invoices)
    await expect(findInvoices(page)).toHaveCount(invoices.length)
    const invoicesInOrder = [
      ...invoices.filter(({ state }) => state === 'open'),
      ...invoices.filter(({ state }) => state !== 'open'),
    ]
    const texts = await findInvoices(page).allTextContents()
    for (const [n, { bill, total }] of invoicesInOrder.entries()) {
      expect(texts[n]).toContain(bill)
      expect(texts[n]).toContain(formatDollars(total))
    }
    await page.goto('/account/billing?subscription=nobodys')
    await expect(page.getByRole('heading', { name: 'No invoices for this plan' })).toBeVisible()
    await page.getByRole('link', { name: 'Show all invoices' }).click()
    await expect(page).toHaveURL('/account/billing')
  })
})

/** Opens the only invoice by keyboard. Returns the printable invoice. */
async function openInvoice(page: Page): Promise<Locator> {
  const [bill] = await openInvoiceList(page)
  const number = bill?.bill ?? 'none'
  const open = page.getByRole('link', { name: `Open invoice ${number}` })
  await open.focus()
  await expect(open).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/account/billing/invoice?bill=${number}`)
  const paper = page.getByRole('article', { name: 'Invoice' })
  await expect(paper).toContainText(number)
  return paper
}

/** Checks the ledger on the billing page and in the downloaded file: the entries sum to zero, to the cent. */
async function expectBalancedLedger(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View ledger' }).click()
  const entries = page.getByRole('region', { name: 'Ledger entries, newest first' })
  await expect(entries.getByRole('row').filter({ hasText: 'Plan: Unlimited Cameras' })).toContainText('\u2212$9.99')
  await expect(entries.getByRole('row').filter({ hasText: 'Cards and wallets' })).toContainText('$10.81')
  await expect(page.getByRole('region', { name: 'Account ledger' })).toContainText('Total$0.00')
  expect(await findViolations(page, 'ledger')).toEqual([])
  const [, ...postings] = await downloadCsv(page, 'Download ledger')
  const cents = postings.map((cells) => Math.round(Number(cells.at(-1)) * 100))
  expect(cents.length).toBeGreaterThanOrEqual(5)
  expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(0)
  expect(cents).toEqual(expect.arrayContaining([1081, -999, -82]))
}

async function showAllYears(page: Page, invoices: readonly Invoice[]): Promise<void> {
  const year = page.getByRole('combobox', { name: 'Year' })
  await expect(year).toHaveCount(invoices.length > 0 ? 1 : 0)
  for (const select of await year.all()) await select.selectOption('All years')
}

/** Sets the number of line items on the page, because an invoice of a current plan has at most three. */
async function setLineItemCount(page: Page, lines: number): Promise<void> {
  await page.evaluate((lineCount) => {
    const [first, ...others] = document.querySelectorAll('.paper-lines tbody tr')
    for (const other of others) other.remove()
    for (let n = 1; n < lineCount; n += 1) first?.after(first.cloneNode(true))
  }, lines)
}

async function countPages(page: Page): Promise<Record<'A4' | 'Letter', number>> {
  const count = async (format: 'A4' | 'Letter') => {
    const pdf = (await page.pdf({ format, printBackground: true })).toString('latin1')
    return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0
  }
  return { A4: await count('A4'), Letter: await count('Letter') }
}

/** Counts the printed pages with the table header. Finds the header by its color: this function makes it red. */
async function countTableHeaders(page: Page): Promise<number> {
  await page.evaluate(() => {
    for (const head of document.querySelectorAll<HTMLElement>('.paper-lines thead th'))
      head.style.setProperty('color', '#f00')
  })
  const pdf = await page.pdf({ format: 'A4', printBackground: true })
  const text = pdf.toString('latin1')
  const streams = [...text.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n/g)].map(
    (match) => match.index + match[0].length,
  )
  const inflated = streams.map((from) =>
    inflateSync(pdf.subarray(from, text.indexOf('endstream', from))).toString('latin1'),
  )
  return inflated.filter((stream) => /\b1 0 0 rg\b/.test(stream)).length
}
