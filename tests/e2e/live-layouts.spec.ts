import type { Locator, Page } from 'playwright/test'
import { expect, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'
import { moveWithoutButton } from '../support/pointer.ts'
import { shareSignIn, openSharedOfflineHome, openOfflineHome, OFFLINE_CAMERA_NAMES } from '../support/offline-home.ts'

const findTiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
const findNames = (page: Page) => findTiles(page).getByRole('heading')
const findOpenButton = (tile: Locator) => tile.getByRole('button', { name: /^Open / })
const [first, second, third, ...others] = OFFLINE_CAMERA_NAMES

const findOpenCameraName = (page: Page) => page.getByRole('heading', { level: 1 })

async function openLivePage(page: Page): Promise<void> {
  await page.goto('/live')
  await expect(findNames(page)).toHaveText(OFFLINE_CAMERA_NAMES)
  await waitForLivePage(page)
}

async function openSharedLivePage(page: Page): Promise<void> {
  await openSharedOfflineHome(page.context())
  await openLivePage(page)
}

test('each layout is selected by its button and remembered', async ({ page }) => {
  await openSharedLivePage(page)
  const findLayoutButton = (label: string) => page.getByRole('button', { name: label, exact: true })
  await expect(findLayoutButton('Automatic')).toHaveAttribute('aria-pressed', 'true')
  await findLayoutButton('One').click()
  await expect(findOpenCameraName(page)).toHaveText(first)
  await page.getByRole('button', { name: 'All cameras' }).click()
  await expect(page).toHaveURL(/\/live$/)
  for (const label of ['Grid', 'Focus']) {
    await findLayoutButton(label).click()
    await page.reload()
    await waitForLivePage(page)
    await expect(findLayoutButton(label)).toHaveAttribute('aria-pressed', 'true')
    await expect(findTiles(page)).toHaveCount(OFFLINE_CAMERA_NAMES.length)
  }
  const measureWidthRatio = async () => {
    const boxes = await Promise.all((await findTiles(page).all()).map((tile) => tile.boundingBox()))
    const widths = boxes.map((box) => box?.width ?? Infinity)
    return widths[0]! / Math.min(...widths)
  }
  await expect.poll(measureWidthRatio).toBeGreaterThanOrEqual(1.8)
  await findLayoutButton('Grid').click()
  await expect.poll(measureWidthRatio).toBeLessThanOrEqual(1.55)
})

test('double-clicking opens a camera like one click, its URL works elsewhere, Escape returns, unknown cameras show all', async ({
  page,
}) => {
  await openSharedLivePage(page)
  // The click position avoids the message in the middle of a tile without video.
  await findOpenButton(findTiles(page).nth(1)).dblclick({ position: { x: 20, y: 60 } })
  await expect(findOpenCameraName(page)).toHaveText(second)
  await expect(page).toHaveURL(/\/live\?camera=/)
  await page.goto(page.url())
  await expect(findOpenCameraName(page)).toHaveText(second)
  await page.keyboard.press('Escape')
  await expect(findTiles(page)).toHaveCount(OFFLINE_CAMERA_NAMES.length)
  await expect(page).toHaveURL(/\/live$/)
  await page.goto('/live?camera=NOBODY')
  await expect(page.getByText('You don’t have access to this camera.')).toBeVisible()
  await expect(page).toHaveURL(/\/live$/)
})

test('the keyboard alone reaches the tiles, one camera, the next one, the shortcut sheet and full screen', async ({
  page,
}) => {
  await openSharedLivePage(page)
  await page.keyboard.press('2')
  await expect(findOpenCameraName(page)).toHaveText(second)
  await expect(page.getByRole('group', { name: new RegExp(`^${second}, `) })).toHaveCount(1)
  await expect(findTiles(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(findTiles(page)).toHaveCount(OFFLINE_CAMERA_NAMES.length)
  await findOpenButton(findTiles(page).nth(0)).focus()
  await page.keyboard.press('ArrowRight')
  await expect(findOpenButton(findTiles(page).nth(1))).toBeFocused()
  const readFullScreenTag = () => page.evaluate(() => document.fullscreenElement?.tagName)
  await page.keyboard.press('f')
  await expect.poll(readFullScreenTag).toBe('LI')
  await page.keyboard.press('f')
  await expect.poll(readFullScreenTag).toBeUndefined()
  await page.keyboard.press('Enter')
  await expect(findOpenCameraName(page)).toHaveText(second)
  await page.keyboard.press('ArrowRight')
  await expect(findOpenCameraName(page)).toHaveText(third)
  await page.keyboard.press('1')
  await expect(findOpenCameraName(page)).toHaveText(first)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(findOpenCameraName(page)).toHaveText(first)
  await page.keyboard.press('Escape')
  await expect(findTiles(page)).toHaveCount(OFFLINE_CAMERA_NAMES.length)
  await expect(findOpenButton(findTiles(page).nth(0))).toBeFocused()
})

test('Shift with an arrow key moves a camera, announces its new position, and updates another browser', async ({
  page,
  context,
  browser,
}) => {
  await openOfflineHome(context)
  await openLivePage(page)
  const otherContext = await browser.newContext()
  await shareSignIn(otherContext, context)
  const other = await otherContext.newPage()
  await openLivePage(other)
  await findOpenButton(findTiles(page).nth(0)).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(findNames(page)).toHaveText([second, first, third, ...others])
  await expect(page.getByRole('status').filter({ hasText: `${first} moved to position 2 of` })).toBeAttached()
  await expect(findOpenButton(findTiles(page).nth(1))).toBeFocused()
  await expect(findNames(other)).toHaveText([second, first, third, ...others])
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(findNames(other)).toHaveText(OFFLINE_CAMERA_NAMES)
  await otherContext.close()
})

test('dragging a camera to another position with the mouse is saved for the account', async ({ page, context }) => {
  await openOfflineHome(context)
  await openLivePage(page)
  const orderResponse = page.waitForResponse((answer) => answer.url().endsWith('/extension/camera-order'))
  const [draggedBox, targetBox] = await Promise.all([
    findTiles(page).nth(1).boundingBox(),
    findTiles(page).nth(0).boundingBox(),
  ])
  if (!draggedBox || !targetBox) throw new Error('A tile has no bounding box.')
  await page.mouse.move(draggedBox.x + 20, draggedBox.y + 60)
  await page.mouse.down()
  await page.mouse.move(targetBox.x + targetBox.width / 2, targetBox.y + targetBox.height / 3, { steps: 8 })
  await page.mouse.up()
  expect((await orderResponse).status()).toBe(200)
  await expect(findNames(page)).toHaveText([second, first, third, ...others])
  // The end of a drag must not count as a click, which would open the camera.
  await expect(page).toHaveURL(/\/live$/)
  await page.reload()
  await waitForLivePage(page)
  await expect(findNames(page)).toHaveText([second, first, third, ...others])
})

test('a camera returns to its position when its drag ends without a pointerup', async ({ page }) => {
  await openSharedLivePage(page)
  const [draggedBox, targetBox] = await Promise.all([
    findTiles(page).nth(1).boundingBox(),
    findTiles(page).nth(0).boundingBox(),
  ])
  if (!draggedBox || !targetBox) throw new Error('A tile has no bounding box.')
  const middle = [targetBox.x + targetBox.width / 2, targetBox.y + targetBox.height / 3] as const
  await page.mouse.move(draggedBox.x + 20, draggedBox.y + 60)
  await page.mouse.down()
  await page.mouse.move(...middle, { steps: 8 })
  await expect(findTiles(page).nth(1)).toHaveAttribute('data-dragged', 'true')
  await moveWithoutButton(page, middle[0] + 20, middle[1])
  await expect(findTiles(page).nth(1)).not.toHaveAttribute('data-dragged', 'true')
  await expect.poll(() => findTiles(page).nth(1).boundingBox()).toEqual(draggedBox)
  await page.mouse.up()
  await expect(findNames(page)).toHaveText(OFFLINE_CAMERA_NAMES)
})
