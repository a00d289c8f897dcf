import type { Locator, Page } from 'playwright/test'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { ready } from '../support/live.ts'
import { moveLetGo } from '../support/pointer.ts'

test.use({ storageState: SIGNED_IN.owner })

const tiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
const names = (page: Page) => tiles(page).getByRole('heading').allTextContents()
const surface = (tile: Locator) => tile.getByRole('button', { name: /^Open / })

/** The one camera that is open. */
const opened = (page: Page) => page.getByRole('heading', { level: 1 })

async function open(page: Page): Promise<string[]> {
  await page.goto('/live')
  await expect(tiles(page).nth(3)).toBeVisible()
  await ready(page)
  return names(page)
}

test('each layout is chosen by its button and remembered', async ({ page }) => {
  const all = await open(page)
  const choice = (label: string) => page.getByRole('button', { name: label, exact: true })
  await expect(choice('Automatic')).toHaveAttribute('aria-pressed', 'true')
  await choice('One').click()
  await expect(opened(page)).toHaveText(all[0] ?? '')
  await page.getByRole('button', { name: 'All cameras' }).click()
  await expect(page).toHaveURL(/\/live$/)
  for (const label of ['Grid', 'Focus']) {
    await choice(label).click()
    await page.reload()
    await ready(page)
    await expect(choice(label)).toHaveAttribute('aria-pressed', 'true')
    await expect(tiles(page)).toHaveCount(all.length)
  }
  const wider = async () => {
    const boxes = await Promise.all((await tiles(page).all()).map((tile) => tile.boundingBox()))
    const widths = boxes.map((box) => box?.width ?? Infinity)
    return widths[0]! / Math.min(...widths)
  }
  await expect.poll(wider).toBeGreaterThanOrEqual(1.8)
  await choice('Grid').click()
  await expect.poll(wider).toBeLessThanOrEqual(1.55)
  await choice('Automatic').click()
})

test('a double click opens a camera as one click does, its address can be opened elsewhere, and Escape goes back', async ({
  page,
}) => {
  const [, second = ''] = await open(page)
  await surface(tiles(page).nth(1)).dblclick()
  await expect(opened(page)).toHaveText(second)
  await expect(page).toHaveURL(/\/live\?camera=/)
  await page.goto(page.url())
  await expect(opened(page)).toHaveText(second)
  await page.keyboard.press('Escape')
  await expect(tiles(page).nth(3)).toBeVisible()
  await expect(page).toHaveURL(/\/live$/)
})

test('the address of a camera that is not there shows all, and says so', async ({ page }) => {
  await page.goto('/live?camera=NOBODY')
  await expect(page.getByText('This camera is not among yours.')).toBeVisible()
  await expect(page).toHaveURL(/\/live$/)
})

test('the keyboard alone goes through the page: tiles, one camera, the next, the sheet of keys', async ({ page }) => {
  const [first = '', second = '', third = ''] = await open(page)
  await surface(tiles(page).nth(0)).focus()
  await page.keyboard.press('ArrowRight')
  await expect(surface(tiles(page).nth(1))).toBeFocused()
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
  await expect(tiles(page).nth(3)).toBeVisible()
  await expect(surface(tiles(page).nth(0))).toBeFocused()
})

test('f fills the screen with the chosen camera', async ({ page }) => {
  await open(page)
  await surface(tiles(page).nth(1)).focus()
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.tagName)).toBe('LI')
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull()
})

test('Shift and an arrow move a camera, a screen reader hears where to, and another browser sees it', async ({
  page,
  browser,
}) => {
  const [first = '', second = '', ...others] = await open(page)
  const other = await (await browser.newContext({ storageState: SIGNED_IN.owner })).newPage()
  await open(other)
  await surface(tiles(page).nth(0)).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => names(page)).toEqual([second, first, ...others])
  await expect(page.getByRole('status').filter({ hasText: `${first} is now 2 of` })).toBeAttached()
  await expect(surface(tiles(page).nth(1))).toBeFocused()
  await expect.poll(() => names(other)).toEqual([second, first, ...others])
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => names(other)).toEqual([first, second, ...others])
  await other.context().close()
})

test('a mouse drags a camera to the place of another, and the account keeps it', async ({ page }) => {
  const [first = '', second = '', ...others] = await open(page)
  const drag = async (from: number, to: number) => {
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/extension/camera-order'))
    const [a, b] = await Promise.all([tiles(page).nth(from).boundingBox(), tiles(page).nth(to).boundingBox()])
    if (!a || !b) throw new Error('no tile')
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 3)
    await page.mouse.down()
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 3, { steps: 8 })
    await page.mouse.up()
    expect((await saved).status()).toBe(200)
  }
  await drag(1, 0)
  await expect.poll(() => names(page)).toEqual([second, first, ...others])
  // What ends a drag is no click, which would open the camera.
  await expect(page).toHaveURL(/\/live$/)
  await page.reload()
  await ready(page)
  await expect.poll(() => names(page)).toEqual([second, first, ...others])
  await drag(1, 0)
  await expect.poll(() => names(page)).toEqual([first, second, ...others])
})

test('a camera whose drag ended where nobody heard of it is back in its place', async ({ page }) => {
  const all = await open(page)
  const [a, b] = await Promise.all([tiles(page).nth(1).boundingBox(), tiles(page).nth(0).boundingBox()])
  if (!a || !b) throw new Error('no tile')
  const middle = [b.x + b.width / 2, b.y + b.height / 3] as const
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 3)
  await page.mouse.down()
  await page.mouse.move(...middle, { steps: 8 })
  await expect(tiles(page).nth(1)).toHaveAttribute('data-dragged', 'true')
  await moveLetGo(page, middle[0] + 20, middle[1])
  await expect(tiles(page).nth(1)).not.toHaveAttribute('data-dragged', 'true')
  expect(await tiles(page).nth(1).boundingBox()).toEqual(a)
  await page.mouse.up()
  expect(await names(page)).toEqual(all)
})
