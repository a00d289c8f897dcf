import type { Page } from 'playwright/test'
import { DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import { setResolution } from '../../contract/live/camera-control-calls.ts'
import { setCameraPower, setCameraSettings } from '../../contract/cameras/owner-calls.ts'
import { findViolations } from '../support/axe.ts'
import { singleCameraPath, findDemoCameraId, sendCall } from '../support/demo-cameras.ts'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { scaleTimeout } from '../support/machine.ts'
import { openSharedOfflineHome, OFFLINE_CAMERA_NAMES } from '../support/offline-home.ts'

/** Opens the settings dialog of the page's only camera, and its `section`, once the camera is live or offline. */
async function openDialog(page: Page, name: string, section?: string) {
  await expect(page.getByRole('group', { name: new RegExp(`^${name}, (live|offline)$`) })).toBeVisible()
  await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  if (section) await dialog.getByRole('button', { name: section, exact: true }).click()
  return dialog
}

test.describe('camera of the owner', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })
  const name = 'Driveway'
  const findCameraView = (page: Page, state: string) => page.getByRole('group', { name: `${name}, ${state}` })

  test.afterEach(async ({ page }) => {
    const device_id = findDemoCameraId(name)
    await sendCall(page, setCameraPower, { device_id, on: true })
    await sendCall(page, setCameraSettings, { device_id, settings: DEFAULT_CAMERA_SETTINGS })
    await sendCall(page, setResolution, { did: device_id, resolution: '720' })
  })

  test('motion zones are drawn by keyboard and mouse, tested on the last hour, and saved', async ({ page }) => {
    await page.goto(singleCameraPath(name))
    const dialog = await openDialog(page, name, 'Settings')
    await dialog.getByRole('button', { name: 'Add zone' }).click()
    const corner = dialog.getByRole('button', { name: /^Zone 1, corner 1 of/ })
    await corner.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Shift+ArrowUp')
    await expect(corner).toHaveAccessibleName('Zone 1, corner 1 of 4: 29% from the left, 20% from the top')
    await page.keyboard.press('+')
    await expect(dialog.getByRole('button', { name: /^Zone 1, corner \d of 5/ })).toHaveCount(5)
    const box = await corner.boundingBox()
    if (!box) throw new Error('The zone corner has no bounding box.')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    await expect(corner).not.toHaveAccessibleName(/29% from the left/)
    await dialog.getByRole('button', { name: 'Test on the last hour' }).press('Enter')
    const previewStatus = dialog.getByRole('status').filter({ hasText: /would/ })
    await expect(previewStatus).toContainText(/Your hub has been monitoring this camera for|on the last hour/)
    const cornerLabel = (await corner.getAttribute('aria-label')) ?? ''
    await corner.press('ArrowLeft')
    await expect(previewStatus).toHaveCount(0)
    await corner.press('ArrowRight')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog.getByText('All changes saved')).toBeVisible()
    await page.reload()
    await openDialog(page, name, 'Settings')
    await expect(dialog.getByRole('button', { name: cornerLabel, exact: true })).toBeVisible()
    await dialog.getByRole('button', { name: 'Remove zone 1' }).click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog.getByText('All changes saved')).toBeVisible()
  })

  test('a camera is switched off in its dialog, and on again in the empty video area', async ({ page }) => {
    await page.goto(singleCameraPath(name))
    const dialog = await openDialog(page, name)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await findCameraView(page, 'off').getByRole('button', { name: 'Turn on' }).click()
    await expect(findCameraView(page, 'live')).toBeVisible({ timeout: scaleTimeout(30_000) })
  })

  test('LIVE-05 another resolution changes the size of the video', async ({ page }) => {
    test.slow()
    await page.goto(singleCameraPath(name))
    const dialog = await openDialog(page, name, 'Video')
    const video = page.getByLabel(`${name}, live video`)
    const readVideoHeight = () => video.evaluate((element: HTMLVideoElement) => element.videoHeight)
    // Timeout: three times the 10 s after which the page resends a lost rendition request.
    const expectVideoHeight = (expectedHeight: number) =>
      expect.poll(readVideoHeight, { timeout: scaleTimeout(30_000) }).toBe(expectedHeight)
    const bestQualityGroup = dialog.getByRole('group', { name: 'Maximum quality' })
    const chooseQuality = async (quality: string) => {
      await bestQualityGroup.getByRole('button', { name: quality }).click()
      await expect(bestQualityGroup.getByRole('button', { name: quality })).toHaveAttribute('aria-pressed', 'true')
    }
    await chooseQuality('720p')
    await dialog.getByRole('group', { name: 'Video quality' }).getByRole('button', { name: '720p' }).click()
    await expectVideoHeight(720)
    await chooseQuality('360p')
    await expectVideoHeight(360)
    await chooseQuality('720p')
    await expectVideoHeight(720)
  })

  test('axe finds no problem in any section of the dialog or in the shortcut list', async ({ page }) => {
    const expectNoFindings = (label: string) =>
      test.step(label, async () => expect(await findViolations(page, label, 'dialog')).toEqual([]))
    await page.goto(singleCameraPath(name))
    const dialog = await openDialog(page, name)
    for (const section of ['Video', 'Details', 'Sharing', 'Settings']) {
      await dialog.getByRole('button', { name: section, exact: true }).click()
      if (section === 'Settings') await dialog.getByRole('button', { name: 'Add zone' }).click()
      await expect(dialog.getByText('Loading')).toHaveCount(0)
      await expectNoFindings(section)
    }
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Discard changes' }).click()
    await expect(dialog).toHaveCount(0)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await expectNoFindings('Keys')
  })
})

