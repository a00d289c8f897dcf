import { readFile } from 'node:fs/promises'
import { inflateSync } from 'node:zlib'
import type { Locator, Page } from 'playwright/test'
import type { Invoice } from '../../contract/billing/payment-methods-and-invoices.ts'
import { findings } from '../support/axe.ts'
import { giveCard, givePlan } from '../support/browser-account.ts'
import { signInAsNew } from '../support/customer.ts'
import { expect, forgive, NOBODY, SIGNED_IN, test } from '../support/e2e.ts'

const row = (page: Page) => page.getByRole('table', { name: /^Bills/ }).getByRole('row')
const bills = (page: Page) => row(page).filter({ has: page.getByRole('link') })

/** Opens the list of invoices. Returns the invoices in the server's response. */
async function openBills(page: Page): Promise<readonly Invoice[]> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/recurring_info') && response.status() === 200),
    page.goto('/account/billing'),
  ])
  const { data } = (await answer.json()) as { data: { invoices: Invoice[] } }
  await expect(page.getByRole('heading', { name: 'Invoices' })).toBeVisible()
  return data.invoices
}

/** Returns the rows of the CSV file that a button saves. */
async function saved(page: Page, button: string): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
  const text = await readFile(await file.path(), 'utf8')
  // Byte order mark; without it Excel reads the file as ANSI.
  expect(text.slice(0, 1)).toBe('\uFEFF')
  const cells = text
    .slice(1)
    .split('\r\n')
    .filter((line) => line !== '')
  return cells.map((line) =>
    [...line.matchAll(/"([^"]*)"|([^,]+)|(?<=,)(?=,|$)/g)].map((match) => match[1] ?? match[0]),
  )
}

/**
 * Checks that the page prints `printed` in a dark color on white and without the banner, although the page's theme is
 * dark.
 */
async function expectOnPaper(page: Page, printed: Locator): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'porchlight-dark')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(printed).toHaveCSS('color', /^rgb\((35, 26, 48|88, 78, 102)\)$/)
  await expect(page.getByRole('banner')).toBeHidden()
}

const inDollars = (cents: number) => `${cents < 0 ? '\u2212' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`

test.describe('invoices after a purchase', () => {
  test.use({ storageState: NOBODY })

  test('BILLING-01 BILLING-02 list date, number, item, payment, state and two decimals, with a ledger whose entries sum to zero', async ({
    page,
  }) => {
    await signInAsNew(page, 'biller')
    await givePlan(page, await giveCard(page))
    const [bill] = await openBills(page)
    await expect(bills(page)).toHaveCount(1)
    for (const fact of [bill?.bill ?? 'none', 'Unlimited Cameras, monthly', 'Visa 4242', 'Paid', '$10.81'])
      await expect(bills(page)).toContainText(fact)
    await expect(page.getByText(/^\$10\.81 so far in \d{4}/)).toBeVisible()
    expect(await findings(page, 'bills')).toEqual([])
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expectOnPaper(page, bills(page).getByText('Visa 4242'))
    await expect(page.getByRole('navigation', { name: 'Account' })).toBeHidden()
    await page.emulateMedia({ media: null, colorScheme: null })
    const [head, first] = await saved(page, 'Download all')
    expect(head).toEqual(expect.arrayContaining(['Date', 'Number', 'What for', 'Net', 'Tax', 'Total', 'Charged']))
    expect(first).toEqual(expect.arrayContaining([bill?.bill, 'Unlimited Cameras, monthly', '9.99', '0.82', '10.81']))
    await expectBalancedBook(page)
  })

  test('print on one page: seller, buyer, line items with tax, total and payment', async ({ page }) => {
    await signInAsNew(page, 'printer')
    await givePlan(page, await giveCard(page))
    const paper = await openInvoice(page)
    for (const text of ['200 Lantern Street', '48 Alder Lane', '@example.com', '$0.82', '$9.99'])
      await expect(paper).toContainText(text)
    await expect(paper).toContainText(/Paid \d+ \w{3} \d{4}, Visa 4242/)
    await expect(paper).toContainText('\u2212$10.81')
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeVisible()
    expect(await findings(page, 'invoice')).toEqual([])
    expect(await countPages(page)).toEqual({ A4: 1, Letter: 1 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(page.getByRole('button', { name: 'Print', exact: true })).toBeHidden()
    await expect(paper).toBeVisible()
    await expectOnPaper(page, paper)
  })

  test(
    'with more line items than a page holds print on two pages, each with the table header',
    { tag: '@all' },
    async ({ page }) => {
      await signInAsNew(page, 'long')
      await givePlan(page, await giveCard(page))
      await openInvoice(page)
      await lengthen(page, 20)
      expect(await countPages(page)).toEqual({ A4: 1, Letter: 1 })
      await lengthen(page, 60)
      expect(await countPages(page)).toEqual({ A4: 2, Letter: 2 })
      // Settled: the lines are the test's own, and nothing else changes the page.
      expect(await countHeads(page)).toBe(2)
    },
  )
})

test.describe('invoices of a free account', () => {
  test.use({ storageState: SIGNED_IN.free })

  test('show a load failure, then an empty list after a retry, with a link to the plans', async ({
    page,
    problems,
  }) => {
    await page.route('**/recurring_info', (route) => route.abort())
    await page.goto('/account/billing')
    const failed = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) })
    await expect(failed).toContainText('nothing was charged')
    expect(await findings(page, 'failed bills')).toEqual([])
    await page.unroute('**/recurring_info')
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'No bills yet' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Explore plans' })).toHaveAttribute(
      'href',
      '/account/products/choose',
    )
    await expect(page.getByRole('button', { name: 'Download all' })).toHaveCount(0)
    expect(await findings(page, 'no bills')).toEqual([])
    forgive(problems, { network: /ERR_FAILED/, path: /\/recurring_info$/ })
  })

  test('an invoice that the account does not have is reported as not found', { tag: '@all' }, async ({ page }) => {
    await page.goto('/account/billing/invoice?bill=NOBODYHAS-1')
    await expect(page.getByRole('heading', { name: 'No such invoice' })).toBeVisible()
    expect(await findings(page, 'no such invoice')).toEqual([])
  })
})

