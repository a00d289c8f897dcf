import type { Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'
import { openSharedOfflineHome, OFFLINE_CAMERA_NAMES } from '../support/offline-home.ts'

const findTiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
const findOpenButton = (page: Page) => page.getByRole('button', { name: `Open ${OFFLINE_CAMERA_NAMES[0]}` })
/** Click position that avoids the message in the middle of a tile without video. */
const TILE_CORNER = { position: { x: 20, y: 60 } }

/** Leaves all requests of these scripts without a response. Returns a function that answers them. */
async function holdScripts(page: Page, scripts: RegExp): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(scripts, async (route) => {
    await promise
    await route.continue()
  })
  return async () => resolve()
}

for (const [scripts, pattern] of [
  ['the deferred parts', /\/_astro\/parts-chunk\./],
  ['its view', /\/_astro\/CameraView\./],
] as const)
  test(`a camera that opens before the code of ${scripts} has loaded gets its URL, and Back returns to all cameras`, async ({
    page,
    context,
  }) => {
    await openSharedOfflineHome(context)
    const release = await holdScripts(page, pattern)
    await page.goto('/live')
    await findOpenButton(page).click(TILE_CORNER)
    await expect(page).toHaveURL(/\/live\?camera=/)
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(OFFLINE_CAMERA_NAMES[0])
    await page.goBack()
    await expect(page).toHaveURL(/\/live$/)
    await expect(findTiles(page).nth(1)).toBeVisible()
    await findOpenButton(page).click(TILE_CORNER)
    await expect(page.getByRole('button', { name: 'All cameras' })).toBeVisible()
    const skeletonBox = await page.locator('.live-body').boundingBox()
    await release()
    await expect(page.getByRole('complementary', { name: `Events from ${OFFLINE_CAMERA_NAMES[0]}` })).toBeVisible()
    await expect.poll(() => page.locator('.one-view').boundingBox()).toEqual(skeletonBox)
    await page.goBack()
    await expect(findTiles(page).nth(1)).toBeVisible()
  })

test('a press on the wall display is busy until its script is there, and then opens it once', async ({
  page,
  context,
}) => {
  await openSharedOfflineHome(context)
  const release = await holdScripts(page, /\/_astro\/Wall\./)
  await page.goto('/live')
  await waitForLivePage(page)
  const button = page.getByRole('button', { name: 'Wall display' })
  const before = await button.boundingBox()
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  // Settled: the spinner appears together with `aria-busy`, and the test still holds the script.
  expect(await button.boundingBox()).toEqual(before)
  await button.click()
  await expect(page).toHaveURL(/\/live$/)
  await release()
  await expect(page).toHaveURL(/\/live\?wall/)
  await page.goBack()
  await expect(page).toHaveURL(/\/live$/)
  await expect(findTiles(page).first()).toBeVisible()
})

for (const [key, name] of [
  ['?', 'Keyboard shortcuts'],
  ['/', 'Search'],
] as const)
  test(`a press of ${key} before the page has hydrated is held and opens “${name}” once`, async ({ page, context }) => {
    await openSharedOfflineHome(context)
    const release = await holdScripts(page, /\/_astro\/(Live|Search)\./)
    await page.goto('/live')
    await expect(page.locator('#content')).toBeVisible()
    await page.keyboard.press(key)
    await expect(page.locator('html')).toHaveAttribute('data-held', key)
    await release()
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await expect(page.locator('html')).not.toHaveAttribute('data-held')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name })).toHaveCount(0)
    await expect(findTiles(page).first()).toBeVisible()
  })

test('a search in the URL shows its skeleton before the page has hydrated', async ({ page, context }) => {
  await openSharedOfflineHome(context)
  const release = await holdScripts(page, /\/_astro\/(Live|Search)\./)
  await page.goto('/live?search=')
  await expect(page.getByRole('status', { name: 'Loading search' })).toBeVisible()
  await release()
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading search' })).toHaveCount(0)
})

test.describe('the first visit', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  for (const width of [350, 390, 1440])
    test(`does not scroll sideways at ${width} px before the page has hydrated`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 })
      const release = await holdScripts(page, /\/_astro\/(Live|Search)\./)
      await page.goto('/live')
      await expect(page.getByText('Looking for your cameras…').first()).toBeVisible()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await release()
      await expect(findTiles(page)).toHaveCount(6)
    })

  test('shows skeletons in their final places until the cameras have loaded', async ({ page }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.addInitScript(() => localStorage.removeItem('user-cameras'))
    await page.route('**/get-home-devices', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/live')
    await expect(page.getByRole('status').filter({ hasText: 'Looking for your cameras…' })).toBeAttached()
    await expect(page.getByText('Looking for your cameras…').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Wall display' })).toHaveCount(0)
    const skeletons = page.locator('.live-grid > .skeleton:visible')
    await expect(skeletons).toHaveCount(6)
    const places = await skeletons.evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().toJSON()))
    release()
    await expect(findTiles(page)).toHaveCount(6)
    const measureTiles = () =>
      findTiles(page).evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().toJSON()))
    await expect.poll(measureTiles).toEqual(places)
    await expect(page.getByRole('button', { name: 'Wall display' })).toBeVisible()
  })
})
