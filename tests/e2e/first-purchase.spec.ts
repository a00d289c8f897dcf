import { findViolations } from '../support/axe.ts'
import { openAsNewAccount } from '../support/browser-account.ts'
import { typeCard } from '../support/customer.ts'
import { expect, pressTabUntilFocused, SIGNED_OUT_STATE, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_OUT_STATE })

test('a new account without cameras buys on a phone with the keyboard, and then adds its first camera', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openAsNewAccount(page, 'first-plan', '/account/products/camera-ai')
  await page.goto('/account/products/camera-ai?period=annual')
  await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked()
  await pressTabUntilFocused(page, page.getByRole('button', { name: 'Add a card or wallet' }))
  await page.keyboard.press('Enter')
  await typeCard(page)
  await expect(page).toHaveURL('/account/products/camera-ai')
  const pay = page.getByRole('button', { name: 'Pay $32.46' })
  await expect(pay).not.toHaveAttribute('aria-disabled', 'true')
  await pressTabUntilFocused(page, pay)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Camera AI is active')
  const plan = page.getByRole('region', { name: 'What your plan includes' })
  await expect(plan).toContainText('14 days')
  await expect(plan).not.toContainText(/\b0\b/)
  expect(await findViolations(page, 'bought without cameras')).toEqual([])
  await pressTabUntilFocused(page, plan.getByRole('link', { name: 'Add your first camera' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/live')
  await expect(page.getByRole('heading', { name: 'Add your first camera' })).toBeVisible()
})
