import type { Locator, Page } from 'playwright/test'
import { expect, test } from '../support/e2e.ts'
import { ready } from '../support/live.ts'
import { moveLetGo } from '../support/pointer.ts'
import { joinStillHome, openSharedHome, openStillHome, STILL } from '../support/still-home.ts'

const tiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
const names = (page: Page) => tiles(page).getByRole('heading')
const surface = (tile: Locator) => tile.getByRole('button', { name: /^Open / })
const [first, second, third, ...others] = STILL

const opened = (page: Page) => page.getByRole('heading', { level: 1 })

async function show(page: Page): Promise<void> {
  await page.goto('/live')
  await expect(names(page)).toHaveText(STILL)
  await ready(page)
}

async function open(page: Page): Promise<void> {
  await openSharedHome(page.context())
  await show(page)
}

test('each layout is selected by its button and remembered', async ({ page }) => {
  await open(page)
  const choice = (label: string) => page.getByRole('button', { name: label, exact: true })
  await expect(choice('Automatic')).toHaveAttribute('aria-pressed', 'true')
  await choice('One').click()
  await expect(opened(page)).toHaveText(first)
  await page.getByRole('button', { name: 'All cameras' }).click()
  await expect(page).toHaveURL(/\/live$/)
  for (const label of ['Grid', 'Focus']) {
    await choice(label).click()
    await page.reload()
    await ready(page)
    await expect(choice(label)).toHaveAttribute('aria-pressed', 'true')
    await expect(tiles(page)).toHaveCount(STILL.length)
  }
  const wider = async () => {
    const boxes = await Promise.all((await tiles(page).all()).map((tile) => tile.boundingBox()))
    const widths = boxes.map((box) => box?.width ?? Infinity)
    return widths[0]! / Math.min(...widths)
  }
  await expect.poll(wider).toBeGreaterThanOrEqual(1.8)
  await choice('Grid').click()
  await expect.poll(wider).toBeLessThanOrEqual(1.55)
})

test('double-clicking opens a camera like one click, its URL works elsewhere, Escape returns, unknown cameras show all', async ({
  page,
}) => {
  await open(page)
  // The click position avoids the message in the middle of a tile without video.
  await surface(tiles(page).nth(1)).dblclick({ position: { x: 20, y: 60 } })
  await expect(opened(page)).toHaveText(second)
  await expect(page).toHaveURL(/\/live\?camera=/)
  await page.goto(page.url())
  await expect(opened(page)).toHaveText(second)
  await page.keyboard.press('Escape')
  await expect(tiles(page)).toHaveCount(STILL.length)
  await expect(page).toHaveURL(/\/live$/)
  await page.goto('/live?camera=NOBODY')
  await expect(page.getByText('This camera is not among yours.')).toBeVisible()
  await expect(page).toHaveURL(/\/live$/)
})

test('the keyboard alone reaches the tiles, one camera, the next one, the shortcut sheet and full screen', async ({
  page,
}) => {
  await open(page)
  await page.keyboard.press('2')
  await expect(opened(page)).toHaveText(second)
  await expect(page.getByRole('group', { name: new RegExp(`^${second}, `) })).toHaveCount(1)
  await expect(tiles(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(tiles(page)).toHaveCount(STILL.length)
  await surface(tiles(page).nth(0)).focus()
  await page.keyboard.press('ArrowRight')
  await expect(surface(tiles(page).nth(1))).toBeFocused()
  const fullScreen = () => page.evaluate(() => document.fullscreenElement?.tagName)
  await page.keyboard.press('f')
  await expect.poll(fullScreen).toBe('LI')
  await page.keyboard.press('f')
  await expect.poll(fullScreen).toBeUndefined()
  await page.keyboard.press('Enter')
  await expect(opened(page)).toHaveText(second)
  await page.keyboard.press('ArrowRight')
  await expect(opened(page)).toHaveText(third)
  await page.keyboard.press('1')
  await expect(opened(page)).toHaveText(first)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(opened(page)).toHaveText(first)
  await page.keyboard.press('Escape')
  await expect(tiles(page)).toHaveCount(STILL.length)
  await expect(surface(tiles(page).nth(0))).toBeFocused()
})

test('Shift with an arrow key moves a camera, announces its new position, and updates another browser', async ({
  page,
  context,
  browser,
}) => {
  await openStillHome(context)
  await show(page)
  const elsewhere = await browser.newContext()
  await joinStillHome(elsewhere, context)
  const other = await elsewhere.newPage()
  await show(other)
  await surface(tiles(page).nth(0)).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(names(page)).toHaveText([second, first, third, ...others])
  await expect(page.getByRole('status').filter({ hasText: `${first} is now 2 of` })).toBeAttached()
  await expect(surface(tiles(page).nth(1))).toBeFocused()
  await expect(names(other)).toHaveText([second, first, third, ...others])
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(names(other)).toHaveText(STILL)
  await elsewhere.close()
})

test('dragging a camera to another position with the mouse is saved for the account', async ({ page, context }) => {
  await openStillHome(context)
  await show(page)
  const saved = page.waitForResponse((answer) => answer.url().endsWith('/extension/camera-order'))
  const [a, b] = await Promise.all([tiles(page).nth(1).boundingBox(), tiles(page).nth(0).boundingBox()])
  if (!a || !b) throw new Error('no tile')
  await page.mouse.move(a.x + 20, a.y + 60)
  await page.mouse.down()
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 3, { steps: 8 })
  await page.mouse.up()
  expect((await saved).status()).toBe(200)
  await expect(names(page)).toHaveText([second, first, third, ...others])
  // The end of a drag must not count as a click, which would open the camera.
  await expect(page).toHaveURL(/\/live$/)
  await page.reload()
  await ready(page)
  await expect(names(page)).toHaveText([second, first, third, ...others])
})

test('a camera returns to its position when its drag ends without a pointerup', async ({ page }) => {
  await open(page)
  const [a, b] = await Promise.all([tiles(page).nth(1).boundingBox(), tiles(page).nth(0).boundingBox()])
  if (!a || !b) throw new Error('no tile')
  const middle = [b.x + b.width / 2, b.y + b.height / 3] as const
  await page.mouse.move(a.x + 20, a.y + 60)
  await page.mouse.down()
  await page.mouse.move(...middle, { steps: 8 })
  await expect(tiles(page).nth(1)).toHaveAttribute('data-dragged', 'true')
  await moveLetGo(page, middle[0] + 20, middle[1])
  await expect(tiles(page).nth(1)).not.toHaveAttribute('data-dragged', 'true')
  await expect.poll(() => tiles(page).nth(1).boundingBox()).toEqual(a)
  await page.mouse.up()
  await expect(names(page)).toHaveText(STILL)
})
