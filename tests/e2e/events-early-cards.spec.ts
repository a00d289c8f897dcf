import type { Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { AFTERNOON_TIME_ZONE } from '../support/time-zone.ts'

// Early cards are those of today.
test.use({ storageState: SIGNED_IN_STATES.owner, timezoneId: AFTERNOON_TIME_ZONE })

const early = (page: Page) => page.locator('[data-early-list] a[data-event]')
const final = (page: Page) => page.locator('[data-list] a[data-event]')

/** Opens /events without React until the returned function is called. */
async function openWithoutReact(page: Page): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/_astro\/react\./, async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/events')
  await expect(early(page).first()).toBeVisible()
  return release
}

/** Runs in the page: returns id, text, position and size of the cards in the window. */
function readCards(links: (HTMLElement | SVGElement)[]) {
  return links
    .map((link) => ({ id: link.getAttribute('data-event'), text: link.textContent, box: link.getBoundingClientRect() }))
    .filter(({ box }) => box.top < innerHeight - 88)
    .map(({ id, text, box }) => `${id} ${text} ${box.left},${box.top} ${box.width}×${box.height}`)
}

/** Runs in the page: counts frames in which the thumbnail of the first card is not completely visible. */
function countMissingThumbnails(): void {
  const page = globalThis as { missing?: number }
  page.missing = 0
  requestAnimationFrame(function check() {
    const image = document.querySelector<HTMLImageElement>('a[data-event] img')
    if (!image || getComputedStyle(image).opacity !== '1') page.missing = (page.missing ?? 0) + 1
    requestAnimationFrame(check)
  })
}

for (const width of [1440, 390])
  test(`at ${width} px, the first events appear before React, which keeps them in place`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    // Stores the names of the cameras.
    await page.goto('/events')
    await expect(final(page).first()).toBeVisible()
    const release = await openWithoutReact(page)
    const image = early(page).first().locator('img')
    await expect(image).toHaveCSS('opacity', '1')
    await expect(page.getByText('Loading events…')).toBeHidden()
    // Settled: nothing changes the early cards while React is held back.
    const cards = await early(page).evaluateAll(readCards)
    expect(cards.length).toBeGreaterThan(1)
    await page.evaluate(countMissingThumbnails)
    release()
    await expect(final(page).first()).toBeVisible()
    await expect(early(page)).toHaveCount(0)
    // Settled: the final list has replaced the early cards in one step.
    expect((await final(page).evaluateAll(readCards)).slice(0, cards.length)).toEqual(cards)
    await expect.poll(() => page.evaluate(() => (globalThis as { missing?: number }).missing)).toBe(0)
  })

test('a click on an early card opens its clip after React has loaded', async ({ page }) => {
  const release = await openWithoutReact(page)
  const card = early(page).nth(1)
  const id = (await card.getAttribute('data-event')) ?? ''
  await card.click()
  expect(new URL(page.url()).search).toBe('')
  release()
  await expect.poll(() => new URL(page.url()).searchParams.get('event')).toBe(id)
  await expect(page.getByRole('region', { name: 'Clip' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('region', { name: 'Clip' })).toHaveCount(0)
})
