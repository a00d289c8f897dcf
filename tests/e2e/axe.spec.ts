import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
/** Each route, and what is there once it shows what it is for. */
const ROUTES: [string, (page: Page) => ReturnType<typeof heading>][] = [
  ['/', heading],
  ['/nope', heading],
  ['/live', (page) => page.getByRole('listitem', { name: 'Front door, live' })],
  ['/events', (page) => page.getByRole('main').getByRole('listitem').first()],
  ['/account', (page) => page.getByRole('region', { name: 'Your plan' }).getByRole('heading')],
  ['/account/services', heading],
  ['/account/services/cover', heading],
  ['/account/billing', heading],
  ['/account/billing/invoice?bill=none', heading],
  ['/account/payment', heading],
  [
    '/account/activity',
    (page) => page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem').first(),
  ],
  ['/account/products/choose', heading],
  ['/account/products/camera-ai', heading],
  ['/account/products/unlimited', heading],
  ['/account/products/home-monitoring', heading],
  ['/account/redeem/choose', heading],
  ['/account/redeem/choose?coupon=WELCOME20', heading],
]

/** The browser itself reports what is not there, or nobody’s. */
test.afterEach(
  ({ problems }) => void problems.splice(0, problems.length, ...problems.filter((one) => !/40[14]/.test(one))),
)

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('axe finds nothing on any route from 350 to 1440 px, light and dark', async ({ page }) => {
    test.setTimeout(180_000)
    for (const [route, shown] of ROUTES)
      await test.step(route, async () => {
        await page.goto(route)
        await expect(shown(page)).toBeVisible()
        expect(await findings(page, route)).toEqual([])
      })
  })

  test('axe finds nothing on an open camera, also where its picture is larger than its place', async ({ page }) => {
    test.slow()
    await page.goto('/live')
    await page
      .getByRole('listitem', { name: 'Front door, live' })
      .getByRole('button', { name: /^Open / })
      .click()
    await expect(page.getByRole('group', { name: 'Front door, live' })).toBeVisible()
    expect(await findings(page, 'one camera')).toEqual([])
    await page.keyboard.press('+')
    await expect(page.getByRole('button', { name: '1.5×, show the whole picture' })).toBeVisible()
    expect(await findings(page, 'one camera, zoomed', '.one-camera')).toEqual([])
  })
})

test('axe finds nothing on what a visitor sees, the provider’s sign-in page included', async ({ page }) => {
  test.slow()
  for (const route of ['/', '/nope']) {
    await page.goto(route)
    await expect(heading(page)).toBeVisible()
    expect(await findings(page, route)).toEqual([])
  }
  await page.goto('/live')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  expect(await findings(page, 'sign-in page')).toEqual([])
})

test('axe finds nothing while a page waits', async ({ page }) => {
  test.slow()
  await page.route('**/api/auth/**', () => {})
  // It waits for as long as it is looked at.
  await page.addInitScript(() => void (AbortSignal.timeout = () => new AbortController().signal))
  for (const route of ['/account/billing', '/user/login', '/user/redirect', '/user/callback?redirect_uri=%2F']) {
    await page.goto(route)
    await expect(page.locator('#loading')).toBeVisible()
    expect(await findings(page, route)).toEqual([])
  }
})
