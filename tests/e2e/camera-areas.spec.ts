import { newAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, test } from '../support/e2e.ts'
import { newCameras } from '../support/new-cameras.ts'

test(
  'the camera areas checked in the settings are saved and shown when the settings reopen',
  { tag: '@all' },
  async ({ page }) => {
    const dialog = page.getByRole('dialog', { name: 'Driveway' })
    const look = dialog.getByRole('group', { name: 'Where it looks' })
    const upstairs = look.getByRole('checkbox', { name: 'Upstairs' })
    async function open() {
      await page.goto('/live')
      const tile = page.getByRole('listitem', { name: /^Driveway, / })
      await tile.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
      await dialog.getByRole('button', { name: 'Settings', exact: true }).click()
    }
    async function save() {
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(dialog.getByText('Everything is saved.')).toBeVisible()
    }

    const email = await newAccount('places')
    await newCameras(email, ['Driveway'])
    await signInContext(page.context(), email, PASSWORD)
    await open()
    await expect(look).toHaveAccessibleDescription(/./)
    await expect(look.getByRole('checkbox', { checked: true })).toHaveCount(0)
    await upstairs.check()
    await expect(dialog.getByText('Not saved yet.')).toBeVisible()
    await upstairs.uncheck()
    await expect(dialog.getByText('Everything is saved.')).toBeVisible()
    await upstairs.check()
    await look.getByRole('checkbox', { name: 'Front' }).check()
    await save()

    await open()
    await expect(upstairs).toBeChecked()
    await expect(look.getByRole('checkbox', { checked: true })).toHaveCount(2)
    await upstairs.uncheck()
    await look.getByRole('checkbox', { name: 'Front' }).uncheck()
    await expect(look.getByRole('checkbox', { checked: false })).toHaveCount(6)
    await save()
  },
)
