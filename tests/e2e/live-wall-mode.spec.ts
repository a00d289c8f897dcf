import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { expect, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'
import { openSharedOfflineHome, openOfflineHome } from '../support/offline-home.ts'

const findWall = (page: Page) => page.getByRole('region', { name: 'Wall display', exact: true })
const findTiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
const findControls = (page: Page) => findWall(page).getByRole('group', { name: 'Wall display' })

test('wall mode shows only video and time, keeps its URL, and Esc returns to the previous page', async ({
  page,
  context,
}) => {
  await openSharedOfflineHome(context)
  await page.goto('/live')
  await waitForLivePage(page)
  await page.getByRole('button', { name: 'Wall display' }).click()
  await expect(page).toHaveURL(/\/live\?wall/)
  await expect(findTiles(page).first()).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(findWall(page).getByText(/\d of \d live/)).toBeVisible()
  const measureAspectError = async () => {
    const boxes = await Promise.all((await findTiles(page).all()).map((tile) => tile.boundingBox()))
    return Math.max(...boxes.map((box) => Math.abs((box?.width ?? 0) / (box?.height ?? 1) - 16 / 9)))
  }
  await expect.poll(measureAspectError).toBeLessThan(0.05)
  await page.goBack()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.goForward()
  await expect(findWall(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/live$/)
  await expect(page.getByRole('heading', { name: 'Cameras', exact: true })).toBeVisible()
})

test('a bookmark opens wall mode immediately, without axe violations; leaving it shows the live page instead', async ({
  page,
  context,
}) => {
  await openSharedOfflineHome(context)
  await page.goto('/live?wall')
  await expect(findTiles(page).first()).toBeVisible()
  expect(await findViolations(page, 'the wall')).toEqual([])
  // Move the mouse: the controls may have been hidden while the page was still loading.
  await page.mouse.move(300, 300)
  await findControls(page).getByRole('button', { name: 'Exit' }).click()
  await expect(page).toHaveURL(/\/live$/)
  await expect(page.getByRole('banner')).toBeVisible()
})

/**
 * Stops the page's clock, so that time passes only on request. `pauseAt` needs a future time, here one second ahead.
 * If that second has passed when the call arrives, `pauseAt` stops the clock and throws. The retry then succeeds.
 */
const stopClock = (page: Page) =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)).toPass()

test('wall mode hides its controls five seconds after a touch and moves its clock every minute', async ({
  page,
  context,
}) => {
  await openSharedOfflineHome(context)
  await page.clock.install()
  await page.goto('/live?wall')
  await expect(findTiles(page).first()).toBeVisible()
  await stopClock(page)
  await page.mouse.move(300, 300)
  await expect(findControls(page)).toHaveAttribute('data-seen', 'true')
  await page.clock.runFor(5100)
  await expect(findControls(page)).toHaveAttribute('data-seen', 'false')
  const clock = findWall(page).getByRole('time').first()
  const before = await clock.boundingBox()
  await page.clock.runFor(60_000)
  await expect
    .poll(async () => {
      const after = await clock.boundingBox()
      return Math.round(Math.abs(after!.x - before!.x) + Math.abs(after!.y - before!.y))
    })
    .toBe(4)
})

test('wall mode rotates through the saved layouts and stays on one on request', async ({ page, context }) => {
  await openOfflineHome(context)
  await page.goto('/live')
  await waitForLivePage(page)
  const firstCamera = (await findTiles(page).first().getByRole('heading').textContent()) ?? ''
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  const filter = page.getByRole('dialog', { name: 'Filter cameras' })
  await filter.getByLabel(firstCamera, { exact: true }).uncheck()
  await filter.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Saved layouts' }).click()
  const dialog = page.getByRole('dialog', { name: 'Saved layouts' })
  await dialog.getByLabel('Save current layout as').fill('Without one')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Show Without one' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  await filter.getByRole('button', { name: 'Select all' }).click()
  await filter.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(filter).toBeHidden()

  await page.clock.install()
  await page.goto('/live?wall')
  const tile = page.getByRole('list', { name: 'Cameras' }).getByRole('heading', { name: firstCamera, exact: true })
  await expect(findWall(page).getByText(/next: Without one in \d+ s/)).toBeVisible()
  await expect(tile).toBeVisible()
  await stopClock(page)
  await page.clock.runFor(21_000)
  await expect(tile).toBeHidden()
  await expect(findWall(page).getByText(/Without one · next: All cameras/)).toBeVisible()
  await page.mouse.move(300, 300)
  await findControls(page).getByRole('button', { name: 'Pause rotation' }).click()
  await page.clock.runFor(45_000)
  await expect(findWall(page).getByText('Without one · paused')).toBeVisible()
  await expect(tile).toBeHidden()
})
