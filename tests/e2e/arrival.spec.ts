import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { beginOf, cards } from '../support/events.ts'

test.use({ storageState: SIGNED_IN.owner })

// Runs at the beginning (playwright.config.ts): in the first ten minutes after a start the cameras are never quiet for long.
test('what happens now shows in the open page without a reload', async ({ page }) => {
  test.setTimeout(240_000)
  const opened = Date.now()
  await page.goto('/events')
  await expect(cards(page).first()).toBeVisible()
  const newest = async () => beginOf((await cards(page).first().getByRole('link').getAttribute('data-event')) ?? '')
  await expect.poll(newest, { timeout: 200_000, intervals: [500] }).toBeGreaterThan(opened)
  await expect
    .poll(() =>
      cards(page)
        .first()
        .locator('img')
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0)
})
