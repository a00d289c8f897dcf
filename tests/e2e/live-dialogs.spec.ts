import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { singleCameraPath } from '../support/demo-cameras.ts'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { shareSignIn, openSharedOfflineHome, openOfflineHome } from '../support/offline-home.ts'

const findTiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')
const CAMERA_NAMES = ['Driveway', 'Front door', 'Backyard']

test('LIVE-02 LIVE-03 STORE-07 two browsers show only the chosen cameras, and a change reaches the other immediately', async ({
  page,
  context,
  browser,
}) => {
  const home = await openOfflineHome(context, CAMERA_NAMES)
  await page.goto('/live')
  await expect(findTiles(page)).toHaveCount(CAMERA_NAMES.length)
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter cameras' })
  await dialog.getByRole('checkbox').first().uncheck()
  const filterRequest = page.waitForRequest((request) => request.url().endsWith('/setting/CameraListFilter'))
  await dialog.getByRole('button', { name: 'Save' }).click()
  const body = (await filterRequest).postDataJSON() as { filterCamerasMac: string[] }
  expect(body.filterCamerasMac).toEqual(CAMERA_NAMES.slice(1).map(home.getDeviceId))
  await expect(dialog).toBeHidden()
  await expect(findTiles(page)).toHaveCount(CAMERA_NAMES.length - 1)
  // The filter is stored locally and applies before the account's setting has loaded.
  await page.route('**/conf_and_setting*', () => {})
  await page.reload()
  await expect(findTiles(page)).toHaveCount(CAMERA_NAMES.length - 1)
  const readFilter = () => page.evaluate(() => localStorage.getItem('filterCamerasStore'))
  await expect.poll(readFilter).toBe(JSON.stringify(body.filterCamerasMac))
  await page.unroute('**/conf_and_setting*')
  await page.reload()

  const otherContext = await browser.newContext()
  await shareSignIn(otherContext, context)
  const otherPage = await otherContext.newPage()
  await otherPage.goto('/live')
  await expect(findTiles(otherPage)).toHaveCount(CAMERA_NAMES.length - 1)

  await page.getByRole('button', { name: 'Filter cameras' }).click()
  await dialog.getByRole('button', { name: 'Select all' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(findTiles(page)).toHaveCount(CAMERA_NAMES.length)
  await expect(findTiles(otherPage)).toHaveCount(CAMERA_NAMES.length)
  await otherContext.close()
})

test('axe finds nothing in the camera filter, which reports a failed save and keeps its checkboxes', async ({
  page,
  context,
  problems,
}) => {
  await openSharedOfflineHome(context)
  // Waits for the code that reports a failed save, because it cannot load offline.
  const reportScript = page.waitForResponse('**/_astro/tasks.*.js')
  await page.goto('/live')
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter cameras' })
  await dialog.getByRole('checkbox').first().uncheck()
  expect(await findViolations(page, 'Filter cameras', 'dialog')).toEqual([])
  await (await reportScript).finished()
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'offline' })).toBeVisible()
  await expect(dialog.getByRole('checkbox').first()).not.toBeChecked()
  await context.setOffline(false)
  removeExpectedProblems(problems, { network: /INTERNET_DISCONNECTED/ })
})

test('a renamed camera shows its new name in another browser without a reload', async ({ page, context, browser }) => {
  await openOfflineHome(context, CAMERA_NAMES)
  const otherContext = await browser.newContext()
  await shareSignIn(otherContext, context)
  const otherPage = await otherContext.newPage()
  await otherPage.goto('/live')
  const [name = ''] = CAMERA_NAMES
  await expect(otherPage.getByRole('heading', { name, exact: true })).toBeVisible()
  await page.goto('/live')
  const tile = findTiles(page).filter({ has: page.getByRole('heading', { name, exact: true }) })
  await tile.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog', { name })
  await dialog.getByRole('button', { name: 'Settings', exact: true }).click()
  await dialog.getByLabel('Name').fill('Way to the gate')
  await dialog.getByRole('button', { name: 'Save', exact: true }).dblclick()
  await expect(page.getByRole('dialog', { name: 'Way to the gate' })).toBeVisible()
  await expect(otherPage.getByRole('heading', { name: 'Way to the gate' })).toBeVisible()
  await otherContext.close()
})

test.describe('a playing camera', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('STORE-08 STORE-09 details show each step in ms, save as a masked file and stay out of storage', async ({
    page,
  }) => {
    await page.goto(singleCameraPath('Driveway'))
    await expect(page.getByRole('group', { name: 'Driveway, live' })).toBeVisible()
    await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Driveway' })
    await dialog.getByRole('button', { name: 'Details', exact: true }).click()
    await expect(dialog.getByRole('listitem').filter({ hasText: 'First frame' }).first()).toContainText(/\d+ ms/)
    await expect(dialog.getByText(/^\d+ × \d+$/)).toBeVisible()
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download diagnostics' }).click()
    const text = readFileSync(await (await saving).path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      product: 'live-view',
      tile: { phase: 'playing' },
      log: expect.arrayContaining([expect.objectContaining({ what: 'playing' })]) as unknown,
      stream: { provider: expect.stringMatching('.') as unknown },
    })
    expect(text).not.toMatch(/ticket=(?!\[masked\])|owner@example\.com|eyJ/)
    // Settled: the saved file contains the diagnostics, so a page that stored them would have done so already.
    const storage = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    expect(storage).toContain('home_id')
    expect(storage).not.toContain('waiting-for-keyframe')
  })
})
