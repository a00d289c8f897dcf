import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { ready } from '../support/live.ts'

test.use({ storageState: SIGNED_IN.owner })

const wall = (page: Page) => page.getByRole('region', { name: 'Wall', exact: true })
const tiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
const controls = (page: Page) => wall(page).getByRole('group', { name: 'Wall' })

test('the wall shows pictures and the time alone, keeps its address, and Esc leaves to where it was opened', async ({
  page,
}) => {
  await page.goto('/live')
  await ready(page)
  await page.getByRole('button', { name: 'Show on a wall' }).click()
  await expect(page).toHaveURL(/\/live\?wall/)
  await expect(tiles(page).first()).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(wall(page).getByText(/\d of \d live/)).toBeVisible()
  const sizes = await Promise.all((await tiles(page).all()).map((tile) => tile.boundingBox()))
  for (const box of sizes) expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 9, 1)
  await page.goBack()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goForward()
  await expect(wall(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/live$/)
  await expect(page.getByRole('heading', { name: 'Cameras', exact: true })).toBeVisible()
})

test('Back leads away from a wall whose script has not come yet', async ({ page }) => {
  let isAsked = false
  await page.route('**/Wall.*.js', () => {
    isAsked = true
  })
  await page.goto('/live')
  await ready(page)
  await page.getByRole('button', { name: 'Show on a wall' }).click()
  await expect(page).toHaveURL(/\/live\?wall/)
  await expect.poll(() => isAsked).toBe(true)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Cameras', exact: true })).toBeVisible()
  await expect(tiles(page).first()).toBeVisible()
})

test('a bookmark opens the wall at once, and leaving it gives the page in its place', async ({ page }) => {
  await page.goto('/live?wall')
  await expect(tiles(page).first()).toBeVisible()
  // They may have gone while the page still loaded.
  await page.mouse.move(300, 300)
  await controls(page).getByRole('button', { name: 'Leave the wall' }).click()
  await expect(page).toHaveURL(/\/live$/)
  await expect(page.getByRole('banner')).toBeVisible()
})

/**
 * From here on no time passes but what is asked for. A second ahead may be past when it arrives: the clock stands then, and the next try
 * is in time.
 */
const stopClock = (page: Page) =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)).toPass()

test('controls go five seconds after a touch, and the clock moves each minute', async ({ page }) => {
  await page.clock.install()
  await page.goto('/live?wall')
  await expect(tiles(page).first()).toBeVisible()
  await stopClock(page)
  await page.mouse.move(300, 300)
  await expect(controls(page)).toHaveAttribute('data-seen', 'true')
  await page.clock.runFor(5100)
  await expect(controls(page)).toHaveAttribute('data-seen', 'false')
  const clock = wall(page).getByRole('time').first()
  const before = await clock.boundingBox()
  await page.clock.runFor(60_000)
  await expect
    .poll(async () => {
      const after = await clock.boundingBox()
      return Math.round(Math.abs(after!.x - before!.x) + Math.abs(after!.y - before!.y))
    })
    .toBe(4)
})

test('the saved layouts follow each other, and stay on request', async ({ page }) => {
  await page.goto('/live')
  await ready(page)
  const first = (await tiles(page).first().getByRole('heading').textContent()) ?? ''
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  const filter = page.getByRole('dialog', { name: 'Filter cameras' })
  await filter.getByLabel(first, { exact: true }).uncheck()
  await filter.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Saved layouts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Saved layouts' })
  await dialog.getByLabel('Save what you see now as').fill('Without one')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Show Without one' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  await filter.getByRole('button', { name: 'Choose all' }).click()
  await filter.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(filter).toBeHidden()

  await page.clock.install()
  // What happens meanwhile would hold the page.
  await page.routeWebSocket(/\/feed/, () => {})
  await page.goto('/live?wall')
  const tile = page.getByRole('list', { name: 'Cameras' }).getByRole('heading', { name: first, exact: true })
  await expect(wall(page).getByText(/next: Without one in \d+ s/)).toBeVisible()
  await expect(tile).toBeVisible()
  await stopClock(page)
  await page.clock.runFor(21_000)
  await expect(tile).toBeHidden()
  await expect(wall(page).getByText(/Without one · next: All cameras/)).toBeVisible()
  await page.mouse.move(300, 300)
  await controls(page).getByRole('button', { name: 'Stay on this page' }).click()
  await page.clock.runFor(45_000)
  await expect(wall(page).getByText('Without one · paused')).toBeVisible()
  await expect(tile).toBeHidden()

  // A page that is opened while the clock stands never starts.
  await page.clock.resume()
  await page.goto('/live')
  await ready(page)
  await page.getByRole('button', { name: 'Saved layouts' }).click()
  await dialog.getByRole('button', { name: 'Delete Without one' }).click()
  await expect(dialog.getByText('None yet.')).toBeVisible()
})

test('axe finds nothing on the wall', async ({ page }) => {
  test.slow()
  await page.goto('/live?wall')
  await expect(tiles(page).first()).toBeVisible()
  expect(await findings(page, 'the wall')).toEqual([])
})
