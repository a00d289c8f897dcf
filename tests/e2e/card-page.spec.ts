import type { Locator, Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { openAsNewAccount, submitCardForm } from '../support/browser-account.ts'
import { openWithCard } from '../support/customer.ts'
import { TEST_CARD } from '../support/card-form.ts'
import { expect, removeExpectedProblems, SIGNED_OUT_STATE, pressTabUntilFocused, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_OUT_STATE })

const WIDTHS_PX = [350, 390, 1440]
const REQUIRED_FIELDS = ['Card number', 'Expiration date', 'Security code', 'Name on card', 'City', 'ZIP code']
const findPaymentMethods = (page: Page) => page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem')
const findSaveButton = (page: Page) => page.getByRole('button', { name: 'Save card' })
const findNumberField = (page: Page) => page.getByLabel('Card number')

async function openCardPage(page: Page, name: string): Promise<void> {
  await openAsNewAccount(page, name, '/account/payment')
  await page.getByRole('button', { name: 'Add a payment method' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Add a card' })).toBeVisible()
  // Wait for the page's deferred script, which shows its own field errors instead of the browser's.
  await page.waitForLoadState('domcontentloaded')
}

async function expectNoFindings(page: Page, name: string): Promise<void> {
  expect(await findViolations(page, name)).toEqual([])
  const measureOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(measureOverflow, `${name} at ${width} px`).toBeLessThanOrEqual(0)
  }
}

function recordPostBodies(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''))
  return sent
}

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
 * Records the requests to the portal. The returned function waits until the card page returns its proof. Then it lists
 * the URLs of the requests that contain the proof, and the storage keys whose values contain the proof.
 */
function recordProofLeaks(page: Page, portal: string): () => Promise<string[]> {
  const sent: [string, string][] = []
  page.on('request', (request) => {
    const [url = ''] = request.url().split('#')
    if (!url.startsWith(portal)) return
    sent.push([url, [url, request.headers()['referer'], request.postData()].join(' ')])
  })
  const returned = page.waitForResponse((answer) => answer.url().endsWith('/card') && answer.status() === 303)
  return async () => {
    const [, proof = ''] = ((await (await returned).headerValue('location')) ?? '').split('#proof=')
    expect(proof).toMatch(/^[\w-]{43}$/)
    const stored = await page.evaluate(() => Object.entries({ ...localStorage, ...sessionStorage, url: location.href }))
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
  await expect(page.getByRole('complementary', { name: 'Payment summary' })).toContainText('same-tab-')
  const listProofLeaks = recordProofLeaks(page, portal)
  await submitCardForm(page, { number: '5555 5555 5555 4444', code: '907' })
  await expect(page).toHaveURL('/account/payment')
  await expect(findPaymentMethods(page)).toHaveCount(1)
  for (const words of ['Mastercard ·· 4444', 'Default', 'Just added.'])
    await expect(findPaymentMethods(page)).toContainText(words)
  const readSelectedMethod = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('selectedPayment') ?? 'null') as unknown)
  await expect.poll(readSelectedMethod).toMatchObject({ brand: 'mastercard' })
  // Settled: the page shows the chosen card only after storing the choice.
  const storage = await readStorage(page)
  const all = [...traffic, storage].join('\n')
  expect(all).not.toMatch(/5555[ +%20]*5555/)
  expect(all).not.toMatch(/\b907\b/)
  expect(storage).not.toContain('4444')
  expect(all).not.toContain(TEST_CARD.street)
  expect(await listProofLeaks()).toEqual([`${portal}/api/payment/return`])
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Add a card')
  removeExpectedProblems(problems, { status: 410, path: /^\/card$/ })
})

test('the card page offers the stored billing address as one row, whose fields open in place', async ({ page }) => {
  await openWithCard(page, 'second-card', '/account/payment')
  await page.getByRole('button', { name: 'Add a payment method' }).click()
  const zip = page.getByLabel('ZIP code')
  await expect(page.getByText('48 Alder Lane, Springfield, IL 62704')).toBeVisible()
  await expect(zip).toBeHidden()
  await expectNoFindings(page, 'stored address')
  await findNumberField(page).fill('5555 5555 5555 4444')
  await page.getByLabel('Expiration date').fill('08 / 38')
  await page.getByLabel('Security code').fill('907')
  await page.getByLabel('Name on card').fill('Maya Reyes')
  await page.getByText('Edit', { exact: true }).click()
  await zip.fill('')
  await page.getByText('Billing address').click()
  await expect(zip).toBeHidden()
  await findSaveButton(page).click()
  await expect(zip).toHaveAttribute('aria-invalid', 'true')
  await zip.fill('62705')
  await findSaveButton(page).click()
  await expect(findPaymentMethods(page)).toHaveCount(2)
})

