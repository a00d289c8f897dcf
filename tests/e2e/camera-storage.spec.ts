import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { DAY_MS } from '../../contract/time-units.ts'
import { findViolations } from '../support/axe.ts'
import { addCardOverHttp, buyPlanOverHttp, createAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, pressTabUntilFocused, test } from '../support/e2e.ts'
import { eventCards } from '../support/events.ts'
import { createBridgeEvent } from '../support/home.ts'
import { addNewCameras } from '../support/new-cameras.ts'

const THUMBNAIL_URL = new URL('../../scenes/rendered/living-room/night-poster.jpg', import.meta.url)
const CLIP_BYTES = 40_000

/** Signs in to a new account with a plan of 30 days, and a camera with clips that are 1, 5 and 9 days old. */
async function openHome(page: Page): Promise<string> {
  const email = await createAccount('storage')
  const { bridge, getDeviceId } = await addNewCameras(email, ['Driveway'])
  const camera = getDeviceId('Driveway')
  for (const days of [1, 5, 9]) {
    const id = `${camera}-${days}`
    const event_ts = Date.now() - days * DAY_MS
    const clip_object = await bridge.upload(camera, 'clip', id, Buffer.alloc(CLIP_BYTES))
    const thumb_object = await bridge.upload(camera, 'thumb', id, readFileSync(THUMBNAIL_URL))
    const event = createBridgeEvent(camera, id, { event_ts, clip_object, thumb_object })
    expect((await bridge.postEvent(event)).status).toBe(200)
  }
  await signInContext(page.context(), email, PASSWORD)
  await buyPlanOverHttp(page, await addCardOverHttp(page))
  return camera
}

for (const [width, tag] of [
  [1440, []],
  [390, ['@all']],
] as const)
  test(`an owner limits the storage of a camera by keyboard, at ${width} px`, { tag: [...tag] }, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    const camera = await openHome(page)
    await page.goto(`/live?camera=${camera}`)
    await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Driveway' })
    await dialog.getByRole('button', { name: 'Settings', exact: true }).press('Enter')
    const storage = dialog.getByRole('region', { name: 'Storage' })
    await expect(storage.getByRole('status')).toContainText('120 kB in 3 clips. About ')
    await storage.getByRole('button', { name: 'Change limits' }).press('Enter')

    const days = storage.getByLabel('Keep at most (days)')
    const question = storage.getByRole('alertdialog', { name: 'Delete clips' })
    await days.fill('31')
    await days.press('Enter')
    await expect(days).toHaveAccessibleDescription(/plan keeps 30 days/)
    await expect(days).toBeFocused()
    expect(await findViolations(page, 'an invalid limit', 'dialog')).toEqual([])

    await days.fill('3')
    await days.press('Enter')
    await expect(question).toHaveAccessibleDescription(/2 events with 80 kB of clips from .* can’t be undone/)
    await expect(question.getByRole('button', { name: 'Keep clips' })).toBeFocused()
    expect(await findViolations(page, 'the question before a deletion', 'dialog')).toEqual([])
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    await expect(storage.getByRole('status')).toContainText('3 clips')
    await days.press('Enter')
    await pressTabUntilFocused(page, question.getByRole('button', { name: 'Delete and save' }))
    await page.keyboard.press('Enter')
    await expect(storage.getByText('Keeps at most 3 days.')).toBeVisible()
    await expect(page.getByText('Storage limits saved')).toBeVisible()

    await expect(async () => {
      await page.goto('/events')
      await expect(eventCards(page)).toHaveCount(1, { timeout: 3000 })
    }).toPass()
    await expect(page.getByText('This camera’s storage settings keep 3 days of clips.')).toBeVisible()
    await page.getByRole('link', { name: 'Check storage' }).press('Enter')
    await expect(page).toHaveURL('/account/services')
    const panel = page.getByRole('region', { name: 'Storage' })
    await expect(panel.getByRole('listitem')).toContainText('Driveway40 kB in 1 clip.')
    await expect(panel).toContainText('free on the disk that stores clips')
    expect(await findViolations(page, 'storage of the home', '.storage-panel')).toEqual([])
  })
