import type { Page } from 'playwright/test'
import { applyCoupon, validateCoupon } from '../../contract/billing/coupons.ts'
import { SESSION_COOKIE, toCookieName } from '../../contract/wire/cookies.ts'
import { findViolations } from '../support/axe.ts'
import {
  addCardOverHttp,
  createAccount,
  openAsNewAccount,
  PASSWORD,
  signInContext,
} from '../support/browser-account.ts'
import { callFromPage, openWithCard, signInAsNewAccount, typeCard } from '../support/customer.ts'
import {
  expect,
  removeExpectedProblems,
  SIGNED_OUT_STATE,
  signIn,
  pressTabUntilFocused,
  test,
  routeThroughProxy,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'

test.use({ storageState: SIGNED_OUT_STATE })

const CREATE_CALL = '**/purchase_v3/create'
const pricePanel = (page: Page) => page.getByRole('region', { name: 'Today’s price' })
const payButton = (page: Page) => pricePanel(page).getByRole('button').last()
const servicesRegion = (page: Page) => page.getByRole('region', { name: 'Services' })

const openPlanWithCard = (page: Page, name: string) => openWithCard(page, name, '/account/products/unlimited')

async function payWithLostResponse(page: Page, faults: FaultProxy): Promise<void> {
  await routeThroughProxy(page, faults, CREATE_CALL)
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await expect(payButton(page)).toHaveText('Pay $10.81')
  faults.fail('/api/p/web-backend/purchase_v3/create', { kind: 'lose' })
  await payButton(page).click()
  await expect(pricePanel(page).getByRole('alert')).toBeVisible()
}

test('a plan can be bought with the keyboard alone, including adding the card', async ({ page }) => {
  await openAsNewAccount(page, 'keys', '/account/products/choose')
  await pressTabUntilFocused(page, page.getByRole('link', { name: 'Choose Unlimited', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/products/unlimited')
  await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
  await expect(pricePanel(page)).toContainText('$10.81')
  await pressTabUntilFocused(page, page.getByRole('button', { name: 'Add a card or wallet' }))
  await page.keyboard.press('Enter')
  await typeCard(page)
  await expect(page).toHaveURL('/account/products/unlimited')
  await expect(payButton(page)).toHaveText('Pay $10.81')
  await pressTabUntilFocused(page, payButton(page))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/products/bought')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unlimited Cameras is active')
})

test(
  'Pay pressed while the price loads buys a price seen before and shows a new one',
  { tag: '@all' },
  async ({ page }) => {
    await openPlanWithCard(page, 'early')
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await expect(payButton(page)).toHaveText('Pay $10.81')
    let gate = Promise.resolve()
    await page.route('**/preview_purchase', (route) => gate.then(() => route.continue()))
    const chooseWhilePriceLoads = async (...names: string[]) => {
      let open = () => {}
      gate = new Promise<void>((resolve) => (open = resolve))
      for (const name of names) await page.getByRole('radio', { name }).check()
      await expect(payButton(page)).toHaveText('Calculating the price')
      await payButton(page).press('Enter')
      open()
    }
    await chooseWhilePriceLoads('Annual')
    await expect(pricePanel(page).getByRole('alert')).toContainText('You haven’t been charged.')
    await expect(payButton(page)).toHaveText('Pay $108.24')
    await chooseWhilePriceLoads('Monthly', 'Annual')
    await expect(page).toHaveURL('/account/products/bought')
    await expect(page.getByText('$108.24 paid with')).toBeVisible()
  },
)

test('buying takes three clicks from the plan list with a card on file', { tag: '@all' }, async ({ page }) => {
  await openPlanWithCard(page, 'clicks')
  await page.goto('/account/products/choose')
  await page.getByRole('link', { name: 'Choose Camera AI' }).click()
  await page.getByRole('radio', { name: 'Annual' }).check()
  await payButton(page).click()
  await expect(page).toHaveURL('/account/products/bought')
})

test(
  'two tabs buy the same plan once, and the second tab shows that it already exists',
  { tag: '@all' },
  async ({ page, problems }) => {
    await openPlanWithCard(page, 'tabs')
    const other = await page.context().newPage()
    await other.goto('/account/products/unlimited')
    for (const tab of [page, other]) {
      await tab.getByRole('radio', { name: 'Monthly' }).check()
      await expect(payButton(tab)).toHaveText('Pay $10.81')
    }
    await payButton(page).click()
    await expect(page).toHaveURL('/account/products/bought')
    await payButton(other).click()
    await expect(pricePanel(other).getByRole('alert')).toContainText('You weren’t charged again.')
    await expect(payButton(other)).toHaveAttribute('aria-disabled', 'true')
    await other.goto('/account/services')
    await expect(servicesRegion(other).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    removeExpectedProblems(problems, { status: 409, path: /\/purchase_v3\/create$/ })
  },
)

test('a double click buys once, and Back does not offer the same plan again', { tag: '@all' }, async ({ page }) => {
  await openPlanWithCard(page, 'double')
  const createRequests: string[] = []
  page.on('request', (request) => /purchase_v3\/create$/.test(request.url()) && createRequests.push(request.url()))
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await expect(payButton(page)).toHaveText('Pay $10.81')
  await payButton(page).dblclick()
  await expect(page).toHaveURL('/account/products/bought')
  expect(createRequests).toHaveLength(1)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change Unlimited Cameras')
  await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
})

test(
  'a price that changes while the page is open is shown again and charged only after confirmation',
  { tag: '@all' },
  async ({ page, problems }) => {
    await openPlanWithCard(page, 'changed')
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await expect(payButton(page)).toHaveText('Pay $10.81')
    const couponCheck = (await callFromPage(page, validateCoupon, { code: 'CREDIT20' })) as {
      options: { option_id: string }[]
    }
    const option_id = couponCheck.options[0]?.option_id
    await callFromPage(page, applyCoupon, { code: 'CREDIT20', option_id, intent: 'credit_while_a_price_is_open' })
    await payButton(page).click()
    await expect(pricePanel(page).getByRole('alert')).toContainText('You haven’t been charged.')
    await expect(pricePanel(page)).toContainText('From your balance')
    await expect(pricePanel(page).locator('[data-changed]')).toContainText('Due today')
    await payButton(page).filter({ hasText: 'Confirm for $0.00 today' }).click()
    await expect(page).toHaveURL('/account/products/bought')
    removeExpectedProblems(problems, { status: 409, path: /\/purchase_v3\/create$/ })
  },
)

test(
  'the next press retries a purchase with a lost response, and nothing is bought twice',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await openPlanWithCard(page, 'lost')
    await payWithLostResponse(page, faults)
    faults.clearFaults()
    await payButton(page).click()
    await expect(page).toHaveURL('/account/products/bought')
    await page.goto('/account/services')
    await expect(servicesRegion(page).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    removeExpectedProblems(problems, { network: /ERR_EMPTY_RESPONSE/, path: /\/purchase_v3\/create$/ })
  },
)

test(
  'a purchase with a lost response must finish on its own page before any other',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await openPlanWithCard(page, 'first')
    await payWithLostResponse(page, faults)
    await page.goto('/account/products/camera-ai?period=annual')
    await expect(pricePanel(page).getByRole('status')).toContainText('Unlimited Cameras')
    await expect(pricePanel(page).getByRole('button')).toHaveCount(0)
    expect(await findViolations(page, 'another purchase is open')).toEqual([])
    faults.clearFaults()
    await pricePanel(page).getByRole('link', { name: 'Check purchase status' }).click()
    await expect(page).toHaveURL('/account/products/bought')
    await page.goto('/account/services')
    await expect(servicesRegion(page).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    removeExpectedProblems(problems, { network: /ERR_EMPTY_RESPONSE/, path: /\/purchase_v3\/create$/ })
  },
)

test(
  'with an unreachable payment gateway nothing is charged, and only another press retries',
  { tag: '@all' },
  async ({ page, faults, problems }) => {
    await openPlanWithCard(page, 'silent')
    await routeThroughProxy(page, faults, CREATE_CALL)
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await expect(payButton(page)).toHaveText('Pay $10.81')
    const create = '/api/p/web-backend/purchase_v3/create'
    faults.fail(create, { kind: 'answer', status: 503, body: '{"code":"gateway","msg":""}' })
    await payButton(page).click()
    await expect(pricePanel(page).getByRole('alert')).toContainText('You haven’t been charged.')
    await page.reload()
    await expect(payButton(page)).toHaveText('Pay $10.81')
    expect(faults.count(create)).toBe(1)
    faults.clearFaults()
    await payButton(page).click()
    await expect(page).toHaveURL('/account/products/bought')
    removeExpectedProblems(problems, { status: 503, path: /\/purchase_v3\/create$/ })
  },
)

test('the period in a plan URL survives a failed page load', { tag: '@all' }, async ({ page, faults, problems }) => {
  await signInAsNewAccount(page, 'again')
  await routeThroughProxy(page, faults, '**/api/v2/subscriptions/**')
  faults.fail('/api/p/web-backend/api/v2/subscriptions', { kind: 'answer', status: 502, body: '{"code":502}' })
  await page.goto('/account/products/camera-ai?period=annual')
  const retryButton = page.getByRole('region', { name: 'Your choices' }).getByRole('button', { name: 'Try again' })
  await expect(retryButton).toBeVisible()
  faults.clearFaults()
  // The header also loads the subscriptions. If the header's request recovers the page first, the retry button
  // disappears.
  await expect(async () => {
    if (await retryButton.isVisible()) await retryButton.click({ timeout: 1000 })
    await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked({ timeout: 1000 })
  }).toPass()
  removeExpectedProblems(problems, { status: 502, path: /\/api\/v2\/subscriptions\// })
})

test(
  'a purchase interrupted by an expired session continues after the sign-in',
  { tag: '@all' },
  async ({ page, problems }) => {
    const email = await createAccount('ended')
    await page.goto('/account/products/unlimited')
    await signIn(page, email, PASSWORD)
    await expect(page).toHaveURL('/account/products/unlimited')
    await signInContext(page.context(), email, PASSWORD)
    await addCardOverHttp(page)
    await page.reload()
    await page.getByRole('radio', { name: 'Annual' }).check()
    await expect(payButton(page)).toHaveText('Pay $108.24')
    await page.context().clearCookies({ name: toCookieName(SESSION_COOKIE, page.url()) })
    await payButton(page).click()
    await expect(page).toHaveURL('/')
    // The provider's session is still valid, so this visit needs no password and completes the purchase.
    await page.goto('/account/products/unlimited')
    await expect(page).toHaveURL('/account/products/bought')
    await page.goto('/account/services')
    await expect(servicesRegion(page).getByRole('heading', { name: 'Unlimited Cameras' })).toHaveCount(1)
    removeExpectedProblems(problems, SIGNED_OUT_401, { status: 401, path: /\/(purchase_v3\/create|auth\/refresh)$/ })
  },
)

test(
  'choosing a plan on the home page while signed out opens that plan after the sign-in',
  { tag: '@all' },
  async ({ page, problems }) => {
    const email = await createAccount('visitor')
    await page.goto('/')
    await page.getByRole('link', { name: 'Choose Camera AI' }).click()
    await page.getByRole('link', { name: 'Log in' }).click()
    await signIn(page, email, PASSWORD)
    await expect(page).toHaveURL('/account/products/camera-ai')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Camera AI')
    removeExpectedProblems(problems, SIGNED_OUT_401)
  },
)
