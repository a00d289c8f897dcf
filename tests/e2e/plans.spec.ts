import type { Page } from 'playwright/test'
import { findCatalogEntry } from '../../contract/wire/error-codes.ts'
import { findViolations } from '../support/axe.ts'
import { cameraAiPlan, openAsNewAccount } from '../support/browser-account.ts'
import { openWithCard, openWithPlan } from '../support/customer.ts'
import {
  expect,
  removeExpectedProblems,
  SIGNED_OUT_STATE,
  SIGNED_IN_STATES,
  signIn,
  test,
  routeThroughProxy,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'
import { scaleTimeout } from '../support/machine.ts'

test.use({ storageState: SIGNED_OUT_STATE })

const pricePanel = (page: Page) => page.getByRole('region', { name: 'Today’s price' })
const amountDue = (page: Page) => pricePanel(page).locator('.price-due dd')
const payButton = (page: Page) => pricePanel(page).getByRole('button').last()
const periodRadio = (page: Page, name: 'Monthly' | 'Annual') => page.getByRole('radio', { name })

function recordCalls(page: Page): { path: string; body: Record<string, unknown> }[] {
  const calls: { path: string; body: Record<string, unknown> }[] = []
  page.on('request', (request) => {
    const [path = ''] = /purchase_v3\/\w+/.exec(request.url()) ?? []
    if (path) calls.push({ path, body: request.postDataJSON() as Record<string, unknown> })
  })
  return calls
}

/** Opens the plan page with the provider's catalog, but with Pro not on sale, as for a brand without Pro. */
async function openPlansWithoutPro(page: Page, faults: FaultProxy): Promise<void> {
  faults.clearFaults()
  await routeThroughProxy(page, faults, '**/services/*_info')
  const answer = page.waitForResponse(
    (response) => response.url().includes('_info') && response.request().postData()?.includes('catalogue') === true,
  )
  await page.goto('/account/products/unlimited')
  await expect(page.getByRole('checkbox', { name: 'Add Pro' })).toBeVisible()
  await expect(page.getByText('Join the waitlist')).toHaveCount(0)
  const catalog = (await (await answer).json()) as { data: { plans: { sku: string; on_sale: boolean }[] } }
  for (const plan of catalog.data.plans) plan.on_sale &&= plan.sku !== 'pro'
  // This response also answers the call for payment methods, which this test does not need.
  faults.fail('/', { kind: 'answer', status: 200, body: JSON.stringify(catalog) })
  await page.reload()
  await expect(page.getByText('Pro isn’t available here yet.')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Add Pro' })).toHaveCount(0)
}

const readStoredCurrency = (page: Page) => page.evaluate(() => localStorage.getItem('currentCurrency') ?? '')

test.describe('plan selection without a plan', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test('PLAN-01 PLAN-03 the chooser lists every plan with its price and opens the page of the chosen one', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/account/products/choose')
    const cards = page.locator('.price-card')
    await expect(cards.getByRole('heading')).toHaveText(['Free', 'Camera AI', 'Unlimited Cameras', 'Unlimited Pro'])
    for (const [n, price] of ['$0', '$2.99', '$9.99', '$19.99'].entries())
      await expect(cards.nth(n)).toContainText(price)
    await expect(cards.first()).toContainText('Current plan')
    const homeMonitoring = page.getByRole('region', { name: 'Home Monitoring' })
    await expect(homeMonitoring).toContainText('no one monitors your home')
    await expect(homeMonitoring).toContainText('$9.99 a month')
    await expect(cards.getByRole('checkbox').or(cards.getByRole('radio'))).toHaveCount(0)
    await expect(page.getByRole('cell', { name: '60 days' })).toBeVisible()
    await page.getByRole('button', { name: 'Annual' }).click()
    await expect(cards.nth(2)).toContainText('$99.99 a year')
    await expect(cards.nth(2)).toContainText('Save $19.89 a year')
    expect(await findViolations(page, 'the chooser')).toEqual([])
    await cards.nth(3).getByRole('link').click()
    await expect(page.getByRole('checkbox', { name: 'Add Pro' })).toBeChecked()
    await page.goto('/account/products/choose')
    await page.getByRole('button', { name: 'Annual' }).click()
    await cards.nth(2).getByRole('link').click()
    await expect(page).toHaveURL('/account/products/unlimited')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unlimited Cameras')
    await expect(periodRadio(page, 'Annual')).toBeChecked()
    await expect(amountDue(page)).toHaveText('$108.24')
  })

  test('PLAN-04 CHECKOUT-01 CHECKOUT-07 nothing is preselected; after a choice the price equals the preview response, in dollars', async ({
    page,
  }) => {
    await page.goto('/account/products/unlimited')
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
    await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
    await expect(amountDue(page)).toHaveCount(0)
    await payButton(page).press('Enter')
    await expect(periodRadio(page, 'Monthly')).toBeFocused()
    const answer = page.waitForResponse(/preview_purchase/)
    await periodRadio(page, 'Monthly').check()
    const { data } = (await (await answer).json()) as { data: { due: number; currency: string } }
    expect(data).toMatchObject({ due: 1081, currency: 'USD' })
    await expect(amountDue(page)).toHaveText('$10.81')
    await page.getByRole('checkbox', { name: 'Add Pro' }).check()
    await expect(amountDue(page)).toHaveText('$21.64')
    await expect(pricePanel(page)).toContainText('Unlimited Pro, monthly')
    await expect.poll(() => readStoredCurrency(page)).toMatch(/^(USD|null)$/)
    expect(await findViolations(page, 'a plan')).toEqual([])
  })

  test('CART-22 CART-03 CART-08 the number of cameras changes the price and survives a reload', async ({ page }) => {
    await page.goto('/account/products/camera-ai')
    await periodRadio(page, 'Annual').check()
    await expect(amountDue(page)).toHaveText('$32.46')
    await page.getByRole('button', { name: 'Add one camera' }).click()
    await page.getByRole('button', { name: 'Add one camera' }).click()
    await expect(pricePanel(page)).toContainText('3 × Camera AI, annual')
    const field = page.getByRole('textbox', { name: 'Cameras', exact: true })
    await page.reload()
    await expect(field).toHaveValue('3')
    await expect(periodRadio(page, 'Annual')).toBeChecked()
    const readCart = (cart: 'cardCart' | 'planCart') =>
      page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? '{}') as object, cart)
    await expect
      .poll(() => readCart('cardCart'))
      .toMatchObject({ checkout: { sku: 'cam-ai', level: 1, mode: 'annual', quantity: 3 } })
    await expect
      .poll(() => readCart('planCart'))
      .toMatchObject({ checkout: { plan: { an_quantity: 3, mo_quantity: 3 } } })
    for (const bad of ['0', '100', '1.5', 'x']) {
      await field.fill(bad)
      await expect(page.getByRole('alert').filter({ hasText: '1 to 99' })).toBeVisible()
      await expect(field).toHaveAccessibleDescription(/1 to 99/)
      await expect(payButton(page)).toHaveText('Choose 1 to 99 cameras')
    }
    await field.fill('1')
    await expect(amountDue(page)).toHaveText('$32.46')
    await expect(page.getByRole('button', { name: 'Remove one camera' })).toBeDisabled()
  })

  test('SESSION-05 OPEN-173 if Pro is not on sale, people join a provider list that a new browser knows', async ({
    page,
    browser,
    baseURL,
    faults,
  }) => {
    await openPlansWithoutPro(page, faults)
    await page.getByRole('button', { name: 'Join waitlist' }).click()
    await expect(page.getByText('You’re on the waitlist')).toBeVisible()
    const context = await browser.newContext({ storageState: SIGNED_IN_STATES.free, ...(baseURL && { baseURL }) })
    const other = await context.newPage()
    await openPlansWithoutPro(other, faults)
    await expect(other.getByText('You’re on the waitlist')).toBeVisible()
    await other.getByRole('button', { name: 'Leave waitlist' }).click()
    await expect(other.getByRole('button', { name: 'Join waitlist' })).toBeVisible()
    await context.close()
  })

  test('on a phone the price is a pull-up bar, and nothing scrolls sideways from 350 px upward', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/account/products/camera-ai')
    await periodRadio(page, 'Monthly').check()
    await page.getByRole('button', { name: /Due today/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Today’s price' })
    await expect(sheet).toContainText('1 × Camera AI, monthly')
    expect(await findViolations(page, 'the sheet')).toEqual([])
    await page.keyboard.press('Escape')
    for (const width of [350, 390, 768, 1024]) {
      await page.setViewportSize({ width, height: 844 })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })
})

