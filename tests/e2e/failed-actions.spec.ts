import { shareCamera } from '../../contract/cameras/owner-calls.ts'
import { SHARED_ROLE } from '../../contract/auth/roles.ts'
import { callFromPage, signInAsNewAccount } from '../support/customer.ts'
import { expect, removeExpectedProblems, SIGNED_OUT_STATE, test } from '../support/e2e.ts'
import { addNewCameras } from '../support/new-cameras.ts'

test.use({ storageState: SIGNED_OUT_STATE })

/** Share limit of an owner per hour (provider/homes/members/shares.ts). */
const MAX_SHARES_PER_HOUR = 30

test('ERROR-01 ERROR-04 a rate-limited action shows exactly one toast and can be retried', async ({
  page,
  problems,
}) => {
  const { getDeviceId } = await addNewCameras(await signInAsNewAccount(page, 'often'), ['Backyard'])
  for (let i = 0; i < MAX_SHARES_PER_HOUR; i += 1) {
    const input = { device_id: getDeviceId('Backyard'), email: `nobody-${i}@example.com`, role: SHARED_ROLE }
    await callFromPage(page, shareCamera, input)
  }
  await page.goto('/live')
  await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sharing', exact: true }).click()
  const email = dialog.getByLabel('Viewer’s email')
  await email.fill('owner@example.com')
  const share = dialog.getByRole('button', { name: 'Share', exact: true })
  await share.click()
  const toast = page.getByText('This action is too frequently. Please wait before trying again.')
  await expect(toast).toBeVisible()
  await expect(toast).toHaveCount(1)
  await expect(email).toHaveValue('owner@example.com')
  await expect(share).toBeEnabled()
  removeExpectedProblems(problems, { status: 429, path: /\/extension\/share$/ })
})
