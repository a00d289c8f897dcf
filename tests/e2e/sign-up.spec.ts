import { expect, signIn, test } from '../support/e2e.ts'

const PASSWORD = 'seven red kites at noon'

test.use({ viewport: { width: 390, height: 844 } })

test('OPEN-164 a visitor creates an account from a plan, confirms the email and returns to that plan', async ({
  page,
}) => {
  const email = `visitor-${Date.now()}@example.com`
  await page.goto('/account/products/choose')
  await page.getByRole('link', { name: 'Create account' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await page.getByRole('link', { name: 'Open the outbox' }).click()
  await page.getByRole('link').filter({ hasText: email }).first().click()
  await page.frameLocator('iframe').getByRole('link', { name: 'Confirm email' }).click()
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await signIn(page, email, PASSWORD)
  await expect(page).toHaveURL(/\/account\/products\/choose/)
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
})
