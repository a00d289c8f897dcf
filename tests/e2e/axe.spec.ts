import type { Page } from 'playwright/test'
import { findings, findingsInAllLooks } from '../support/axe.ts'
import { expect, forgive, SIGNED_IN, test, VISITOR } from '../support/e2e.ts'
import { scaled } from '../support/machine.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
type Route = readonly [path: string, shown: (page: Page) => ReturnType<typeof heading>]
/** Routes with their own layout, and the element that is visible once each has loaded. */
const LAYOUTS: readonly Route[] = [
  ['/live', (page) => page.getByRole('listitem', { name: 'Front door, live' })],
  ['/events', (page) => page.getByRole('main').getByRole('listitem').first()],
  ['/account', (page) => page.getByRole('region', { name: 'Your plan' }).getByRole('heading')],
  ['/account/products/choose', heading],
]
const ALIKE: readonly Route[] = [
  ['/', heading],
  ['/account/billing', heading],
  ['/account/services', heading],
  ['/account/services/cover', heading],
  ['/account/billing/invoice?bill=none', heading],
  ['/account/payment', heading],
  [
    '/account/activity',
    (page) => page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem').first(),
  ],
  ['/account/people', (page) => page.getByRole('list', { name: 'Named people' }).getByRole('listitem').first()],
  ['/account/products/unlimited', heading],
  ['/account/redeem/choose?coupon=WELCOME20', heading],
]
/** Routes that render one of the `LAYOUTS` pages with other data. */
const VARIANTS: readonly Route[] = [
  ['/nope', heading],
  ['/account/products/camera-ai', heading],
  ['/account/products/home-monitoring', heading],
  ['/account/redeem/choose', heading],
]

/** 404 responses that the tests provoke; the browser reports them as problems. */
const NOT_THERE = { status: 404, path: /^\/nope$|\/invoice/ }

/** Checks that nothing is wider than the page at the widths that `findingsInAllLooks` does not cover. */
async function expectNoSidewaysScroll(page: Page, route: string): Promise<void> {
  for (const width of [350, 700, 768, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    // The page is still being laid out right after a resize.
    await expect.poll(over, `${route} at ${width}`).toBe(0)
  }
}

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('LAYOUT-13 no route scrolls sideways or has axe findings, from 350 to 1440 px, light and dark', async ({
    page,
    problems,
  }) => {
    test.setTimeout(scaled(180_000))
    for (const [route, locateContent] of [...LAYOUTS, ...ALIKE])
      await test.step(route, async () => {
        await page.goto(route)
        await expect(locateContent(page)).toBeVisible()
        await expectNoSidewaysScroll(page, route)
        const look = LAYOUTS.some(([path]) => path === route) ? findingsInAllLooks : findings
        expect(await look(page, route)).toEqual([])
      })
    forgive(problems, NOT_THERE)
  })

  test(
    'the same pages with other data neither scroll sideways nor have axe findings',
    { tag: '@all' },
    async ({ page, problems }) => {
      test.setTimeout(scaled(180_000))
      for (const [route, locateContent] of VARIANTS)
        await test.step(route, async () => {
          await page.goto(route)
          await expect(locateContent(page)).toBeVisible()
          await expectNoSidewaysScroll(page, route)
          expect(await findingsInAllLooks(page, route)).toEqual([])
        })
      forgive(problems, NOT_THERE)
    },
  )

  test('axe finds nothing on an open camera, even with the video zoomed in', { tag: '@all' }, async ({ page }) => {
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

test('axe finds nothing on the provider’s sign-in page', async ({ page, problems }) => {
  await page.goto('/live')
  await expect(page.getByLabel('E-mail')).toBeVisible()
  expect(await findingsInAllLooks(page, 'sign-in page')).toEqual([])
  forgive(problems, VISITOR)
})

test('axe finds nothing on the pages of a signed-out visitor', { tag: '@all' }, async ({ page, problems }) => {
  test.slow()
  for (const route of ['/', '/nope']) {
    await page.goto(route)
    await expect(heading(page)).toBeVisible()
    expect(await findingsInAllLooks(page, route)).toEqual([])
  }
  forgive(problems, VISITOR, NOT_THERE)
})

for (const [title, routes, tag] of [
  ['a page waits', ['/account/billing', '/user/callback?redirect_uri=%2F'], []],
  ['the pages of the sign-in wait', ['/user/login', '/user/redirect'], ['@all']],
] as const)
  test(`axe finds nothing while ${title}`, { tag: [...tag] }, async ({ page }) => {
    await page.route('**/api/auth/**', () => {})
    // Disables timeouts, so that the page keeps waiting during the check.
    await page.addInitScript(() => void (AbortSignal.timeout = () => new AbortController().signal))
    for (const route of routes) {
      await page.goto(route)
      await expect(page.locator('#loading')).toBeVisible()
      expect(await findings(page, route)).toEqual([])
    }
  })
