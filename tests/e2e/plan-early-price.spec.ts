import type { Page } from 'playwright/test'
import { addCardOverHttp } from '../support/browser-account.ts'
import { signInAsNewAccount } from '../support/customer.ts'
import { clearStoredData, expect, SIGNED_OUT_STATE, test } from '../support/e2e.ts'
import { listLayoutShifts, recordLayoutShifts } from '../support/shifts.ts'

test.use({ storageState: SIGNED_OUT_STATE, viewport: { width: 390, height: 844 } })

const PLAN_PATH = '/account/products/camera-ai?period=monthly'
/** All scripts except the one in the document, which draws the price. */
const SCRIPT_FILE = /\/_astro\/[^/]+\.js$/
const PURCHASE = /\/purchase_v3\/(create|update_v3)$/
const PREVIEW = /\/preview_purchase$/

const findBar = (page: Page) => page.locator('.phone-bar:visible')
const findAmount = (page: Page) => findBar(page).locator('b')
const findPay = (page: Page) => findBar(page).locator('.pay-button')
const findPeriod = (page: Page) => page.locator('#plan-period')

/** Lists the requests of the page that match a pattern, in the order in which the page sends them. */
function listRequests(page: Page, pattern: RegExp): string[] {
  const urls: string[] = []
  page.on('request', (request) => pattern.test(request.url()) && urls.push(request.url()))
  return urls
}

/** Signs in as an account with a card whose plans this browser has loaded before. */
async function openAccountWithCard(page: Page, name: string): Promise<void> {
  await signInAsNewAccount(page, name)
  await addCardOverHttp(page)
  await page.goto('/account/products/choose')
  await expect.poll(() => page.evaluate(() => localStorage['allSubs'] as string | undefined)).toBeDefined()
}

/** Holds React and all other scripts until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(SCRIPT_FILE, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

for (const isFirstVisit of [false, true])
  test(`the price appears before React, after one request that the document sends${isFirstVisit ? ' without stored data' : ''}`, async ({
    page,
  }) => {
    await openAccountWithCard(page, `early-price-${isFirstVisit}`)
    if (isFirstVisit) await clearStoredData(page)
    await recordLayoutShifts(page)
    const release = await holdScripts(page)
    const sent = listRequests(page, PREVIEW)
    const quote = page.waitForResponse(PREVIEW)
    await page.goto(PLAN_PATH, { waitUntil: 'commit' })
    await expect(findAmount(page)).toHaveText('$3.24')
    await expect(findPay(page)).toHaveText('Pay')
    const heldBar = await findBar(page).boundingBox()
    const { data } = (await (await quote).json()) as { data: { quote: string } }
    release()
    await expect(findPay(page)).not.toHaveAttribute('aria-disabled')
    await expect(findAmount(page)).toHaveText('$3.24')
    await expect.poll(() => findBar(page).boundingBox()).toEqual(heldBar)
    expect(await listLayoutShifts(page)).toEqual([])
    expect(sent).toHaveLength(1)
    const purchase = page.waitForRequest(PURCHASE)
    await findPay(page).click()
    expect((await purchase).postDataJSON()).toMatchObject({ quote: data.quote })
    await expect(page).toHaveURL('/account/products/bought')
    await expect(page.getByText('$3.24 paid with')).toBeVisible()
  })

test('a press on the early button focuses the form and never pays', async ({ page }) => {
  await openAccountWithCard(page, 'early-press')
  const release = await holdScripts(page)
  const purchases = listRequests(page, PURCHASE)
  await page.goto(PLAN_PATH, { waitUntil: 'commit' })
  await expect(findPay(page)).toHaveText('Pay')
  await findPay(page).dispatchEvent('click')
  await findPay(page).press('Enter')
  release()
  await expect(findPeriod(page).locator(':focus')).toHaveCount(1)
  await expect(findPeriod(page)).toBeInViewport()
  await expect(findPay(page)).not.toHaveAttribute('aria-disabled')
  expect(purchases).toEqual([])
  await page.goto('/account/services')
  await expect(page.getByRole('heading', { name: 'Camera AI', exact: true })).toHaveCount(0)
})

test('a press on the early amount opens the price lines', async ({ page }) => {
  await openAccountWithCard(page, 'early-lines')
  const release = await holdScripts(page)
  await page.goto(PLAN_PATH, { waitUntil: 'commit' })
  await findAmount(page).click()
  release()
  await expect(page.getByRole('dialog', { name: 'Today’s price' })).toContainText('Camera AI, monthly')
})

test('a choice before React hides the early price, and the page shows the new one', async ({ page }) => {
  await openAccountWithCard(page, 'early-choice')
  const release = await holdScripts(page)
  await page.goto(PLAN_PATH, { waitUntil: 'commit' })
  await expect(findAmount(page)).toHaveText('$3.24')
  await page.getByText('Annual', { exact: true }).click()
  await expect(findAmount(page)).toHaveCount(0)
  release()
  await expect(findAmount(page)).toHaveText('$32.46')
})
