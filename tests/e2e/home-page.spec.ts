import type { Page } from 'playwright/test'
import { SUPPORT_ADDRESS } from '../../contract/brand.ts'
import {
  expect,
  removeExpectedProblems,
  routeThroughProxy,
  SIGNED_IN_STATES,
  test,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import { listLayoutShifts, recordLayoutShifts } from '../support/shifts.ts'
import { runIdleCallbacksAtOnce } from '../support/measured-page.ts'

test.describe('the home page without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is complete with heading, sign-in link and prices, hydrates no island and loads no script', async ({
    page,
  }) => {
    const scripts: string[] = []
    page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
    const answer = await page.goto('/')
    expect(answer?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
    await page.getByRole('link', { name: 'See plans' }).click()
    await expect(page).toHaveURL('/#plans')
    for (const price of ['$2.99', '$9.99', '$19.99']) await expect(page.getByText(price, { exact: true })).toBeVisible()
    await page.getByText('Annual').click()
    await expect(page.getByText('$99.99', { exact: true })).toBeVisible()
    for (const image of await page.getByRole('img').all()) await expect(image).toHaveJSProperty('complete', true)
    await expect(page.locator('astro-island')).toHaveCount(0)
    expect(scripts).toEqual([])
  })
})

test('ROUTE-19 `/` is reachable without sign-in, and a plan card is as tall as its text', async ({
  page,
  problems,
}) => {
  await page.goto('/')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Log in' }).first()).toBeVisible()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Camera AI' }) })
  const measureGap = async () => {
    const lastFactBox = await card.getByRole('listitem').last().boundingBox()
    const buttonBox = await card.getByRole('link', { name: 'Choose Camera AI' }).boundingBox()
    return lastFactBox && buttonBox ? buttonBox.y - lastFactBox.y - lastFactBox.height : Infinity
  }
  await expect.poll(measureGap).toBeLessThan(60)
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

const UNKNOWN_PAGE = { status: 404, path: /^\/no\/such\/page$/ }

test('ERROR-05 an unknown URL returns 404 and offers a visitor the home page and help', async ({ page, problems }) => {
  const answer = await page.goto('/no/such/page')
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('Oops! The page you were trying to access could not be found.')).toBeVisible()
  const links = page.getByRole('main').getByRole('link')
  await expect(links.filter({ visible: true })).toHaveText(['Go to home page', 'Help'])
  await page.getByRole('main').getByRole('link', { name: 'Help' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Add a camera' })).toBeVisible()
  removeExpectedProblems(problems, SIGNED_OUT_401, UNKNOWN_PAGE)
})

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('ERROR-05 an unknown URL offers a signed-in user the three sections and support', async ({ page, problems }) => {
    await page.goto('/no/such/page')
    const links = page.getByRole('main').getByRole('link')
    await expect(links.filter({ visible: true })).toHaveText(['Go to Cameras', 'Events', 'Account', SUPPORT_ADDRESS])
    removeExpectedProblems(problems, UNKNOWN_PAGE)
  })

  test('the home page offers a signed-in user the cameras instead of a new account', async ({ page }) => {
    await page.goto('/')
    const main = page.getByRole('main')
    await expect(main.getByRole('link', { name: 'Open cameras' }).first()).toBeVisible()
    for (const name of ['Get started', 'Create account', 'Log in'])
      await expect(main.getByRole('link', { name })).toHaveCount(0)
  })
})

const signUpLinks = (page: Page) => page.getByRole('link', { name: /^(Get started|Create account)$/ })

test('OPEN-164 every button for a plan or an account opens the form for a new account, with the plan', async ({
  page,
  problems,
}) => {
  await page.goto('/')
  for (const link of await signUpLinks(page).all()) await expect(link).toHaveAttribute('href', '/api/auth/sign-up')
  await expect(signUpLinks(page)).toHaveCount(4)
  const readPlanPath = async () => {
    const href = await page.getByRole('link', { name: 'Choose Unlimited Pro' }).getAttribute('href')
    return new URL(href ?? '', page.url()).searchParams.get('path')
  }
  await expect.poll(readPlanPath).toBe('/account/products/unlimited?period=monthly&plan=pro')
  await page.getByText('Annual').click()
  await expect.poll(readPlanPath).toBe('/account/products/unlimited?period=annual&plan=pro')
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

test('OPEN-164 if sign-up is closed, the home page offers only to log in', async ({ page, faults, problems }) => {
  await routeThroughProxy(page, faults, '**/api/auth/sign-up-status')
  await runIdleCallbacksAtOnce(page)
  faults.fail('/', { kind: 'answer', status: 200, body: JSON.stringify({ code: 200, sign_up: 'closed' }) })
  await page.goto('/')
  await expect(signUpLinks(page)).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' }).first()).toBeVisible()
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

/** Public pages first show a fallback font. When the font of the page replaces it, the header moves by a few pixels. */
const FONT_SHIFT_MAX = 0.0005

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`nothing on the home page moves while it loads at ${width} px, and nothing is wider than the page`, async ({
    page,
    problems,
  }) => {
    await page.setViewportSize({ width, height })
    await recordLayoutShifts(page)
    // A busy machine can starve idle callbacks, which load the sign-up status.
    await runIdleCallbacksAtOnce(page)
    const statusLoaded = page.waitForResponse('**/api/auth/sign-up-status')
    await page.goto('/')
    await statusLoaded
    await page.evaluate(async () => void (await document.fonts.ready))
    // Lazy images load only when they are near the viewport.
    for (const image of await page.locator('img').filter({ visible: true }).all()) {
      await image.scrollIntoViewIfNeeded()
      await expect(image).toHaveJSProperty('complete', true)
    }
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' })).toBeVisible()
    // Settled: the fonts, all images and the sign-up status have loaded, and nothing else can move the page.
    const shifts = await listLayoutShifts(page)
    expect(shifts.filter(({ score }) => score > FONT_SHIFT_MAX)).toEqual([])
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    removeExpectedProblems(problems, SIGNED_OUT_401)
  })
}

test.describe('the home page on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, storageState: { cookies: [], origins: [] } })

  test('lays out a section only when it comes near, and a link reaches the plans', async ({ page, problems }) => {
    await page.goto('/')
    const privacy = page.locator('#privacy h2').first()
    const isLaidOut = () => privacy.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(isLaidOut).toBe(false)
    await page.getByRole('link', { name: 'See plans' }).click()
    await expect(page.locator('#plans').getByRole('heading').first()).toBeInViewport()
    await privacy.scrollIntoViewIfNeeded()
    await expect.poll(isLaidOut).toBe(true)
    removeExpectedProblems(problems, SIGNED_OUT_401)
  })
})
