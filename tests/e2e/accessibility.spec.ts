import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'

/** In the dark, what colours can break is looked for at both ends. */
const WIDTHS = { light: [350, 390, 768, 1024, 1440], dark: [350, 1440] } as const
const ROUTES = [
  '/',
  '/nope',
  '/live',
  '/events',
  '/account/services',
  '/account/billing',
  '/account/payment',
  '/account/products/choose',
  '/account/products/camera-ai',
  '/account/products/unlimited',
  '/account/products/home-monitoring',
  '/account/redeem/choose',
  '/account/redeem/choose?coupon=WELCOME20',
]

/** What axe finds on the page as it stands. */
async function findings(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of WIDTHS[colorScheme]) {
      await page.setViewportSize({ width, height: 900 })
      const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
      if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
      const { violations } = await axe.analyze()
      found.push(
        ...violations.map(({ id, nodes }) => `${name} at ${width} px, ${colorScheme}, ${id}: ${nodes[0]?.html}`),
      )
    }
  }
  return found
}

/** The browser itself reports what is not there, or nobody’s. */
test.afterEach(
  ({ problems }) => void problems.splice(0, problems.length, ...problems.filter((one) => !/40[14]/.test(one))),
)

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('axe finds nothing on any route from 350 to 1440 px, and no colour in the dark', async ({ page }) => {
    test.setTimeout(180_000)
    for (const route of ROUTES) {
      await page.goto(route)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await findings(page, route)).toEqual([])
    }
  })
})

test('axe finds nothing on what a visitor sees, the provider’s sign-in page included', async ({ page }) => {
  test.slow()
  for (const route of ['/', '/nope']) {
    await page.goto(route)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await findings(page, route)).toEqual([])
  }
  await page.goto('/live')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  expect(await findings(page, 'sign-in page')).toEqual([])
})

test('axe finds nothing while a page waits', async ({ page }) => {
  test.slow()
  await page.route('**/api/auth/**', () => {})
  for (const route of ['/account/billing', '/user/login', '/user/redirect', '/user/callback?redirect_uri=%2F']) {
    await page.goto(route)
    await expect(page.locator('#loading')).toBeVisible()
    expect(await findings(page, route)).toEqual([])
  }
})