test.describe('camera without live video', () => {
  const [name] = OFFLINE_CAMERA_NAMES

  async function openOfflineCamera(page: Page): Promise<void> {
    const { bridge, getDeviceId } = await openSharedOfflineHome(page.context())
    await bridge.register(getDeviceId(name), { nickname: name, renditions: ['360', '720'] })
    await page.goto(`/live?camera=${getDeviceId(name)}`)
  }

  test('the section tabs keep their position, and unsaved changes are not dropped without a warning', async ({
    page,
  }) => {
    await openOfflineCamera(page)
    const dialog = await openDialog(page, name)
    const tabs = dialog.getByRole('group', { name: 'Sections' })
    const bestQualityGroup = dialog.getByRole('group', { name: 'Maximum quality' })
    await expect(bestQualityGroup.getByRole('button', { pressed: true })).toHaveCount(1)
    const tabPositions = new Set<number | undefined>()
    for (const section of ['Details', 'Sharing', 'Video', 'Settings']) {
      await tabs.getByRole('button', { name: section }).click()
      await expect(tabs.getByRole('button', { name: section })).toHaveAttribute('aria-pressed', 'true')
      tabPositions.add((await tabs.boundingBox())?.y)
    }
    expect(tabPositions.size).toBe(1)
    const field = dialog.getByRole('textbox', { name: 'Name' })
    await field.fill('Back door')
    await page.keyboard.press('Escape')
    const question = dialog.getByRole('alertdialog', { name: 'You have unsaved changes.' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(field).toHaveValue('Back door')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await question.getByRole('button', { name: 'Discard changes' }).click()
    await expect(page.getByRole('dialog', { name })).toHaveCount(0)
  })

  test('DEVICE-20 LIVE-15 failed model and resolution requests show no message, and the choice reverts', async ({
    page,
    problems,
  }) => {
    await page.route('**/platform/v1/devices*', (route) => route.abort())
    await page.route('**/mars/resolution', (route) => route.abort())
    const failedModelRequest = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/platform/v1/devices'),
    )
    await openOfflineCamera(page)
    const dialog = await openDialog(page, name)
    await failedModelRequest
    const qualityGroup = dialog.getByRole('group', { name: 'Maximum quality' })
    const otherQuality = (await qualityGroup.getByRole('button', { pressed: false }).first().textContent()) ?? ''
    const otherButton = qualityGroup.getByRole('button', { name: otherQuality, exact: true })
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/mars/resolution'))
    await otherButton.click()
    await failed
    await expect(otherButton).toHaveAttribute('aria-pressed', 'false')
    await expect(page.getByRole('alert')).toHaveCount(0)
    removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /\/(platform\/v1\/devices|mars\/resolution)$/ })
  })
})
