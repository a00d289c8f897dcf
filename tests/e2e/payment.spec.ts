import type { Page } from 'playwright/test'
import { findCatalogEntry } from '../../contract/wire/error-codes.ts'
import { findViolations } from '../support/axe.ts'
import { addCardOverHttp, openAsNewAccount } from '../support/browser-account.ts'
import { openWithCard, signInAsNewAccount } from '../support/customer.ts'
import { expect, removeExpectedProblems, SIGNED_OUT_STATE, SIGNED_IN_STATES, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_OUT_STATE })

const findPaymentMethods = (page: Page) => page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem')
const DECLINE_PROBLEM = { status: 402, path: /\/purchase_v3\/create$/ }

test.describe('account with nothing to pay', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test('PAY-04 any path with /payment shows the payment page, which requests nothing if nothing is due', async ({
    page,
  }) => {
    await page.goto('/shop/payment/method')
    await expect(page.getByRole('heading', { name: 'Payment methods' })).toBeVisible()
    await expect(page.getByText('No card or wallet saved.')).toBeVisible()
    await expect(page.getByText('No upcoming charges.')).toBeVisible()
    expect(await findViolations(page, 'no method')).toEqual([])
  })
})

test('PAY-02 PAY-03 one of several methods can be selected, and a reload keeps the selection', async ({ page }) => {
  await signInAsNewAccount(page, 'cards')
  await addCardOverHttp(page)
  await addCardOverHttp(page, { number: '5555 5555 5555 4444' })
  await page.goto('/account/payment')
  await expect(findPaymentMethods(page)).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Billing address' })).toContainText('48 Alder Lane')
  await page.getByRole('button', { name: 'Make default: Mastercard ·· 4444' }).click()
  const defaultMethod = findPaymentMethods(page).filter({ has: page.getByText('Default', { exact: true }) })
  await expect(defaultMethod).toContainText('Mastercard ·· 4444')
  await page.reload()
  await expect(defaultMethod).toContainText('Mastercard ·· 4444')
  const readSelection = () => page.evaluate(() => localStorage.getItem('selectedPayment') ?? 'null')
  await expect
    .poll(async () => JSON.parse(await readSelection()) as unknown)
    .toEqual({
      id: expect.any(String),
      type: 'card',
      brand: 'mastercard',
      expiry: { month: 8, year: 2038 },
    })
  // Settled: the poll above has read the stored selection.
  expect(await readSelection()).not.toMatch(/4444|Alder/)
  expect(await findViolations(page, 'two methods')).toEqual([])
  await page.getByRole('button', { name: 'Remove Visa ·· 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(findPaymentMethods(page)).toHaveCount(1)
})

test('leaving the card page without a card saves none and shows a message', { tag: '@all' }, async ({ page }) => {
  await openAsNewAccount(page, 'left', '/account/payment')
  await page.getByRole('button', { name: 'Add a payment method' }).click()
  await expect(page.locator('[name=number]')).toBeVisible()
  await page
    .getByRole('button', { name: 'Not you?' })
    .or(page.getByRole('link', { name: 'Not you?' }))
    .click()
  await expect(page).toHaveURL('/account/payment')
  await expect(page.locator('.toast')).toBeVisible()
  await expect(findPaymentMethods(page)).toHaveCount(0)
})

/** Tries to buy monthly Unlimited with the default payment method, which is declined. Waits for the payment page. */
async function buyWithDecline(page: Page): Promise<void> {
  await page.goto('/account/products/unlimited')
  await page.getByRole('radio', { name: /^Monthly/ }).check()
  await page.getByRole('button', { name: 'Pay $10.81' }).first().click()
  await expect(page).toHaveURL('/account/payment')
  await expect(page.getByRole('heading', { level: 1, name: 'Pay with another method' })).toBeVisible()
}

const DECLINED_CARDS = [
  ['4220', '4000 0000 0008 4220'],
  ['4221', '4000 0000 0007 4221'],
  ['4222', '4000 0000 0006 4222'],
  ['4223', '4000 0000 0005 4223'],
  ['4225', '4000 0000 0003 4225'],
  ['4226', '4000 0000 0002 4226'],
] as const

const locateDecline = (page: Page, code: string) => page.getByRole('alert').filter({ hasText: `Code ${code}.` })

/**
 * Asserts that the toast and the alert of the payment method show the sentence for the decline code. Closes the toast.
 */
async function expectDecline(page: Page, code: string): Promise<void> {
  const sentence = findCatalogEntry(code)?.text ?? 'no entry'
  const declineAlert = locateDecline(page, code)
  await expect(declineAlert).toContainText(sentence)
  await expect(declineAlert).toContainText(/\$10\.81 at \d\d:\d\d\./)
  await expect(declineAlert).toBeFocused()
  await expect(declineAlert.getByRole('button', { name: 'Edit address' })).toHaveCount(code === '4223' ? 1 : 0)
  await expect(page.getByText('You haven’t been charged')).toBeVisible()
  const toast = page.locator('.toast')
  await expect(toast).toContainText(sentence)
  // The page shows the next toast only after this toast is closed.
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect(toast.filter({ hasText: sentence })).toHaveCount(0)
}

const findPayButton = (page: Page) => page.getByRole('region', { name: 'Summary' }).getByRole('button')

test('PAY-06 PAY-07 each decline of a charge, 0000 to 4226, shows its message as a toast and under its method', async ({
  page,
  problems,
}) => {
  await signInAsNewAccount(page, 'refused')
  await addCardOverHttp(page, { number: '4000 0000 0002 0000' })
  for (const [, number] of DECLINED_CARDS) await addCardOverHttp(page, { number })
  await buyWithDecline(page)
  await expectDecline(page, '0000')
  await expect(locateDecline(page, '0000').getByRole('listitem').first()).toBeVisible()
  // The retry sends a new idempotency key, gets the same decline, and again charges nothing.
  await page.getByRole('button', { name: 'Try Visa ·· 0000 again' }).click()
  await expectDecline(page, '0000')
  for (const [code] of DECLINED_CARDS) {
    await page.getByRole('radio', { name: `Visa ·· ${code}` }).check()
    await expect(findPayButton(page)).toHaveText('Pay $10.81')
    await findPayButton(page).click()
    await expectDecline(page, code)
    await expect(locateDecline(page, code).getByRole('listitem')).toHaveCount(0)
  }
  expect(await findViolations(page, 'refused payment')).toEqual([])
  removeExpectedProblems(problems, DECLINE_PROBLEM)
})

test('PAY-06 a wallet declined with 4224 cannot be retried; another method pays exactly the price', async ({
  page,
  problems,
}) => {
  await openWithCard(page, 'wallet', '/account/payment')
  await page.getByRole('button', { name: 'Add a payment method' }).click()
  await page.locator('details.tests').evaluate((tests: HTMLDetailsElement) => (tests.open = true))
  await page.getByRole('button', { name: /^Use.* Declined test wallet$/ }).click()
  await expect(page).toHaveURL('/account/payment')
  await page.getByRole('button', { name: /^Make default: .*wallet/i }).click()
  await buyWithDecline(page)
  await expectDecline(page, '4224')
  const blockedPayButton = page.getByRole('button', { name: 'Choose another payment method' })
  await expect(blockedPayButton).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('radio', { name: 'Visa ·· 4242' }).check()
  await findPayButton(page).click()
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByRole('heading', { level: 1, name: 'Unlimited Cameras is active' })).toBeFocused()
  await expect(page.getByText('$10.81 paid with Visa ·· 4242')).toBeVisible()
  expect(await findViolations(page, 'bought')).toEqual([])
  removeExpectedProblems(problems, DECLINE_PROBLEM)
})

test(
  'a declined payment can be left for the list of methods, which a reload also shows',
  { tag: '@all' },
  async ({ page, problems }) => {
    await signInAsNewAccount(page, 'leave')
    await addCardOverHttp(page, { number: '4000 0000 0007 4221' })
    await buyWithDecline(page)
    await page.getByRole('button', { name: 'Show all payment methods' }).click()
    await expect(findPaymentMethods(page)).toHaveCount(1)
    await page.reload()
    await expect(findPaymentMethods(page)).toHaveCount(1)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.goto('/account/products/unlimited')
    await expect(page.getByRole('button', { name: 'Pay $10.81' }).first()).toBeVisible()
    removeExpectedProblems(problems, DECLINE_PROBLEM)
  },
)

test(
  'CHECKOUT-04 a new subscription shows its next charge on the services page, and its payment method cannot be removed',
  { tag: '@all' },
  async ({ page }) => {
    await openWithCard(page, 'bought', '/account/products/unlimited')
    await page.getByRole('radio', { name: /^Annual/ }).check()
    await page.getByRole('button', { name: 'Pay $108.24' }).first().click()
    await expect(page).toHaveURL('/account/products/bought')
    await expect(page.getByText(/^Next charge on \d+ \w+ \d{4}$/)).toBeVisible()
    await page.goto('/account/services')
    await expect(page.getByRole('region', { name: 'Services' }).getByRole('listitem')).toContainText('$108.24 with tax')
    await expect(page.getByRole('region', { name: 'Next charge' })).toContainText('Visa ·· 4242')
    await page.goto('/account/payment')
    await expect(page.getByRole('button', { name: 'Remove Visa' })).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText('To remove this method, add another one first.')).toBeVisible()
  },
)
