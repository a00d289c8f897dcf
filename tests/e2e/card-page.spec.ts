import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { CARD } from '../support/card.ts'
import { expect, forgive, tabTo, test } from '../support/e2e.ts'
import { openAsNew, typeCard } from '../support/new-account.ts'

test.use({ storageState: { cookies: [], origins: [] } })
/** The first visit is signed out; a card page that is over is 410. */
test.afterEach(({ problems }) => forgive(problems, /4(01|10)/))

const WIDTHS = [350, 390, 1440]
const methods = (page: Page) => page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem')
const save = (page: Page) => page.getByRole('button', { name: 'Save card' })
const number = (page: Page) => page.getByLabel('Card number')

/** Goes from the payment page to the card page, as a new account. */
async function openCardPage(page: Page, name: string): Promise<void> {
  await openAsNew(page, name, '/account/payment')
  await page.getByRole('button', { name: 'Add a method' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Add a card' })).toBeVisible()
  // Its script is deferred, and says itself what is wrong with a field.
  await page.waitForLoadState('domcontentloaded')
}

/** What axe finds, and how far the page is wider than it may be. */
async function wrongIn(page: Page, name: string): Promise<string[]> {
  const found = await findings(page, name)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (over > 0) found.push(`${name} at ${width} px scrolls sideways by ${over} px`)
  }
  return found
}

/** Forms that the page sends, as they are sent. */
function sentBy(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.postData() ?? ''))
  return sent
}

test('PAY-03 the card page opens in the same tab, without its ticket, and comes back with the card chosen', async ({
  page,
  context,
  baseURL,
}) => {
  await openCardPage(page, 'same-tab')
  const { origin, pathname, search } = new URL(page.url())
  expect([context.pages().length, pathname, search]).toEqual([1, '/card', ''])
  expect(origin).not.toBe(new URL(baseURL ?? '').origin)
  await expect(page.getByRole('complementary', { name: 'About this page' })).toContainText('same-tab-')
  await typeCard(page)
  await expect(page).toHaveURL('/account/payment')
  await expect(methods(page)).toHaveCount(1)
  for (const words of ['Visa ·· 4242', 'Default', 'Saved just now.']) await expect(methods(page)).toContainText(words)
  const chosen = await page.evaluate(() => localStorage.getItem('selectedPayment') ?? '')
  expect(JSON.parse(chosen)).toMatchObject({ brand: 'visa' })
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Add a card')
})

test('axe finds nothing on the card page, and nothing scrolls sideways: empty, with errors, asked by the bank, over', async ({
  page,
}) => {
  test.slow()
  await openCardPage(page, 'looks')
  await page.locator('details.tests').evaluate((tests: HTMLDetailsElement) => (tests.open = true))
  expect(await wrongIn(page, 'card page')).toEqual([])
  await save(page).click()
  await expect(page.getByText('8 fields need another look.')).toBeVisible()
  expect(await wrongIn(page, 'card page with errors')).toEqual([])
  await typeCard(page, { number: '4000 0000 0009 3155' })
  await expect(page.getByRole('heading', { name: 'Your bank asks: is it you?' })).toBeVisible()
  expect(await wrongIn(page, 'question of the bank')).toEqual([])
  const address = page.url()
  await page.getByRole('button', { name: 'Yes, confirm' }).click()
  await expect(methods(page)).toContainText('Visa ·· 3155')
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1, name: /^Start again from/ })).toBeVisible()
  expect(await wrongIn(page, 'card page that is over')).toEqual([])
})

test('errors stand beside their fields, are named by them, and the summary leads there', async ({ page }) => {
  await openCardPage(page, 'errors')
  const sent = sentBy(page)
  await save(page).click()
  const summary = page.getByRole('alert')
  await expect(summary).toBeFocused()
  await expect(summary).toContainText('8 fields need another look.')
  for (const [label, sentence] of [
    ['Card number', 'Type the card number.'],
    ['Ends, month / year', 'Type month and year, such as 08 / 28.'],
    ['Security code', '3 digits, please.'],
    ['Name on the card', 'Type the name on the card.'],
    ['City', 'Type the city.'],
    ['ZIP code', '5 digits, please.'],
  ] as const) {
    const field = page.getByLabel(label)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(new RegExp(`^${sentence.replaceAll('.', '\\.')}`))
    await expect(page.locator(`#${await field.getAttribute('id')}-wrong`)).toBeVisible()
  }
  await summary.getByRole('link', { name: 'City: Type the city.' }).click()
  await expect(page.getByLabel('City')).toBeFocused()
  await page.getByLabel('City').fill('Springfield')
  await expect(page.getByLabel('City')).not.toHaveAttribute('aria-invalid')
  await expect(page.getByText('Type the city.', { exact: true })).toBeHidden()
  expect(sent).toEqual([])
})

test('a number that is no test card is refused before it is sent anywhere', async ({ page }) => {
  await openCardPage(page, 'unlisted')
  const sent = sentBy(page)
  for (const [typed, sentence] of [
    ['4111 1111 1111 1111', 'Only the test cards listed below are taken here.'],
    ['4242 4242 4242 4241', 'This number has a mistake. Check it on the card.'],
  ] as const) {
    await typeCard(page, { number: typed })
    await expect(number(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(number(page)).toHaveAccessibleDescription(sentence)
    await expect(page.getByRole('alert')).toContainText('One field needs another look.')
  }
  expect(sent).toEqual([])
  await number(page).fill(CARD.number)
  await save(page).click()
  await expect(methods(page)).toContainText('Visa ·· 4242')
  expect(sent.join()).not.toMatch(/4111|4241/)
})

test('a card is corrected and saved by the keyboard alone, and the page is left by it', async ({ page }) => {
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
  await open()
  await tabTo(page, number(page))
  // In the order of the page; the country is what it is.
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
