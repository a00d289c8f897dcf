import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

test('NAV-01 NAV-13 CONST-03 three sections are inline at 990 px but not at 989 px', async ({ page }) => {
  await page.goto('/account/services')
  const nav = page.getByRole('banner').getByRole('navigation')
  await expect(nav.getByRole('link')).toHaveText(['Cameras', 'Events', 'Account'])
  await page.setViewportSize({ width: 990, height: 800 })
  await expect(nav).toBeVisible()
  await page.setViewportSize({ width: 989, height: 800 })
  await expect(nav).toBeHidden()
})

test('NAV-05 NAV-06 NAV-07 the account menu shows the email, Log out and the build', async ({ page }) => {
  await page.goto('/account/services')
  await page.getByRole('button', { name: 'Account menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Account' })
  await expect(menu.getByText('owner@example.com')).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Activity' })).toHaveAttribute('href', '/account/activity')
  await expect(menu.getByRole('link', { name: 'Log out', exact: true })).toHaveAttribute('href', '/user/logout')
  const config = (await (await page.request.get('/config.json')).json()) as { buildId: string }
  await expect(menu.getByText(`Version (${config.buildId})`)).toBeVisible()
})

test('NAV-15 NAV-18 the drawer is 15rem wide, contains the sections, and closes with its button', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 800 })
  await page.goto('/account/services')
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await expect(drawer).toBeVisible()
  await expect.poll(async () => (await drawer.boundingBox())?.width).toBeCloseTo(240, 2)
  await expect(drawer.getByRole('navigation').getByRole('link')).toHaveText(['Cameras', 'Events', 'Account'])
  await drawer.getByRole('button', { name: 'Close menu' }).click()
  await expect(drawer).toBeHidden()
})

test('NAV-04 NAV-14 NAV-17 only the active section is underlined, the logo links to /live, and Account to the services', async ({
  page,
}) => {
  await page.goto('/events')
  const banner = page.getByRole('banner')
  await expect(banner.locator('[aria-current="page"]')).toHaveText('Events')
  const readUnderlinedLinks = () =>
    banner
      .getByRole('navigation')
      .getByRole('link')
      .evaluateAll((links) =>
        links
          .filter(
            (link) =>
              getComputedStyle(link, '::after').height === '3px' &&
              getComputedStyle(link, '::after').content !== 'none',
          )
          .map((link) => link.textContent?.trim()),
      )
  await expect.poll(readUnderlinedLinks).toEqual(['Events'])
  await expect(banner.getByRole('link', { name: 'Porchlight' })).toHaveAttribute('href', '/live')
  await banner.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page).toHaveURL('/account/services')
})

test('LAYOUT-01 LAYOUT-02 THEME-01 the header is exactly 64 px high and contains the logo; the first visit uses the light theme', async ({
  page,
}) => {
  await page.goto('/account/services/cover')
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('link', { name: 'Porchlight' })).toBeVisible()
  await expect.poll(async () => (await banner.boundingBox())?.height).toBe(64)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'porchlight')
})

test('NAV-09 NAV-10 only an account without services sees Explore plans, which leads to the plan chooser', async ({
  page,
  browser,
}) => {
  // Wait for the subscriptions: until they arrive, the button is hidden for every account.
  const [subscriptions] = await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('/api/v2/subscriptions/')),
    page.goto('/account/services'),
  ])
  expect(subscriptions.status()).toBe(200)
  await expect(
    page.getByRole('region', { name: 'Services' }).getByRole('heading', { name: 'Unlimited Cameras' }),
  ).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Explore plans' })).toBeHidden()
  const context = await browser.newContext({ storageState: SIGNED_IN_STATES.free })
  const free = await context.newPage()
  await free.goto('/account/services')
  await free.getByRole('banner').getByRole('link', { name: 'Explore plans' }).click()
  await expect(free).toHaveURL('/account/products/choose')
  await expect(free.getByRole('banner').getByRole('link', { name: 'Explore plans' })).toBeHidden()
  await context.close()
})
