import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { expect, removeExpectedProblems, signIn, test } from '../support/e2e.ts'

const PASSWORD = 'seven red kites at noon'
const ENTRY = `/api/auth/sign-up?path=${encodeURIComponent('/account/products/unlimited?period=monthly')}`

test.use({ viewport: { width: 390, height: 844 } })

const createEmail = (name: string) => `${name}-${Date.now()}@example.com`

/** Opens the outbox in a new tab, and confirms the email of this address there. */
async function confirmEmail(page: Page, email: string): Promise<Page> {
  const outboxUrl = await page
    .getByRole('link', { name: 'Open the outbox' })
    .evaluate((link) => (link as HTMLAnchorElement).href)
  const tab = await page.context().newPage()
  await tab.goto(outboxUrl)
  await tab.getByRole('link').filter({ hasText: email }).first().click()
  await tab.frameLocator('iframe').getByRole('link', { name: 'Confirm email' }).click()
  await tab.getByRole('button', { name: 'Confirm email' }).click()
  await expect(tab.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  return tab
}

test('OPEN-164 the sign-in page leads to a new account and back to the page that the visitor wanted', async ({
  page,
}) => {
  const email = createEmail('visitor')
  await page.goto('/account/products/choose')
  await page.getByRole('link', { name: 'Create account' }).click()
  await expect(page.getByText('Change', { exact: true })).toHaveCount(0)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const tab = await confirmEmail(page, email)
  await tab.getByRole('link', { name: 'Log in' }).click()
  await signIn(tab, email, PASSWORD)
  await expect(tab).toHaveURL(/\/account\/products\/choose/)
  await expect(tab.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
})

test('OPEN-164 the chosen plan can be changed and survives the confirmation, and the first tab shows it', async ({
  page,
}) => {
  const [typo, email] = [createEmail('typo'), createEmail('plan')]
  await page.goto(ENTRY)
  await expect(page.getByLabel('Email')).toBeFocused()
  const card = page.locator('summary')
  await expect(card).toContainText('$9.99 a month, all cameras')
  await card.click()
  await expect(card).toHaveText(/Choose a plan\s*Close/, { useInnerText: true })
  await page.getByText('Camera AI', { exact: true }).last().click()
  await expect(card).toContainText('$2.99 a month, per camera')
  await expect(card).toBeFocused()

  await page.getByLabel('Email').fill(typo)
  const [password, rule] = [page.getByLabel('Password', { exact: true }), page.locator('.rule')]
  await password.fill('123456789')
  await expect(rule).not.toHaveClass(/met/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Use 10 to 200 characters.')).toBeVisible()
  await expect(password).toBeFocused()
  await expect(password).toHaveValue('123456789')
  await password.fill(PASSWORD)
  await expect(rule).toHaveClass(/met/)
  await expect(page.getByText('Use 10 to 200 characters.')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Camera AI, $2.99 a month per camera, is saved.')).toBeVisible()
  const resend = page.getByRole('button', { name: /^Resend in \d:\d\d$/ })
  await expect(resend).toHaveAttribute('aria-disabled', 'true')
  await resend.focus()
  await expect(resend).toBeFocused()

  await page.getByRole('link', { name: 'Change email' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(typo)
  await page.getByLabel('Email').fill(email)
  await password.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText(email)).toBeVisible()
  await page.goBack()
  await page.goForward()
  await expect(page.getByText(email)).toBeVisible()

  await confirmEmail(page, email)
  await page.bringToFront()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Log in' }).click()
  await signIn(page, email, PASSWORD)
  await expect(page).toHaveURL(/\/account\/products\/camera-ai\?period=monthly/)
})

test('the form comes before its picture on a small screen, and its button has a border in forced colors', async ({
  page,
}) => {
  await page.goto(ENTRY)
  const picture = page.locator('.picture')
  await expect(picture).toHaveCSS('height', '120px')
  const readPageHeight = () => page.evaluate(() => document.documentElement.scrollHeight)
  await expect.poll(readPageHeight).toBeLessThanOrEqual(844)
  await page.setViewportSize({ width: 360, height: 225 })
  await expect(picture).toBeHidden()
  await page.emulateMedia({ forcedColors: 'active' })
  const button = page.getByRole('button', { name: 'Create account' })
  const readBorder = () => button.evaluate((element) => getComputedStyle(element).borderTopColor)
  await expect.poll(readBorder).not.toMatch(/^rgba\(.*, 0\)$/)
  await expect(button).toHaveCSS('border-top-width', '1px')
})

test('axe finds nothing on the pages of the sign-up', async ({ page, problems }) => {
  test.slow()
  const expectAccessible = async (name: string) => expect(await findViolations(page, name)).toEqual([])
  await page.goto('/api/auth/sign-up')
  await expect(page.getByLabel('Email')).toBeVisible()
  await expectAccessible('new account')
  await page.goto(ENTRY)
  await page.locator('summary').click()
  await expectAccessible('new account with the list of plans')
  await page.locator('summary').click()
  const email = createEmail('axe')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('password1234')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible('new account with an error')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expectAccessible('email to confirm')
  await page.goto(`${new URL(page.url()).origin}/account/create?link=unknown`)
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible()
  await expectAccessible('expired link')
  removeExpectedProblems(problems, { status: 400, path: /^\/account\/create$/ })
})

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false })

  test('OPEN-164 the plan, a wrong password and the next page work', async ({ page }) => {
    const email = createEmail('plain')
    await page.goto(ENTRY)
    await page.locator('summary').click()
    await page.getByText('Unlimited Pro', { exact: true }).last().click()
    await expect(page.locator('summary')).toContainText('$19.99 a month, all cameras')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('password1234')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('Unlimited Pro, $19.99 a month, is saved.')).toBeVisible()
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  })
})