test.describe('invoices of the demo owner', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('BILLING-01 match the server list, each with its amount, and can be filtered by plan', async ({ page }) => {
    const invoices = await openBills(page)
    const heading = invoices.length === 0 ? 'No bills yet' : 'Invoices'
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await showAll(page, invoices)
    await expect(bills(page)).toHaveCount(invoices.length)
    const inOrder = [
      ...invoices.filter(({ state }) => state === 'open'),
      ...invoices.filter(({ state }) => state !== 'open'),
    ]
    const texts = await bills(page).allTextContents()
    for (const [n, { bill, total }] of inOrder.entries()) {
      expect(texts[n]).toContain(bill)
      expect(texts[n]).toContain(inDollars(total))
    }
    await page.goto('/account/billing?subscription=nobodys')
    await expect(page.getByRole('heading', { name: 'No bills of this plan' })).toBeVisible()
    await page.getByRole('link', { name: 'Show all bills' }).click()
    await expect(page).toHaveURL('/account/billing')
  })
})

/** Opens the only invoice by keyboard. Returns the printable invoice. */
async function openInvoice(page: Page): Promise<Locator> {
  const [bill] = await openBills(page)
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
async function expectBalancedBook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check every cent' }).click()
  const entries = page.getByRole('region', { name: 'Entries, the oldest first' })
  await expect(entries.getByRole('row').filter({ hasText: 'Plan: Unlimited Cameras' })).toContainText('\u2212$9.99')
  await expect(entries.getByRole('row').filter({ hasText: 'Your cards and wallets' })).toContainText('$10.81')
  await expect(page.getByRole('region', { name: 'Your book' })).toContainText('All together$0.00')
  expect(await findings(page, 'book')).toEqual([])
  const [, ...postings] = await saved(page, 'Download your book')
  const cents = postings.map((cells) => Math.round(Number(cells.at(-1)) * 100))
  expect(cents.length).toBeGreaterThanOrEqual(5)
  expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(0)
  expect(cents).toEqual(expect.arrayContaining([1081, -999, -82]))
}

async function showAll(page: Page, invoices: readonly Invoice[]): Promise<void> {
  const year = page.getByRole('combobox', { name: 'Year' })
  await expect(year).toHaveCount(invoices.length > 0 ? 1 : 0)
  for (const select of await year.all()) await select.selectOption('All years')
}

/** Gives the invoice `lines` line items, because an invoice of a current plan has at most three. */
async function lengthen(page: Page, lines: number): Promise<void> {
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

/**
 * Returns the number of printed pages that contain the table header. Makes the header red to find it, because nothing
 * else is red.
 */
async function countHeads(page: Page): Promise<number> {
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
