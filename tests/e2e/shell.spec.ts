import { expect, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

test('NAV-01 NAV-13 CONST-03 three sections stand inline at 990 px and not at 989', async ({ page }) => {
  await page.goto('/account/services')
  const nav = page.getByRole('banner').getByRole('navigation')
  await expect(nav.getByRole('link')).toHaveText(['Cameras', 'Events', 'Account'])
  await page.setViewportSize({ width: 990, height: 800 })
  await expect(nav).toBeVisible()
  await page.setViewportSize({ width: 989, height: 800 })
  await expect(nav).toBeHidden()
})

test('NAV-02 NAV-03 NAV-04 each entry opens its section', async ({ page }) => {
  await page.goto('/account/services')
  const open = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true }).click()
  await open('Cameras')
  await expect(page).toHaveURL('/live')
  await open('Events')
  await expect(page).toHaveURL('/events')
  await open('Account')
  await expect(page).toHaveURL('/account/services')
})

test('NAV-05 NAV-06 NAV-07 the account menu shows the e-mail, Log out and the build', async ({ page }) => {
  await page.goto('/account/services')
  await page.getByRole('button', { name: 'Account menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Account' })
  await expect(menu.getByText('owner@example.com')).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Log out', exact: true })).toHaveAttribute('href', '/user/logout')
  const config = (await (await page.request.get('/config.json')).json()) as { buildId: string }
  await expect(menu.getByText(`Version (${config.buildId})`)).toBeVisible()
})

test('NAV-15 NAV-18 the drawer is 15rem wide, holds the sections, and closes by its button', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 800 })
  await page.goto('/account/services')
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(drawer).toBeVisible()
  expect((await drawer.boundingBox())?.width).toBeCloseTo(240, 2)
  await expect(drawer.getByRole('navigation').getByRole('link')).toHaveText(['Cameras', 'Events', 'Account'])
  await drawer.getByRole('button', { name: 'Close menu' }).click()
  await expect(drawer).toBeHidden()
})

test('NAV-14 NAV-17 the active section alone is underlined, and the logo leads to /live', async ({ page }) => {
  await page.goto('/events')
  const banner = page.getByRole('banner')
  await expect(banner.locator('[aria-current="page"]')).toHaveText('Events')
  const underlined = await banner
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) =>
      links
        .filter(
          (link) =>
            getComputedStyle(link, '::after').height === '3px' && getComputedStyle(link, '::after').content !== 'none',
        )
        .map((link) => link.textContent?.trim()),
    )
  expect(underlined).toEqual(['Events'])
  await expect(banner.getByRole('link', { name: 'Porchlight' })).toHaveAttribute('href', '/live')
})

test('LAYOUT-01 LAYOUT-02 the header is exactly 64 px high and holds the logo', async ({ page }) => {
  await page.goto('/live')
  expect((await page.getByRole('banner').boundingBox())?.height).toBe(64)
  await expect(page.getByRole('banner').getByRole('link', { name: 'Porchlight' })).toBeVisible()
})

test('ROUTE-02 ROUTE-04 THEME-01 titles follow the route, and the first visit is light', async ({ page }) => {
  await page.goto('/live')
  await expect(page).toHaveTitle(/web live view/i)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'porchlight')
  await page.goto('/events')
  await expect(page).toHaveTitle(/web events/i)
})

test('LAYOUT-13 nothing scrolls sideways at any width on any route', async ({ page }) => {
  const account = [
    'services',
    'services/cover',
    'billing',
    'billing/invoice?bill=none',
    'payment',
    'activity',
    'products/choose',
    'products/unlimited',
    'redeem/choose?coupon=A',
  ]
  for (const route of ['/', '/live', '/events', '/account', ...account.map((name) => `/account/${name}`)]) {
    await page.goto(route)
    // The narrowest, and both sides of where the layout changes.
    for (const width of [350, 700, 768, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      const over = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      // Right after the window has changed its size the page is still being laid out.
      await expect.poll(over, `${route} at ${width}`).toBe(0)
    }
  }
})

test('NAV-09 NAV-10 only an account without services sees Explore plans, which leads to the chooser', async ({
  page,
  browser,
}) => {
  // The answer that decides: before it the button is hidden for everybody.
  const [subscriptions] = await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('/api/v2/subscriptions/')),
    page.goto('/account/services'),
  ])
  expect(subscriptions.status()).toBe(200)
  await expect(
    page.getByRole('region', { name: 'Services' }).getByRole('heading', { name: 'Unlimited Cameras' }),
  ).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Explore plans' })).toBeHidden()
  const context = await browser.newContext({ storageState: SIGNED_IN.free })
  const free = await context.newPage()
  await free.goto('/account/services')
  await free.getByRole('banner').getByRole('link', { name: 'Explore plans' }).click()
  await expect(free).toHaveURL('/account/products/choose')
  await expect(free.getByRole('banner').getByRole('link', { name: 'Explore plans' })).toBeHidden()
  await context.close()
})
