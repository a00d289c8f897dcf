import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

for (const [width, texts] of [
  [1440, ['Last 24 hours', 'Camera on', 'Busy hours', 'Most active']],
  [390, ['Filters', 'All clips']],
] as const)
  test(`at ${width} px, the page shows what it knows and a note before it has hydrated`, async ({ page }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.setViewportSize({ width, height: 844 })
    await page.route(/\/_astro\/Events\.|\/event\/history/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/events')
    const main = page.getByRole('main')
    for (const text of texts)
      await expect(main.getByText(text, { exact: true }).filter({ visible: true })).toHaveCount(1)
    // Today's number is in the row of days, and hours are on the axes.
    await expect(main.locator('[data-day="0"] > b')).toHaveText(await page.evaluate(() => `${new Date().getDate()}`))
    await expect(main.locator('[data-axis] > span').first()).toHaveText(/\d/)
    await expect(page.getByText('Loading events…')).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    release()
    await expect(main.getByRole('listitem').first()).toBeVisible()
    await expect(page.getByText('Loading events…')).toHaveCount(0)
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  })
