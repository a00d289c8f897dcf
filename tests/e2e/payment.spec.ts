import type { Page } from 'playwright/test'
import { findCatalogEntry } from '../../contract/wire/error-codes.ts'
import { findings } from '../support/axe.ts'
import { giveCard, openAsNew } from '../support/browser-account.ts'
import { openWithCard, signInAsNew } from '../support/customer.ts'
import { expect, forgive, NOBODY, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: NOBODY })

const methods = (page: Page) => page.getByRole('list', { name: 'Payment methods' }).getByRole('listitem')
/** Failed request that the browser reports for a declined payment. */
const REFUSED = { status: 402, path: /\/purchase_v3\/create$/ }

test.describe('account with nothing to pay', () => {
  test.use({ storageState: SIGNED_IN.free })

  test('PAY-04 any path with /payment shows the payment page, which requests nothing if nothing is due', async ({
    page,
  }) => {
    await page.goto('/shop/payment/method')
    await expect(page.getByRole('heading', { name: 'How you pay' })).toBeVisible()
    await expect(page.getByText('No card or wallet is saved.')).toBeVisible()
    await expect(page.getByText('Nothing is to be paid.')).toBeVisible()
    expect(await findings(page, 'no method')).toEqual([])
  })
})

test('PAY-02 PAY-03 one of several methods can be selected, and a reload keeps the selection', async ({ page }) => {
  await signInAsNew(page, 'cards')
  await giveCard(page)
  await giveCard(page, { number: '5555 5555 5555 4444' })
  await page.goto('/account/payment')
  await expect(methods(page)).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Billing address' })).toContainText('48 Alder Lane')
  await page.getByRole('button', { name: 'Make default: Mastercard ·· 4444' }).click()
  const chosen = methods(page).filter({ has: page.getByText('Default', { exact: true }) })
  await expect(chosen).toContainText('Mastercard ·· 4444')
  await page.reload()
  await expect(chosen).toContainText('Mastercard ·· 4444')
  const readSelection = () => page.evaluate(() => localStorage.getItem('selectedPayment') ?? 'null')
  await expect
    .poll(async () => JSON.parse(await readSelection()) as unknown)
    .toEqual({
      ...{ id: expect.any(String), type: 'card', brand: 'mastercard', expiry: { month: 8, year: 2038 } },
    })
  // Settled: the chosen card is stored by now.
  expect(await readSelection()).not.toMatch(/4444|Alder/)
  expect(await findings(page, 'two methods')).toEqual([])
  await page.getByRole('button', { name: 'Remove Visa ·· 4242' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(methods(page)).toHaveCount(1)
})

test('leaving the card page without a card saves none and shows a message', { tag: '@all' }, async ({ page }) => {
  await openAsNew(page, 'left', '/account/payment')
  await page.getByRole('button', { name: 'Add a method' }).click()
  await expect(page.locator('[name=number]')).toBeVisible()
  await page
    .getByRole('button', { name: 'Not you?' })
    .or(page.getByRole('link', { name: 'Not you?' }))
    .click()
  await expect(page).toHaveURL('/account/payment')
  await expect(page.locator('.toast')).toBeVisible()
  await expect(methods(page)).toHaveCount(0)
})

/** Chooses monthly Unlimited and pays with the default method, which is declined; ends on the payment page. */
async function buyRefused(page: Page): Promise<void> {
  await page.goto('/account/products/unlimited')
  await page.getByRole('radio', { name: /^Monthly/ }).check()
  await page.getByRole('button', { name: 'Pay $10.81' }).first().click()
  await expect(page).toHaveURL('/account/payment')
  await expect(page.getByRole('heading', { level: 1, name: 'Pay with another method' })).toBeVisible()
}

const DECLINED = [
  ['4220', '4000 0000 0008 4220'],
  ['4221', '4000 0000 0007 4221'],
  ['4222', '4000 0000 0006 4222'],
  ['4223', '4000 0000 0005 4223'],
  ['4225', '4000 0000 0003 4225'],
  ['4226', '4000 0000 0002 4226'],
] as const

const locateDecline = (page: Page, code: string) => page.getByRole('alert').filter({ hasText: `Code ${code}.` })

/** Checks the decline with this code: its sentence is in the toast and under the payment method. */
async function expectRefusal(page: Page, code: string): Promise<void> {
  const sentence = findCatalogEntry(code)?.text ?? 'no entry'
  const refusal = locateDecline(page, code)
  await expect(refusal).toContainText(sentence)
  await expect(refusal).toContainText(/\d\d:\d\d for \$10\.81\./)
  await expect(refusal).toBeFocused()
  await expect(refusal.getByRole('button', { name: 'Change address' })).toHaveCount(code === '4223' ? 1 : 0)
  await expect(page.getByText('Nothing was charged.')).toBeVisible()
  const toast = page.locator('.toast')
  await expect(toast).toContainText(sentence)
  // The next toast waits until this one is closed.
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect(toast.filter({ hasText: sentence })).toHaveCount(0)
}

const payButton = (page: Page) => page.getByRole('region', { name: 'What you pay' }).getByRole('button')

test('PAY-06 PAY-07 each decline of a charge, 0000 to 4226, shows its message as a toast and under its method', async ({
  page,
  problems,
}) => {
  await signInAsNew(page, 'refused')
  await giveCard(page, { number: '4000 0000 0002 0000' })
  for (const [, number] of DECLINED) await giveCard(page, { number })
  await buyRefused(page)
  await expectRefusal(page, '0000')
  await expect(locateDecline(page, '0000').getByRole('listitem').first()).toBeVisible()
  // The retry sends a new idempotency key, gets the same decline, and again charges nothing.
  await page.getByRole('button', { name: 'Try Visa ·· 0000 again' }).click()
  await expectRefusal(page, '0000')
  for (const [code] of DECLINED) {
    await page.getByRole('radio', { name: `Visa ·· ${code}` }).check()
    await expect(payButton(page)).toHaveText('Pay $10.81')
    await payButton(page).click()
    await expectRefusal(page, code)
    await expect(locateDecline(page, code).getByRole('listitem')).toHaveCount(0)
  }
  expect(await findings(page, 'refused payment')).toEqual([])
  forgive(problems, REFUSED)
})

test('PAY-06 a wallet declined with 4224 cannot be retried; another method pays exactly the price', async ({
  page,
  problems,
}) => {
  await openWithCard(page, 'wallet', '/account/payment')
  await page.getByRole('button', { name: 'Add a method' }).click()
  await page.locator('details.tests').evaluate((tests: HTMLDetailsElement) => (tests.open = true))
  await page.getByRole('button', { name: /^Use.* Test wallet that is declined$/ }).click()
  await expect(page).toHaveURL('/account/payment')
  await page.getByRole('button', { name: /^Make default: .*wallet/i }).click()
  await buyRefused(page)
  await expectRefusal(page, '4224')
  const wait = page.getByRole('button', { name: 'Choose another method' })
  await expect(wait).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('radio', { name: 'Visa ·· 4242' }).check()
  await payButton(page).click()
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByRole('heading', { level: 1, name: 'Unlimited Cameras is on' })).toBeFocused()
  await expect(page.getByText('$10.81 paid with Visa ·· 4242')).toBeVisible()
  expect(await findings(page, 'bought')).toEqual([])
  forgive(problems, REFUSED)
})

test(
  'a declined payment can be left for the list of methods, which a reload also shows',
  { tag: '@all' },
  async ({ page, problems }) => {
    await signInAsNew(page, 'leave')
    await giveCard(page, { number: '4000 0000 0007 4221' })
    await buyRefused(page)
    await page.getByRole('button', { name: 'All payment methods' }).click()
    await expect(methods(page)).toHaveCount(1)
    await page.reload()
    await expect(methods(page)).toHaveCount(1)
    await expect(page.getByRole('alert')).toHaveCount(0)
    // The chosen plan is still available to buy.
    await page.goto('/account/products/unlimited')
    await expect(page.getByRole('button', { name: 'Pay $10.81' }).first()).toBeVisible()
    forgive(problems, REFUSED)
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
    await expect(page.getByText(/^Next charge \d+ \w+ \d{4}$/)).toBeVisible()
    await page.goto('/account/services')
    await expect(page.getByRole('region', { name: 'Services' }).getByRole('listitem')).toContainText('$108.24 with tax')
    await expect(page.getByRole('region', { name: 'Next charge' })).toContainText('Visa ·· 4242')
    await page.goto('/account/payment')
    await expect(page.getByRole('button', { name: 'Add another first' })).toBeVisible()
  },
)
