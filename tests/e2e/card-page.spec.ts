import type { Locator, Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { openAsNew, typeCard } from '../support/browser-account.ts'
import { CARD } from '../support/card-form.ts'
import { expect, forgive, NOBODY, tabTo, test } from '../support/e2e.ts'

test.use({ storageState: NOBODY })

const WIDTHS = [350, 390, 1440]
const FIELDS = ['Card number', 'Ends, month / year', 'Security code', 'Name on the card', 'City', 'ZIP code']
const methods = (page: Page) => page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem')
const save = (page: Page) => page.getByRole('button', { name: 'Save card' })
const number = (page: Page) => page.getByLabel('Card number')

async function openCardPage(page: Page, name: string): Promise<void> {
  await openAsNew(page, name, '/account/payment')
  await page.getByRole('button', { name: 'Add a method' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Add a card' })).toBeVisible()
  // Wait for the page's deferred script, which shows its own field errors instead of the browser's.
  await page.waitForLoadState('domcontentloaded')
}

async function expectNoFindings(page: Page, name: string): Promise<void> {
  expect(await findings(page, name)).toEqual([])
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(over, `${name} at ${width} px`).toBeLessThanOrEqual(0)
  }
}

function recordForms(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''))
  return sent
}

/** Collects the URLs that the browser opens, and the URLs and bodies of its requests to the portal. */
function recordTraffic(page: Page, portal: string): string[] {
  const traffic: string[] = []
  page.on('framenavigated', (frame) => traffic.push(frame.url()))
  page.on('request', (request) => {
    // Skips analytics requests: any of their hundreds of numbers can happen to be 907, the security code that this test
    // looks for. Tests of the sinks check the content of analytics.
    const isOurs = request.url().startsWith(portal) && !new URL(request.url()).pathname.startsWith('/t/')
    if (isOurs) traffic.push(request.url(), request.postData() ?? '')
  })
  return traffic
}

/**
 * Starts to watch for the proof that the card page returns. The result lists the request URLs and storage keys that
 * contain the proof.
 */
function recordProofLeaks(page: Page, portal: string): () => Promise<string[]> {
  const sent: [string, string][] = []
  page.on('request', (request) => {
    const [address = ''] = request.url().split('#')
    if (!address.startsWith(portal)) return
    sent.push([address, [address, request.headers()['referer'], request.postData()].join(' ')])
  })
  const returned = page.waitForResponse((answer) => answer.url().endsWith('/card') && answer.status() === 303)
  return async () => {
    const [, proof = ''] = ((await (await returned).headerValue('location')) ?? '').split('#proof=')
    expect(proof).toMatch(/^[\w-]{43}$/)
    const stored = await page.evaluate(() =>
      Object.entries({ ...localStorage, ...sessionStorage, address: location.href }),
    )
    return [...sent, ...stored].filter(([, text]) => String(text).includes(proof)).map(([where]) => where)
  }
}

/**
 * Returns the portal's storage without analytics entries and request durations, which can contain the security code 907
 * by chance.
 */
async function readStorage(page: Page): Promise<string> {
  const stored = await page.evaluate(() => Object.entries({ ...localStorage, ...sessionStorage }))
  const entries = stored.filter(([key]) => !/^(analytics_|AMP_|EXP_|amp-exp|browser_)/.test(key))
  return JSON.stringify(entries).replaceAll(/\\"ms\\":\d+/g, '')
}

test('PAY-03 the card page opens in the same tab without its ticket and returns with the card selected; the portal receives no card number, and only the return sends the proof, which is not stored', async ({
  page,
  context,
  baseURL,
  problems,
}) => {
  const portal = baseURL ?? ''
  const traffic = recordTraffic(page, portal)
  await openCardPage(page, 'same-tab')
  const { origin, pathname, search } = new URL(page.url())
  expect([context.pages().length, pathname, search]).toEqual([1, '/card', ''])
  expect(origin).not.toBe(new URL(portal).origin)
  await expect(page.getByRole('complementary', { name: 'About this page' })).toContainText('same-tab-')
  const proof = recordProofLeaks(page, portal)
  await typeCard(page, { number: '5555 5555 5555 4444', code: '907' })
  await expect(page).toHaveURL('/account/payment')
  await expect(methods(page)).toHaveCount(1)
  for (const words of ['Mastercard ·· 4444', 'Default', 'Saved just now.'])
    await expect(methods(page)).toContainText(words)
  const chosen = () => page.evaluate(() => JSON.parse(localStorage.getItem('selectedPayment') ?? 'null') as unknown)
  await expect.poll(chosen).toMatchObject({ brand: 'mastercard' })
  // Settled: the page has stored the chosen card and said so.
  const storage = await readStorage(page)
  const all = [...traffic, storage].join('\n')
  expect(all).not.toMatch(/5555[ +%20]*5555/)
  expect(all).not.toMatch(/\b907\b/)
  expect(storage).not.toContain('4444')
  expect(all).not.toContain(CARD.street)
  expect(await proof()).toEqual([`${portal}/api/payment/return`])
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Add a card')
  forgive(problems, { status: 410, path: /^\/card$/ })
})

