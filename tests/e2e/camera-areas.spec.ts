import { createAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, test } from '../support/e2e.ts'
import { addNewCameras } from '../support/new-cameras.ts'

test(
  'the camera areas checked in the settings are saved and shown when the settings reopen',
  { tag: '@all' },
  async ({ page }) => {
    const dialog = page.getByRole('dialog', { name: 'Driveway' })
    const areaGroup = dialog.getByRole('group', { name: 'Location' })
    const upstairs = areaGroup.getByRole('checkbox', { name: 'Upstairs' })
    async function openSettings() {
      await page.goto('/live')
      const tile = page.getByRole('listitem', { name: /^Driveway, / })
      await tile.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
      await dialog.getByRole('button', { name: 'Settings', exact: true }).click()
    }
    async function saveSettings() {
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(dialog.getByText('All changes saved')).toBeVisible()
    }

    const email = await createAccount('places')
    await addNewCameras(email, ['Driveway'])
    await signInContext(page.context(), email, PASSWORD)
    await openSettings()
    await expect(areaGroup).toHaveAccessibleDescription(/./)
    await expect(areaGroup.getByRole('checkbox', { checked: true })).toHaveCount(0)
    await upstairs.check()
    await expect(dialog.getByText('Unsaved changes')).toBeVisible()
    await upstairs.uncheck()
    await expect(dialog.getByText('All changes saved')).toBeVisible()
    await upstairs.check()
    await areaGroup.getByRole('checkbox', { name: 'Front' }).check()
    await saveSettings()

    await openSettings()
    await expect(upstairs).toBeChecked()
    await expect(areaGroup.getByRole('checkbox', { checked: true })).toHaveCount(2)
    await upstairs.uncheck()
    await areaGroup.getByRole('checkbox', { name: 'Front' }).uncheck()
    await expect(areaGroup.getByRole('checkbox', { checked: false })).toHaveCount(6)
    await saveSettings()
  },
)
