import type { Page } from 'playwright/test'
import { openWithPlan } from '../support/customer.ts'
import { cameraAiPlan } from '../support/browser-account.ts'
import { expect, holdResponses, SIGNED_IN_STATES, SIGNED_OUT_STATE, test } from '../support/e2e.ts'
import { measureBox } from '../support/timeline.ts'

test.use({ storageState: SIGNED_IN_STATES.free })

const SUBSCRIPTIONS = '**/v2/subscriptions/**'
const findPeriod = (page: Page, name: 'Monthly' | 'Annual') => page.getByRole('radio', { name })
const findPro = (page: Page) => page.getByRole('checkbox', { name: 'Add Pro' })
const findForm = (page: Page) => page.getByRole('region', { name: 'Your choices' })
const findAmountDue = (page: Page) => page.getByRole('region', { name: 'Today’s price' }).locator('.price-due dd')

/** The page loads the plan simulation when it has hydrated. */
const waitUntilHydrated = (page: Page) => expect(page.locator('.truth-panel .quote-skeleton')).toHaveCount(0)

test('choices before the subscriptions load are shown, and keep their price and the focus', async ({ page }) => {
  const release = await holdResponses(page, SUBSCRIPTIONS)
  await page.goto('/account/products/unlimited')
  await waitUntilHydrated(page)
  await page.getByText('Monthly', { exact: true }).click()
  await expect(findPeriod(page, 'Monthly')).toBeChecked()
  await expect(page.getByText('+$10.00 a month', { exact: true })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(findPeriod(page, 'Annual')).toBeChecked()
  await expect(findForm(page)).toHaveAttribute('aria-busy', 'true')
  const places = [await measureBox(findPeriod(page, 'Annual')), await measureBox(findPro(page))]
  release()
  await expect(findAmountDue(page)).toHaveText('$108.24')
  await expect(findPeriod(page, 'Annual')).toBeChecked()
  await expect(findPeriod(page, 'Annual')).toBeFocused()
  expect([await measureBox(findPeriod(page, 'Annual')), await measureBox(findPro(page))]).toEqual(places)
  await page.keyboard.press('ArrowLeft')
  await expect(findAmountDue(page)).toHaveText('$10.81')
})

test('Pro can be added before the subscriptions load, but the steps that need them are inert', async ({ page }) => {
  const release = await holdResponses(page, SUBSCRIPTIONS)
  await page.goto('/account/products/unlimited?period=annual')
  await waitUntilHydrated(page)
  const couponField = page.getByRole('textbox', { name: 'Coupon code' })
  await couponField.focus()
  await expect(couponField).not.toBeFocused()
  await findPro(page).check()
  await findPeriod(page, 'Monthly').check()
  await findPro(page).focus()
  release()
  await expect(findAmountDue(page)).toHaveText('$21.64')
  await expect(findPro(page)).toBeChecked()
  await expect(findPro(page)).toBeFocused()
  await expect(findPeriod(page, 'Monthly')).toBeChecked()
})

test('a press that begins before the subscriptions load and ends later counts once', async ({ page }) => {
  const release = await holdResponses(page, SUBSCRIPTIONS)
  await page.goto('/account/products/unlimited')
  await waitUntilHydrated(page)
  await page.getByText('Add Pro', { exact: true }).hover()
  await page.mouse.down()
  release()
  await expect(findForm(page)).toHaveAttribute('aria-busy', 'false')
  await page.mouse.up()
  await findPeriod(page, 'Monthly').check()
  await expect(findAmountDue(page)).toHaveText('$21.64')
  await expect(findPro(page)).toBeChecked()
})

test('a press that begins before the subscriptions load adds Pro, also if Pro turns out to be chosen', async ({
  page,
}) => {
  const release = await holdResponses(page, SUBSCRIPTIONS)
  await page.goto('/account/products/unlimited?plan=pro&period=monthly')
  await waitUntilHydrated(page)
  await expect(findPro(page)).not.toBeChecked()
  await page.getByText('Add Pro', { exact: true }).hover()
  await page.mouse.down()
  release()
  await expect(findForm(page)).toHaveAttribute('aria-busy', 'false')
  await page.mouse.up()
  await expect(findAmountDue(page)).toHaveText('$21.64')
  await expect(findPro(page)).toBeChecked()
})

test('choices before the page has hydrated count', async ({ page }) => {
  const release = await holdResponses(page, /\/_astro\/(Plan|page-chunk)\./)
  await page.goto('/account/products/unlimited', { waitUntil: 'commit' })
  await page.getByText('Monthly', { exact: true }).click()
  await page.getByText('Add Pro', { exact: true }).click()
  await expect(findPeriod(page, 'Monthly')).toBeChecked()
  release()
  await expect(findAmountDue(page)).toHaveText('$21.64')
  await expect(findPeriod(page, 'Monthly')).toBeChecked()
  await expect(findPro(page)).toBeChecked()
  await expect(findPro(page)).toBeFocused()
})

test.describe('with a plan', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('an early choice changes that plan', { tag: '@all' }, async ({ page }) => {
    const release = await holdResponses(page, SUBSCRIPTIONS)
    await openWithPlan(page, 'early', '/account/products/camera-ai', cameraAiPlan(1))
    await waitUntilHydrated(page)
    await findPeriod(page, 'Annual').press('Space')
    await expect(findPeriod(page, 'Annual')).toBeChecked()
    release()
    await expect(page.getByRole('region', { name: 'Today’s price' })).toContainText('Unused time on Camera AI')
    await expect(findPeriod(page, 'Annual')).toBeChecked()
    await expect(findPeriod(page, 'Annual')).toBeFocused()
  })
})
