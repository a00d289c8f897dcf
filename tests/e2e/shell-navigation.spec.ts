import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

test('NAV-08 signed out, `Log in` replaces the account menu and leads to /user/login', async ({ page }) => {
  await page.goto('/')
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/user/login')
  await expect(banner.getByRole('button', { name: 'Account menu' })).toBeHidden()
  await page.setViewportSize({ width: 390, height: 800 })
  await expect(banner.getByRole('link', { name: 'Log in' })).toBeVisible()
})

test('NAV-16 the toggle opens the drawer, and a second press at the same position closes it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/')
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  const box = await page.getByRole('button', { name: 'Menu', exact: true }).boundingBox()
  const togglePosition = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 }
  const press = () => page.mouse.click(togglePosition.x, togglePosition.y)
  await press()
  await expect(drawer).toBeInViewport({ ratio: 1 })
  await press()
  await expect(drawer).toBeHidden()
  await press()
  await expect(drawer).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page).toHaveURL('/')
})

test.describe('account without services', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test('NAV-11 `Explore plans` is hidden on the chooser, even if its URL has a query', async ({ page }) => {
    const button = page.getByRole('banner').getByRole('link', { name: 'Explore plans' })
    await page.goto('/account/services')
    await expect(button).toBeVisible()
    for (const query of ['', '?from=mail']) {
      await page.goto(`/account/products/choose${query}`)
      await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Account menu' })).toContainText('free@example.com')
      await expect(button).toHaveCount(0)
    }
  })
})

test.describe('signed-in owner', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('NAV-02 NAV-03 ROUTE-24 clicks from the header reach live view, events, search, services, plans, coupons and payment', async ({
    page,
  }) => {
    const openSection = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true }).click()
    const openLink = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true }).click()
    await page.goto('/account/services/cover')
    await openSection('Cameras')
    await expect(page).toHaveURL('/live')
    await openSection('Events')
    await expect(page).toHaveURL('/events')
    await page.getByRole('button', { name: 'Describe what happened' }).click()
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
    await openSection('Account')
    await expect(page).toHaveURL('/account/services')
    await openLink('Payment')
    await expect(page).toHaveURL('/account/payment')
    await openLink('Redeem')
    await expect(page).toHaveURL('/account/redeem/choose')
    await openLink('Plans')
    await expect(page).toHaveURL('/account/products/choose')
    await expect(page.getByRole('main').getByRole('link', { name: 'Choose Camera AI', exact: true })).toHaveAttribute(
      'href',
      /^\/account\/products\/camera-ai\b/,
    )
  })
})