test('CHECKOUT-02 CHECKOUT-04 a plan is bought for exactly the price shown and then listed as a service', async ({
  page,
}) => {
  const calls = recordCalls(page)
  await openWithCard(page, 'buyer', '/account/products/unlimited')
  const explore = page.getByRole('link', { name: 'Explore plans' })
  await expect(explore.first()).toBeVisible()
  await periodRadio(page, 'Monthly').check()
  await expect(payButton(page)).toHaveText('Pay $10.81')
  await payButton(page).click()
  await expect(page).toHaveURL('/account/products/bought')
  const created = calls.filter(({ path }) => path.endsWith('create'))
  expect(created.map(({ body }) => body)).toEqual([
    expect.objectContaining({ sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 }),
  ])
  expect(created[0]?.body).not.toHaveProperty('price')
  await page.goto('/account/services')
  await expect(page.getByRole('region', { name: 'Services' }).getByRole('listitem')).toContainText('Unlimited Cameras')
  await expect(explore).toHaveCount(0)
})

test('PLAN-05 CHECKOUT-03 SUB-10 with a plan, the page of another plan changes it; only changes with a code are offered', async ({
  page,
}) => {
  const calls = recordCalls(page)
  await openWithPlan(page, 'update', '/account/products/unlimited', cameraAiPlan(1))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Switch to Unlimited Cameras')
  await periodRadio(page, 'Annual').check()
  await expect(pricePanel(page)).toContainText('Unused time on Camera AI')
  await expect(payButton(page)).toHaveText(/^Pay \$/)
  await payButton(page).click()
  await expect(page).toHaveURL('/account/products/bought')
  const [update] = calls.filter(({ path }) => path.endsWith('update_v3'))
  expect(update?.body).toMatchObject({
    sku: 'unlimited',
    level: 2,
    mode: 'annual',
    change: 51,
    revision: expect.any(Number) as unknown,
  })
  await page.goto('/account/products/unlimited')
  await periodRadio(page, 'Annual').check()
  await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
  // A change to a shorter period costs nothing today and takes effect when the paid period ends.
  await periodRadio(page, 'Monthly').check()
  await expect(amountDue(page)).toHaveText('$0.00')
  await expect(payButton(page)).toHaveText(/^Change plan on \d+ \w+( \d{4})?$/)
  await payButton(page).click()
  await expect(page).toHaveURL('/account/products/bought')
  await page.goto('/account/products/choose')
  await page.getByRole('link', { name: 'Switch to Free' }).click()
  await expect(page).toHaveURL('/account/services')
  await expect(page.getByRole('dialog')).toContainText('Unlimited Cameras')
})