async function expectError(page: Page, field: Locator): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  // Settled: the id of a field never changes.
  const error = page.locator(`#${await field.getAttribute('id')}-wrong`)
  await expect(error).toBeVisible()
  await expect(error).not.toBeEmpty()
  await expect.poll(() => readDescription(field)).toContain(await error.innerText())
}

const readDescription = (field: Locator): Promise<string> =>
  field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.innerText ?? '')
      .join(' '),
  )

async function expectErrorsAtFields(page: Page): Promise<void> {
  await findSaveButton(page).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link')).toHaveCount(8)
  for (const label of REQUIRED_FIELDS) {
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

async function expectNumbersRejected(page: Page): Promise<void> {
  for (const typed of ['4111 1111 1111 1111', '4242 4242 4242 4241']) {
    await submitCardForm(page, { number: typed })
    await expectError(page, findNumberField(page))
    await expect(page.getByRole('alert').getByRole('link')).toHaveCount(1)
  }
}

test('errors appear at their fields and send nothing, the bank challenge opens in place, and axe finds nothing in any state from 350 to 1440 px', async ({
  page,
  problems,
}) => {
  await openCardPage(page, 'looks')
  const sent = recordPostBodies(page)
  await page.locator('details.tests').evaluate((tests: HTMLDetailsElement) => (tests.open = true))
  await expectNoFindings(page, 'card page')
  await expectErrorsAtFields(page)
  await expectNumbersRejected(page)
  expect(sent).toEqual([])
  await submitCardForm(page, { number: '4000 0000 0009 3155' })
  await expect(page.getByRole('heading', { name: 'Your bank wants to confirm it’s you' })).toBeVisible()
  expect(sent.join()).not.toMatch(/4111|4241/)
  await expectNoFindings(page, 'question of the bank')
  const url = page.url()
  await page.getByRole('button', { name: 'Yes, confirm' }).click()
  await expect(findPaymentMethods(page)).toContainText('Visa ·· 3155')
  await page.goto(url)
  await expect(page.getByRole('heading', { level: 1, name: /^Start over in/ })).toBeVisible()
  await expectNoFindings(page, 'expired card page')
  removeExpectedProblems(problems, { status: 410, path: /^\/card$/ })
})

test('a card is corrected and saved, and the page is left, by keyboard alone', async ({ page }) => {
  await openAsNewAccount(page, 'keyboard', '/account/payment')
  const addButton = page.getByRole('button', { name: 'Add a payment method' })
  const openForm = async () => {
    await pressTabUntilFocused(page, addButton)
    await page.keyboard.press('Enter')
    await expect(findNumberField(page)).toBeVisible()
  }
  await openForm()
  await pressTabUntilFocused(page, page.getByRole('button', { name: 'Back to Porchlight' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/payment')
  await expect(page.locator('.toast')).toBeVisible()
  await openForm()
  await pressTabUntilFocused(page, findNumberField(page))
  // Fills in the fields in page order. The empty text leaves the country unchanged.
  for (const typed of [
    '4242424242424242',
    '0838',
    '987',
    TEST_CARD.name,
    '',
    TEST_CARD.street,
    TEST_CARD.city,
    TEST_CARD.state,
    '6270',
  ]) {
    await page.keyboard.type(typed)
    await page.keyboard.press('Tab')
  }
  await expect(findSaveButton(page)).toBeFocused()
  await expect(findNumberField(page)).toHaveValue('4242 4242 4242 4242')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeFocused()
  await pressTabUntilFocused(page, page.getByRole('link', { name: /^ZIP code: / }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.type('4')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/payment')
  await expect(findPaymentMethods(page)).toContainText('Visa ·· 4242')
})
