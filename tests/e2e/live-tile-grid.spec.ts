import type { Page } from 'playwright/test'
import { expect, test } from '../support/e2e.ts'
import { waitForLivePage } from '../support/live.ts'
import { shareSignIn, openSharedOfflineHome, openOfflineHome } from '../support/offline-home.ts'

interface TileBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const LAYOUT_NAMES = ['Automatic', 'Focus', 'Grid']
const findLayoutButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const findTiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')

async function measureBoxes(page: Page): Promise<TileBox[]> {
  const boxes = await Promise.all((await findTiles(page).all()).map((tile) => tile.boundingBox()))
  return boxes.filter((box) => box !== null)
}

const isOverlapping = (a: TileBox, b: TileBox) =>
  a.x + a.width > b.x + 1 && b.x + b.width > a.x + 1 && a.y + a.height > b.y + 1 && b.y + b.height > a.y + 1

/**
 * Returns the layout errors: tiles that are not 16:9 or too small, and tiles or Today panels that overlap or extend
 * beyond the left or right edge of the live view.
 */
async function listLayoutErrors(page: Page): Promise<string[]> {
  const liveViewBox = await page.getByRole('region', { name: 'Live view' }).boundingBox()
  const boxes = await measureBoxes(page)
  const today = await page.getByRole('complementary', { name: 'Today' }).all()
  const allBoxes = [
    ...boxes,
    ...(await Promise.all(today.map((panel) => panel.boundingBox()))).filter((box) => box !== null),
  ]
  return [
    ...boxes.filter(({ width, height }) => Math.abs(width / height - 16 / 9) > 0.02).map(() => 'not 16:9'),
    ...boxes.filter(({ width }) => width < 149).map(() => 'too small'),
    ...allBoxes.flatMap((a, at) => allBoxes.slice(at + 1).flatMap((b) => (isOverlapping(a, b) ? ['overlapping'] : []))),
    ...allBoxes
      .filter(
        (box) => !liveViewBox || box.x < liveViewBox.x || box.x + box.width > liveViewBox.x + liveViewBox.width + 1,
      )
      .map(() => 'outside'),
  ]
}

/** Returns the share (0 to 1) of the tiles' bounding rectangle that the tiles and their gaps fill. */
async function measureFilledShare(page: Page): Promise<number> {
  const boxes = await measureBoxes(page)
  const area = boxes.reduce((sum, { width, height }) => sum + (width + 12) * (height + 12), 0)
  const right = Math.max(...boxes.map(({ x, width }) => x + width))
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height))
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))]
  return area / ((right - left + 12) * (bottom - top + 12))
}

test('tiles fill the live view at 1440, 1024 and 768 px in each layout, without holes', async ({ page, context }) => {
  await openSharedOfflineHome(context)
  await page.goto('/live')
  await waitForLivePage(page)
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const layoutName of LAYOUT_NAMES)
      await test.step(`${layoutName} at ${width}`, async () => {
        await findLayoutButton(page, layoutName).click()
        await expect.poll(() => listLayoutErrors(page)).toEqual([])
        await expect.poll(() => measureFilledShare(page)).toBeGreaterThan(0.985)
      })
  }
})

test('on a phone, tiles fill the width in one column, or in two by choice', async ({ page, context }) => {
  await openSharedOfflineHome(context)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/live')
  await waitForLivePage(page)
  await expect.poll(async () => (await measureBoxes(page))[0]?.width).toBeGreaterThan(350)
  await findLayoutButton(page, 'Grid').click()
  const measureRowEnd = async () => {
    const [first, second] = await measureBoxes(page)
    return first?.y === second?.y && (second?.x ?? 0) + (second?.width ?? 0)
  }
  await expect.poll(measureRowEnd).toBeGreaterThan(370)
})

test('three tiles leave no hole, and Today does not move when a tile shows its controls', async ({ page, context }) => {
  await openOfflineHome(context)
  await page.goto('/live')
  await waitForLivePage(page)
  const names = await findTiles(page).getByRole('heading').allTextContents()
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter cameras' })
  for (const name of names.slice(3)) await dialog.getByLabel(name, { exact: true }).uncheck()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(findTiles(page)).toHaveCount(3)
  for (const layoutName of LAYOUT_NAMES) {
    await findLayoutButton(page, layoutName).click()
    await expect.poll(() => listLayoutErrors(page)).toEqual([])
    await expect.poll(() => measureFilledShare(page)).toBeGreaterThan(0.985)
  }
  const today = page.getByRole('complementary', { name: 'Today' })
  await expect(today.getByRole('heading', { name: 'Today' })).toBeVisible()
  const before = await today.boundingBox()
  await findTiles(page)
    .first()
    .getByRole('button', { name: /settings and details/ })
    .focus()
  // Settled: CSS shows the controls on focus, and `boundingBox` measures the current layout.
  expect(await today.boundingBox()).toEqual(before)
})

test('layouts of an earlier version are migrated: three by three becomes a grid', async ({ page, context }) => {
  await openSharedOfflineHome(context)
  await page.addInitScript(() => window === top && localStorage.setItem('liveLayout', 'nine'))
  await page.goto('/live')
  await waitForLivePage(page)
  await expect(findLayoutButton(page, 'Grid')).toHaveAttribute('aria-pressed', 'true')
})

test('a layout is saved by name, shown in another browser, renamed and deleted', async ({ page, context, browser }) => {
  await openOfflineHome(context)
  await page.goto('/live')
  await waitForLivePage(page)
  const dialog = page.getByRole('dialog', { name: 'Saved layouts' })
  await findLayoutButton(page, 'Focus').click()
  await page.getByRole('button', { name: 'Saved layouts' }).click()
  await dialog.getByLabel('Save current layout as').fill('Evening')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Evening' })).toContainText('Focus · All cameras')
  await page.keyboard.press('Escape')
  await findLayoutButton(page, 'Automatic').click()

  const otherContext = await browser.newContext()
  await shareSignIn(otherContext, context)
  const otherPage = await otherContext.newPage()
  await otherPage.goto('/live')
  await waitForLivePage(otherPage)
  await otherPage.getByRole('button', { name: 'Saved layouts' }).click()
  await otherPage.getByRole('button', { name: 'Show Evening' }).click()
  await expect(findLayoutButton(otherPage, 'Focus')).toHaveAttribute('aria-pressed', 'true')
  await otherContext.close()

  await page.getByRole('button', { name: 'Saved layouts' }).click()
  await dialog.getByRole('button', { name: 'Rename Evening' }).click()
  await dialog.getByLabel('New name for Evening').fill('Night')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Show Night' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete Night' }).click()
  await expect(dialog.getByText('No saved layouts yet.')).toBeVisible()
})
