import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { clearStoredData, expect, holdResponses, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { listLayoutShifts, readLayoutShift, recordLayoutShifts } from '../support/shifts.ts'

test.use({ storageState: SIGNED_IN_STATES.free })

test('the parts of the cards align, and a phone opens the comparison with a button', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/account/products/choose')
  const cards = page.locator('.price-card')
  await expect(cards.nth(1).getByRole('link')).toBeVisible()
  for (const part of ['.price-name', '.price-amount', '.price-unit', '.price-note', '.kept', '.price-facts']) {
    const countPlaces = async () => {
      const tops = await page
        .locator(`.price-card ${part}`)
        .evaluateAll((all) => all.map((element) => Math.round(element.getBoundingClientRect().top)))
      return [part, new Set(tops).size, tops.length]
    }
    await expect.poll(countPlaces).toEqual([part, 1, 4])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const table = page.getByRole('table')
  await expect(table).toBeHidden()
  await page.getByRole('button', { name: 'Compare plans' }).press('Enter')
  await expect(table).toBeVisible()
  const feature = page.getByRole('rowheader', { name: 'Live video' })
  const before = await feature.boundingBox()
  const panel = page.getByRole('region', { name: 'Comparison table' })
  await panel.evaluate((element) => element.scrollBy(300, 0))
  await expect.poll(() => panel.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
  await expect.poll(async () => (await feature.boundingBox())?.x).toBe(before?.x)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findViolations(page, 'the comparison on a phone')).toEqual([])
})

for (const width of [390, 1440])
  test(`a plan page of ${width} px loads without moving`, async ({ page }) => {
    await recordLayoutShifts(page)
    await page.setViewportSize({ width, height: 844 })
    for (const segment of ['camera-ai', 'unlimited', 'home-monitoring']) {
      await page.goto(`/account/products/${segment}`)
      await expect(page.getByRole('region', { name: 'Your choices' })).not.toHaveAttribute('aria-busy', 'true')
      await expect(
        page
          .getByText(/Your last (\d+ )?days?$/)
          .or(page.getByText('Today’s price'))
          .first(),
      ).toBeAttached()
      await expect(page.getByRole('button', { name: 'Add a card or wallet' })).toBeVisible()
      const shifts = await listLayoutShifts(page)
      expect.soft((await readLayoutShift(page)) <= 0.02 ? [] : shifts, segment).toEqual([])
    }
  })

const waitForFrames = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

test.describe('a browser without stored data', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  for (const width of [390, 412])
    test(`shows a plan page of ${width} px that does not move when price and typeface arrive last`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      await clearStoredData(page)
      await recordLayoutShifts(page)
      const releasePrice = await holdResponses(page, '**/preview_purchase')
      const releaseFonts = await holdResponses(page, /\.woff2$/)
      const cameras = page.waitForResponse(/get-home-devices$/)
      await page.goto('/account/products/camera-ai?period=monthly', { waitUntil: 'commit' })
      await expect(page.getByText(/You have Unlimited/)).toBeVisible()
      await expect(page.getByText('Calculating the price…')).toBeVisible()
      await cameras
      await waitForFrames(page)
      releaseFonts()
      await page.evaluate(() => document.fonts.ready)
      releasePrice()
      await expect(page.locator('.phone-bar b')).toHaveText(/\$/)
      await waitForFrames(page)
      const shifts = await listLayoutShifts(page)
      expect((await readLayoutShift(page)) <= 0.01 ? [] : shifts).toEqual([])
    })
})

test('a plan page does not move if the subscriptions arrive after the prices', async ({ page }) => {
  await recordLayoutShifts(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const catalog = page.waitForResponse(/recurring_info/)
  const release = await holdResponses(page, '**/v2/subscriptions/**')
  await page.goto('/account/products/camera-ai')
  await catalog
  await expect(page.getByText('14-day free trial')).toBeAttached()
  await waitForFrames(page)
  release()
  await expect(page.getByRole('radio', { name: /free trial/ })).toBeVisible()
  expect(await listLayoutShifts(page)).toEqual([])
})
