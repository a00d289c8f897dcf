import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'
import { recordVisit } from '../support/demo-cameras.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

test('a new event appears in the open page without a reload', async ({ page }) => {
  await page.goto('/events')
  const newest = eventCards(page).first()
  await expect(newest).toBeVisible()
  const before = await newest.getByRole('link').getAttribute('data-event')
  const camera = await recordVisit('Driveway')
  await expect(newest.getByRole('link')).toHaveAttribute('data-event', new RegExp(`^${camera}-`))
  await expect(newest.getByRole('link')).not.toHaveAttribute('data-event', before ?? '')
  await expect
    .poll(() => newest.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
})
