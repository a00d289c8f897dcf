import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { expect, forgive, test } from '../support/e2e.ts'
import { addCard, openAsNew, typeCard } from '../support/new-account.ts'
import { catalogueEntry } from '../../contract/error-codes.ts'

test.use({ storageState: { cookies: [], origins: [] } })
/** The first visit is signed out, and a payment that is refused is a failed request. */
test.afterEach(({ problems }) => forgive(problems, /40[0129]/))

const methods = (page: Page) => page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem')

test('PAY-04 any path with /payment is the payment page, which asks for nothing while nothing is to be paid', async ({
  page,
}) => {
  await openAsNew(page, 'path', '/shop/payment/method')
  await expect(page.getByRole('heading', { name: 'How you pay' })).toBeVisible()
  await expect(page.getByText('No card or wallet is saved.')).toBeVisible()
  await expect(page.getByText('Nothing is to be paid.')).toBeVisible()
  expect(await findings(page, 'no method')).toEqual([])
})

test('PAY-02 PAY-03 cards are added on their own page, one is chosen, and a reload knows it', async ({ page }) => {
  await openAsNew(page, 'cards', '/account/payment')
  await addCard(page)
  await expect(methods(page)).toHaveCount(1)
  await expect(methods(page).first()).toContainText('Visa ·· 4242')
  await expect(methods(page).first()).toContainText('Saved just now.')
  await expect(page.getByRole('region', { name: 'Billing address' })).toContainText('48 Alder Lane')
  await addCard(page, { number: '5555 5555 5555 4444' })
  await expect(methods(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Make default: Mastercard ·· 4444' }).click()
  const chosen = methods(page).filter({ has: page.getByText('Default', { exact: true }) })
  await expect(chosen).toContainText('Mastercard ·· 4444')
  await page.reload()
  await expect(chosen).toContainText('Mastercard ·· 4444')
  const kept = await page.evaluate(() => localStorage.getItem('selectedPayment') ?? '')
  expect(JSON.parse(kept)).toEqual({
    ...{ id: expect.any(String), type: 'card', brand: 'mastercard', expiry: { month: 8, year: 2038 } },
  })
  expect(kept).not.toMatch(/4444|Alder/)
  expect(await findings(page, 'two methods')).toEqual([])
  await page.getByRole('button', { name: 'Remove Visa ·· 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(methods(page)).toHaveCount(1)
})

test('the card page that is left without a card saves none, and says so', async ({ page }) => {
  await openAsNew(page, 'left', '/account/payment')
  await page.getByRole('button', { name: 'Add a method' }).click()
  await expect(page.locator('[name=number]')).toBeVisible()
  await page
    .getByRole('button', { name: 'Not you?' })
    .or(page.getByRole('link', { name: 'Not you?' }))
    .click()
  await expect(page).toHaveURL('/account/payment')
  await expect(page.locator('.toast')).toContainText('No card was saved.')
})

/** Chooses Unlimited, by the month, and pays with the one card there is: ends on the payment page, refused. */
async function buyRefused(page: Page): Promise<void> {
  await page.goto('/account/products/unlimited')
  await page.getByRole('radio', { name: /^Monthly/ }).check()
  await page.getByRole('button', { name: 'Pay $10.81' }).first().click()
  await expect(page).toHaveURL('/account/payment')
  await expect(page.getByRole('heading', { level: 1, name: 'Pay with another method' })).toBeVisible()
}

const CARDS = [
  ['0000', '4000 0000 0002 0000'],
  ['4220', '4000 0000 0008 4220'],
  ['4221', '4000 0000 0007 4221'],
  ['4222', '4000 0000 0006 4222'],
  ['4223', '4000 0000 0005 4223'],
  ['4225', '4000 0000 0003 4225'],
  ['4226', '4000 0000 0002 4226'],
] as const

for (const [code, number] of CARDS)
  test(`${code === '0000' ? 'PAY-06 PAY-07' : 'PAY-06'} a charge that is refused with ${code} says its sentence as a toast and under the method`, async ({
    page,
  }) => {
    const sentence = catalogueEntry(code)?.text ?? ''
    await openAsNew(page, `refused${code}`, '/account/payment')
    await addCard(page, { number })
    await buyRefused(page)
    const refusal = page.getByRole('alert').filter({ hasText: `Code ${code}.` })
    await expect(refusal).toContainText(sentence)
    await expect(page.locator('.toast')).toContainText(sentence)
    await expect(refusal).toContainText(/Asked at \d\d:\d\d for \$10\.81\./)
    await expect(refusal).toBeFocused()
    await expect(page.getByText('Nothing was charged.')).toBeVisible()
    const again = page.getByRole('button', { name: `Try Visa ·· ${number.slice(-4)} again` })
    await expect(again).toBeVisible()
    await expect(refusal.getByRole('button', { name: 'Change address' })).toHaveCount(code === '4223' ? 1 : 0)
    expect((await refusal.getByRole('listitem').count()) > 0).toBe(code === '0000')
    expect(code === '4221' ? await findings(page, 'refused payment') : []).toEqual([])
    // A new key: the same answer, and again no charge.
    await again.click()
    await expect(refusal).toBeVisible()
  })

test('a refusal is left with the list of methods, which a reload shows too', async ({ page }) => {
  await openAsNew(page, 'leave', '/account/payment')
  await addCard(page, { number: '4000 0000 0007 4221' })
  await buyRefused(page)
  await page.getByRole('button', { name: 'All payment methods' }).click()
  await expect(methods(page)).toHaveCount(1)
  await page.reload()
  await expect(methods(page)).toHaveCount(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
  // What was chosen is still there to be bought.
  await page.goto('/account/products/unlimited')
  await expect(page.getByRole('button', { name: 'Pay $10.81' }).first()).toBeVisible()
})

test('PAY-06 a wallet that is refused with 4224 is not asked again; another method pays exactly the price', async ({
  page,
}) => {
  await openAsNew(page, 'wallet', '/account/payment')
  await page.getByRole('button', { name: 'Add a method' }).click()
  await page.locator('details.tests').evaluate((tests: HTMLDetailsElement) => (tests.open = true))
  await page.getByRole('button', { name: /^Use.* Test wallet that is declined$/ }).click()
  await expect(page.getByText('Saved just now.')).toBeVisible()
  await buyRefused(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Code 4224.' })).toContainText(
    'Your wallet payment method was declined. Please use a different payment method.',
  )
  const wait = page.getByRole('button', { name: 'Choose another method' })
  await expect(wait).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Add a card or wallet' }).click()
  await typeCard(page)
  await expect(page).toHaveURL('/account/payment')
  await expect(page.getByRole('radio', { name: 'Visa ·· 4242' })).toBeChecked()
  await page.getByRole('button', { name: 'Pay $10.81' }).click()
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByRole('heading', { level: 1, name: 'Unlimited Cameras is on' })).toBeFocused()
  await expect(page.getByText('$10.81 paid with Visa ·· 4242')).toBeVisible()
  expect(await findings(page, 'bought')).toEqual([])
  await page.goto('/account/services')
  await expect(page.getByRole('region', { name: 'Services' }).getByRole('listitem')).toContainText('Unlimited Cameras')
  await expect(page.getByRole('link', { name: 'Explore plans' })).toHaveCount(0)
})

test('CHECKOUT-04 what was bought is on the services, and the button for plans is gone', async ({ page }) => {
  await openAsNew(page, 'bought', '/account/services')
  const explore = page.getByRole('link', { name: 'Explore plans' })
  await expect(explore.first()).toBeVisible()
  await page.goto('/account/payment')
  await addCard(page)
  await page.goto('/account/products/unlimited')
  await page.getByRole('radio', { name: /^Annual/ }).check()
  await page.getByRole('button', { name: 'Pay $108.24' }).first().click()
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByText(/^Next charge \d+ \w+ \d{4}$/)).toBeVisible()
  await page.goto('/account/services')
  await expect(page.getByRole('region', { name: 'Services' }).getByRole('listitem')).toContainText('$108.24 with tax')
  await expect(page.getByRole('region', { name: 'Next charge' })).toContainText('Visa ·· 4242')
  await expect(explore).toHaveCount(0)
  await page.goto('/account/payment')
  await expect(page.getByRole('button', { name: 'Add another first' })).toBeVisible()
})
