import { shareCamera } from '../../contract/cameras/owner-calls.ts'
import { SHARED } from '../../contract/auth/roles.ts'
import { callAs, signInAsNew } from '../support/customer.ts'
import { expect, forgive, NOBODY, test } from '../support/e2e.ts'
import { newCameras } from '../support/new-cameras.ts'

test.use({ storageState: NOBODY })

/** Share limit of an owner per hour (provider/homes/members/shares.ts). */
const SHARES_AN_HOUR = 30

test('ERROR-01 ERROR-04 a rate-limited action shows exactly one toast and can be retried', async ({
  page,
  problems,
}) => {
  const { idOf } = await newCameras(await signInAsNew(page, 'often'), ['Backyard'])
  for (let i = 0; i < SHARES_AN_HOUR; i += 1) {
    const input = { device_id: idOf('Backyard'), email: `nobody-${i}@example.com`, role: SHARED }
    await callAs(page, shareCamera, input)
  }
  await page.goto('/live')
  await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sharing', exact: true }).click()
  const email = dialog.getByLabel('E-mail of their account')
  await email.fill('owner@example.com')
  const share = dialog.getByRole('button', { name: 'Share', exact: true })
  await share.click()
  const toast = page.getByText('This action is too frequently. Please wait before trying again.')
  await expect(toast).toBeVisible()
  await expect(toast).toHaveCount(1)
  await expect(email).toHaveValue('owner@example.com')
  await expect(share).toBeEnabled()
  forgive(problems, { status: 429, path: /\/extension\/share$/ })
})
