import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { expect, forgive, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

const tiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem')

async function openCamera(page: Page, section?: string) {
  await page.goto('/live')
  const name = 'Front door'
  const tile = page.getByRole('listitem', { name: `${name}, live` })
  await tile.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  if (section) await dialog.getByRole('button', { name: section, exact: true }).click()
  return { dialog, name }
}

test('LIVE-02 LIVE-03 STORE-07 only the chosen cameras show, in a second browser too, which hears of a change at once', async ({
  page,
  browser,
}) => {
  await page.goto('/live')
  const total = await (async () => {
    await expect(tiles(page).nth(3)).toBeVisible()
    return tiles(page).count()
  })()
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter cameras' })
  await dialog.getByRole('checkbox').first().uncheck()
  const asked = page.waitForRequest((request) => request.url().endsWith('/setting/CameraListFilter'))
  await dialog.getByRole('button', { name: 'Save' }).click()
  const body = (await asked).postDataJSON() as { filterCamerasMac: string[] }
  expect(body.filterCamerasMac).toHaveLength(total - 1)
  await expect(dialog).toBeHidden()
  await expect(tiles(page)).toHaveCount(total - 1)
  // Kept: also before the account has told its choice.
  await page.route('**/conf_and_setting*', () => {})
  await page.reload()
  await expect(tiles(page)).toHaveCount(total - 1)
  expect(await page.evaluate(() => localStorage.getItem('filterCamerasStore'))).toBe(
    JSON.stringify(body.filterCamerasMac),
  )
  await page.unroute('**/conf_and_setting*')
  await page.reload()

  const context = await browser.newContext({ storageState: SIGNED_IN.owner })
  const other = await context.newPage()
  await other.goto('/live')
  await expect(tiles(other)).toHaveCount(total - 1)

  await page.getByRole('button', { name: 'Filter cameras' }).click()
  await dialog.getByRole('button', { name: 'Choose all' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(tiles(page)).toHaveCount(total)
  await expect(tiles(other)).toHaveCount(total)
  await context.close()
})

test('a filter that cannot be saved says so in one sentence and keeps what was ticked', async ({ page, problems }) => {
  // What shows it has come when this one comes.
  const words = page.waitForResponse('**/_astro/trouble.*.js')
  await page.goto('/live')
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  const dialog = page.getByRole('dialog', { name: 'Filter cameras' })
  await dialog.getByRole('checkbox').first().uncheck()
  await (await words).finished()
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(
    dialog.getByRole('alert').filter({ hasText: 'You are offline. Try again when you are connected.' }),
  ).toBeVisible()
  await expect(dialog.getByRole('checkbox').first()).not.toBeChecked()
  await page.context().setOffline(false)
  forgive(problems, /DISCONNECTED/)
})

test('STORE-08 STORE-09 details tell each step in ms, a masked file of them can be saved, and none of it is kept', async ({
  page,
}) => {
  const { dialog } = await openCamera(page, 'Details')
  await expect(dialog.getByRole('listitem').filter({ hasText: 'First picture' }).first()).toContainText(/\d+ ms/)
  await expect(dialog.getByText(/^\d+ × \d+$/)).toBeVisible()
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save diagnostic file' }).click()
  const text = readFileSync(await (await saving).path(), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    product: 'live-view',
    tile: { phase: 'playing' },
    log: expect.arrayContaining([expect.objectContaining({ what: 'playing' })]) as unknown,
    stream: { provider: expect.stringMatching('.') as unknown },
  })
  expect(text).not.toMatch(/ticket=(?!\[masked\])|owner@example\.com|eyJ/)
  const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(kept).toContain('home_id')
  expect(kept).not.toContain('waiting-for-keyframe')
})

test('a camera is renamed, and another browser sees the name without a reload', async ({ page, browser }) => {
  const context = await browser.newContext({ storageState: SIGNED_IN.owner })
  const other = await context.newPage()
  await other.goto('/live')
  const { dialog, name } = await openCamera(page, 'Settings')
  await expect(other.getByRole('heading', { name, exact: true })).toBeVisible()
  await dialog.getByLabel('Name').fill('Way to the gate')
  await dialog.getByRole('button', { name: 'Save', exact: true }).dblclick()
  await expect(page.getByRole('dialog', { name: 'Way to the gate' })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Way to the gate' })).toBeVisible()
  const renamed = page.getByRole('dialog', { name: 'Way to the gate' })
  await renamed.getByLabel('Name').fill(name)
  await renamed.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other.getByRole('heading', { name, exact: true })).toBeVisible()
  await context.close()
})