test('COUPON-02 a coupon reduces the price; an unusable one gives the reason beside it and as a toast', async ({
  page,
  problems,
}) => {
  await openAsNewAccount(page, 'coupon', '/account/products/unlimited')
  await periodRadio(page, 'Annual').check()
  await expect(amountDue(page)).toHaveText('$108.24')
  const code = page.getByLabel('Coupon code')
  await code.fill('E4106')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Code 4106. The coupon wasn’t used.' })).toBeVisible()
  await expect(page.locator('.toast')).toContainText(findCatalogEntry('4106')?.text ?? 'no entry')
  await expect(amountDue(page)).toHaveText('$108.24')
  await code.fill('welcome20')
  await code.press('Enter')
  await expect(page.getByText('20% off the first year.')).toBeVisible()
  await expect(amountDue(page)).toHaveText('$86.59')
  await page.getByRole('button', { name: 'Remove coupon' }).click()
  await expect(amountDue(page)).toHaveText('$108.24')
  removeExpectedProblems(problems, { status: 409, path: /\/purchase_v3\/preview_purchase$/ })
})

test('the choice made on the home page survives the sign-in', async ({ page, problems }) => {
  await page.goto('/')
  await page.getByText('Annual').click()
  await page.getByRole('link', { name: 'Choose Unlimited Pro' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await signIn(page, 'free@example.com')
  await expect(page).toHaveURL('/account/products/unlimited')
  await expect(periodRadio(page, 'Annual')).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Add Pro' })).toBeChecked()
  await expect(amountDue(page)).toHaveText('$216.49')
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

test('CHECKOUT-05 a pending purchase is followed across a reload until it completes', async ({ page }) => {
  await openWithCard(page, 'task', '/account/products/unlimited', { number: '4000 0000 0004 2020' })
  await periodRadio(page, 'Monthly').check()
  await expect(payButton(page)).toHaveText('Pay $10.81')
  await payButton(page).click()
  await expect(pricePanel(page).getByRole('status')).toContainText('leave this page')
  // The purchase takes 20 s and may be complete by now, so hold its result until the page has shown the note.
  let markNoteSeen = () => {}
  const noteSeen = new Promise<void>((resolve) => (markNoteSeen = resolve))
  await page.route('**/get_process_task', async (route) => {
    await noteSeen
    await route.continue()
  })
  await page.reload()
  await expect(pricePanel(page).getByRole('status')).toContainText('leave this page')
  markNoteSeen()
  await expect(page).toHaveURL('/account/products/bought', { timeout: scaleTimeout(45_000) })
})

test.describe('plan selection with a plan', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('STORE-04 the chooser hydrates as sent, regardless of the currency in this browser, and stores the currency sold', async ({
    page,
  }) => {
    await page.addInitScript(() => window === top && localStorage.setItem('currentCurrency', 'EUR'))
    await page.goto('/account/products/choose')
    await expect(page.getByText('Your plan', { exact: true })).toBeVisible()
    await expect(page.locator('.price-card').nth(1)).toContainText('$29.99')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('currentCurrency'))).toBe('USD')
  })
})
