import type { Browser, Page } from 'playwright/test'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { findViolations } from '../support/axe.ts'
import { PASSWORD } from '../support/browser-account.ts'
import { findDemoCameraId, singleCameraPath } from '../support/demo-cameras.ts'
import { expect, SIGNED_IN_STATES, SIGNED_OUT_STATE, signIn, test } from '../support/e2e.ts'
import { RESULTS_FOLDER } from '../support/results.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const CAMERA = 'Driveway'

async function openSharing(page: Page) {
  await page.goto(singleCameraPath(CAMERA))
  // Wait until the camera is open: until then the page shows the grid, whose buttons disappear.
  await expect(page.getByRole('group', { name: `${CAMERA}, live` })).toBeVisible()
  await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sharing', exact: true }).click()
  return dialog
}

/** Opens the newest email to this address in a browser without an account. */
async function openEmail(browser: Browser, email: string, subject: string): Promise<Page> {
  const { PROVIDER_ORIGIN = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
  const context = await browser.newContext({ storageState: SIGNED_OUT_STATE })
  const guest = await context.newPage()
  await guest.goto(`${PROVIDER_ORIGIN}/mail`)
  await guest.getByRole('link').filter({ hasText: email }).first().click()
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(subject)
  return guest
}

test('OPEN-164 an invited person sets a password and sees the camera, without another confirmation', async ({
  page,
  browser,
}) => {
  test.slow()
  const email = `invited-${Date.now()}@example.com`
  const dialog = await openSharing(page)
  await dialog.getByLabel('Viewer’s email').fill(email)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  const shareRow = dialog.getByRole('listitem').filter({ hasText: email })
  await expect(shareRow).toContainText('Viewer since')

  const sentence = `owner@example.com shared ${CAMERA} with you`
  const guest = await openEmail(browser, email, sentence)
  await guest.frameLocator('iframe').getByRole('link', { name: 'Create account' }).click()
  await expect(guest.getByText(sentence)).toBeVisible()
  await expect(guest.locator('summary')).toHaveCount(0)
  await expect(guest.getByLabel('Email')).toHaveValue(email)
  await expect(guest.getByLabel('Email')).not.toBeEditable()
  const password = guest.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  expect(await findViolations(guest, 'invitation')).toEqual([])
  await password.fill(PASSWORD)
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  await guest.getByRole('link', { name: 'Log in' }).click()
  await signIn(guest, email, PASSWORD)
  await expect(guest).toHaveURL('/live')
  await expect(guest.getByRole('listitem').filter({ hasText: 'Shared with you' })).toHaveCount(1)
  await expect(guest.locator(`[data-camera="${findDemoCameraId(CAMERA)}"]`).first()).toBeVisible()
  await guest.context().close()

  await dialog.getByRole('button', { name: `Stop sharing with ${email}` }).click()
  await expect(shareRow).toHaveCount(0)
})

test('all cameras are shared in one step, one email lists them, and one step ends the shares', async ({
  page,
  browser,
}) => {
  const email = `family-${Date.now()}@example.com`
  const dialog = await openSharing(page)
  const allCameras = dialog.getByRole('switch', { name: 'Share all cameras in this home' })
  await allCameras.check()
  await dialog.getByLabel('Viewer’s email').fill(email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('listitem').filter({ hasText: email })).toContainText('Viewer since')
  await expect(allCameras).not.toBeChecked()
  const guest = await openEmail(browser, email, 'owner@example.com shared 6 cameras with you')
  for (const name of [CAMERA, 'Front door'])
    await expect(guest.frameLocator('iframe').getByText(name, { exact: true })).toBeVisible()
  await guest.context().close()
  await dialog.getByRole('button', { name: `Stop sharing all 6 cameras with ${email}` }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: email })).toHaveCount(0)
})
