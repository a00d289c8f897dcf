import AxeBuilder from '@axe-core/playwright'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

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

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test(`axe finds nothing at ${width} px, ${colorScheme}`, async ({ page, problems }) => {
      test.slow()
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      for (const route of ROUTES) {
        await page.goto(route)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        const { violations } = await new AxeBuilder({ page }).analyze()
        expect(violations.map(({ id, nodes }) => `${route} ${id}: ${nodes[0]?.html}`)).toEqual([])
      }
      problems.splice(0, problems.length, ...problems.filter((one) => !one.includes('404')))
    })
  }
}

test('axe finds nothing on the provider’s sign-in page', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(`${baseURL}/live`)
  await expect(page.getByLabel('E-mail')).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await context.close()
})
