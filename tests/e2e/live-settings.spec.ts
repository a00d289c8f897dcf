import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { expect, forgive, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

/** Pressed by the key: it shows on hover, and a page that is still filling moves tiles away from the mouse. */
const settingsOf = (page: Page, tile: string | RegExp) =>
  page.getByRole('listitem', { name: tile }).getByRole('button', { name: 'Camera settings and details' })

async function openCamera(page: Page, section?: string, name = 'Front door') {
  await page.goto('/live')
  await settingsOf(page, `${name}, live`).press('Enter')
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  if (section) await dialog.getByRole('button', { name: section, exact: true }).click()
  return { dialog, name }
}

test('motion zones are drawn by the keyboard and the mouse, tried on the last hour, and kept', async ({ page }) => {
  const { dialog, name } = await openCamera(page, 'Settings')
  await dialog.getByRole('button', { name: 'Add zone' }).click()
  const corner = dialog.getByRole('button', { name: /^Zone 1, corner 1 of/ })
  await corner.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(corner).toHaveAccessibleName('Zone 1, corner 1 of 4: 29 % from the left, 20 % from the top')
  await page.keyboard.press('+')
  await expect(dialog.getByRole('button', { name: /^Zone 1, corner \d of 5/ })).toHaveCount(5)
  const box = await corner.boundingBox()
  if (!box) throw new Error('no corner')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(corner).not.toHaveAccessibleName(/29 % from the left/)
  await dialog.getByRole('button', { name: 'Try on the last hour' }).press('Enter')
  const said = dialog.getByRole('status').filter({ hasText: /would (be|have)/ })
  await expect(said).toContainText(/The box at home has watched for|whole last hour/)
  const drawn = (await corner.getAttribute('aria-label')) ?? ''
  await corner.press('ArrowLeft')
  await expect(said).toHaveCount(0)
  await corner.press('ArrowRight')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText('Everything is saved.')).toBeVisible()
  await page.reload()
  await settingsOf(page, new RegExp(`^${name}, `)).press('Enter')
  await dialog.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(dialog.getByRole('button', { name: drawn, exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove zone 1' }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByText('Everything is saved.')).toBeVisible()
})

test('the sections of a camera lie in one place, and changes are not dropped without a word', async ({ page }) => {
  const { dialog, name } = await openCamera(page)
  const tabs = dialog.getByRole('group', { name: 'Sections' })
  await expect(dialog.getByRole('group', { name: 'Best quality' }).getByRole('button', { pressed: true })).toHaveCount(
    1,
  )
  const places = new Set<number | undefined>()
  for (const section of ['Details', 'Sharing', 'Picture', 'Settings']) {
    await tabs.getByRole('button', { name: section }).click()
    await expect(tabs.getByRole('button', { name: section })).toHaveAttribute('aria-pressed', 'true')
    places.add((await tabs.boundingBox())?.y)
  }
  expect(places.size).toBe(1)
  const field = dialog.getByRole('textbox', { name: 'Name' })
  await field.fill('Back door')
  await page.keyboard.press('Escape')
  const question = dialog.getByRole('alertdialog', { name: 'Your changes are not saved yet.' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(field).toHaveValue('Back door')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Drop them' }).click()
  await expect(page.getByRole('dialog', { name })).toHaveCount(0)
})

test('a camera is switched off from its dialog and on again from its tile', async ({ page }) => {
  const { dialog, name } = await openCamera(page)
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const tile = page.getByRole('listitem', { name: `${name}, switched off` })
  await tile.getByRole('button', { name: 'Switch on' }).click()
  await expect(page.getByRole('listitem', { name: `${name}, live` })).toBeVisible({ timeout: 30_000 })
})

test('LIVE-05 another resolution changes the size of the picture', async ({ page }) => {
  test.slow()
  const { dialog, name } = await openCamera(page, 'Picture', 'Driveway')
  const video = page.getByLabel(`${name}, live picture`)
  const height = () => video.evaluate((element: HTMLVideoElement) => element.videoHeight)
  // A wish that was lost is said again after ten seconds.
  const shows = (lines: number) => expect.poll(height, { timeout: 30_000 }).toBe(lines)
  const best = dialog.getByRole('group', { name: 'Best quality' })
  const choose = async (name: string) => {
    await best.getByRole('button', { name }).click()
    await expect(best.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true')
  }
  await choose('720p')
  await dialog.getByRole('group', { name: 'Picture quality' }).getByRole('button', { name: '720p' }).click()
  await shows(720)
  await choose('360p')
  await shows(360)
  await choose('720p')
  await shows(720)
})

test('DEVICE-20 LIVE-15 models and a resolution that fail leave no message, and the choice snaps back', async ({
  page,
  problems,
}) => {
  await page.route('**/platform/v1/devices*', (route) => route.abort())
  await page.route('**/mars/resolution', (route) => route.abort())
  const unknown = page.waitForEvent('requestfailed', (request) => request.url().includes('/platform/v1/devices'))
  const { dialog } = await openCamera(page)
  await unknown
  const choice = dialog.getByRole('group', { name: 'Best quality' })
  const wanted = (await choice.getByRole('button', { pressed: false }).first().textContent()) ?? ''
  const other = choice.getByRole('button', { name: wanted, exact: true })
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/mars/resolution'))
  await other.click()
  await failed
  await expect(other).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('alert')).toHaveCount(0)
  forgive(problems, /ERR_FAILED/)
})

test('axe finds nothing in any dialog from 350 to 1440 px, light and dark', async ({ page }) => {
  test.slow()
  const look = (what: string) => test.step(what, async () => expect(await findings(page, what, 'dialog')).toEqual([]))
  const { dialog } = await openCamera(page)
  for (const section of ['Picture', 'Details', 'Settings', 'Sharing']) {
    await dialog.getByRole('button', { name: section, exact: true }).click()
    if (section === 'Settings') await dialog.getByRole('button', { name: 'Add zone' }).click()
    await expect(dialog.getByText('Loading')).toHaveCount(0)
    await look(section)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter cameras' }).click()
  await expect(page.getByRole('dialog', { name: 'Filter cameras' })).toBeVisible()
  await look('Filter cameras')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await look('Keys')
})