async function expectError(page: Page, field: Locator): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  // Settled: the id of a field never changes.
  const error = page.locator(`#${await field.getAttribute('id')}-wrong`)
  await expect(error).toBeVisible()
  await expect(error).not.toBeEmpty()
  await expect.poll(() => described(field)).toContain(await error.innerText())
}

/** Returns the texts that `aria-describedby` of a field refers to. */
const described = (field: Locator): Promise<string> =>
  field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.innerText ?? '')
      .join(' '),
  )

async function expectErrorsAtFields(page: Page): Promise<void> {
  await save(page).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link')).toHaveCount(8)
  for (const label of FIELDS) {
    await expectError(page, page.getByLabel(label))
  }
  await expectNoFindings(page, 'card page with errors')
  await summary.getByRole('link', { name: /^City: / }).click()
  await expect(page.getByLabel('City')).toBeFocused()
  const error = page.locator('#city-wrong')
  await expect(error).toBeVisible()
  await page.getByLabel('City').fill('Springfield')
  await expect(page.getByLabel('City')).not.toHaveAttribute('aria-invalid')
  await expect(error).toBeHidden()
}

async function expectNumbersRefused(page: Page): Promise<void> {
  for (const typed of ['4111 1111 1111 1111', '4242 4242 4242 4241']) {
    await typeCard(page, { number: typed })
    await expectError(page, number(page))
    await expect(page.getByRole('alert').getByRole('link')).toHaveCount(1)
  }
}

test('errors appear at their fields and send nothing, the bank challenge opens in place, and axe finds nothing in any state from 350 to 1440 px', async ({
  page,
  problems,
}) => {
  await openCardPage(page, 'looks')
  const sent = recordForms(page)
  await page.locator('details.tests').evaluate((tests: HTMLDetailsElement) => (tests.open = true))
  await expectNoFindings(page, 'card page')
  await expectErrorsAtFields(page)
  await expectNumbersRefused(page)
  expect(sent).toEqual([])
  await typeCard(page, { number: '4000 0000 0009 3155' })
  await expect(page.getByRole('heading', { name: 'Your bank asks: is it you?' })).toBeVisible()
  expect(sent.join()).not.toMatch(/4111|4241/)
  await expectNoFindings(page, 'question of the bank')
  const address = page.url()
  await page.getByRole('button', { name: 'Yes, confirm' }).click()
  await expect(methods(page)).toContainText('Visa ·· 3155')
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1, name: /^Start again from/ })).toBeVisible()
  await expectNoFindings(page, 'expired card page')
  forgive(problems, { status: 410, path: /^\/card$/ })
})

test('a card is corrected and saved, and the page is left, by keyboard alone', async ({ page }) => {
  await openAsNew(page, 'keyboard', '/account/payment')
  const add = page.getByRole('button', { name: 'Add a method' })
  const open = async () => {
    await tabTo(page, add)
    await page.keyboard.press('Enter')
    await expect(number(page)).toBeVisible()
  }
  await open()
  await tabTo(page, page.getByRole('button', { name: 'Back without a card' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/payment')
  await expect(page.locator('.toast')).toBeVisible()
  await open()
  await tabTo(page, number(page))
  // Fills in the fields in page order. The empty text leaves the country unchanged.
  for (const typed of ['4242424242424242', '0838', '987', CARD.name, '', CARD.street, CARD.city, CARD.state, '6270']) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
  }
  await expect(save(page)).toBeFocused()
  await expect(number(page)).toHaveValue('4242 4242 4242 4242')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: /^ZIP code: / }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.type('4')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/payment')
  await expect(methods(page)).toContainText('Visa ·· 4242')
})
