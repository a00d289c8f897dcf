import { createAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { singleCameraPath } from '../support/demo-cameras.ts'
import { expect, removeExpectedProblems, SIGNED_OUT_STATE, SIGNED_IN_STATES, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const GUEST_CALLS = /^\/(m\/last\/|api\/p\/)/

test('sharing by email immediately shows the guest the camera and role, without owner controls, until revoked', async ({
  page,
  browser,
  problems,
}) => {
  const [guestEmail, unknownEmail] = [await createAccount('guest'), `nobody-${Date.now()}@example.com`]
  const context = await browser.newContext({ storageState: SIGNED_OUT_STATE })
  await signInContext(context, guestEmail, PASSWORD)
  const guest = await context.newPage()
  await guest.goto('/live')
  await expect(guest.getByRole('heading', { level: 1 })).toBeVisible()

  await page.goto(singleCameraPath('Driveway'))
  // Wait until the camera is open: until then the page shows the grid, whose buttons disappear.
  await expect(page.getByRole('group', { name: 'Driveway, live' })).toBeVisible()
  await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByText('Unlimited Cameras for every camera in this home: clips kept for 30 days.'),
  ).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Explore plans' })).toHaveAttribute('href', '/account/products/choose')
  await dialog.getByRole('button', { name: 'Sharing', exact: true }).click()
  await expect(
    dialog.getByText('If someone doesn’t have an account yet, we’ll email them an invitation.'),
  ).toBeVisible()
  await dialog.getByLabel('Viewer’s email').fill(unknownEmail)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  const findShareRow = (email: string) => dialog.getByRole('listitem').filter({ hasText: email })
  await expect(findShareRow(unknownEmail)).toContainText('Viewer since')
  await dialog.getByRole('button', { name: `Stop sharing with ${unknownEmail}` }).click()
  await expect(findShareRow(unknownEmail)).toHaveCount(0)

  await dialog.getByLabel('Viewer’s email').fill(guestEmail)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(findShareRow(guestEmail)).toContainText('Viewer since')
  await expect(dialog.getByRole('status').filter({ hasText: guestEmail })).toBeVisible()
  const sharedTile = guest.getByRole('listitem').filter({ hasText: 'Shared with you' })
  await expect(sharedTile).toHaveCount(1)
  // Use the keyboard: the button appears only on hover, and tiles may move away from the mouse while the page loads.
  await sharedTile.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const guestDialog = guest.getByRole('dialog')
  await expect(guestDialog.getByText('Shared with you')).toBeVisible()
  await expect(guestDialog.getByRole('button', { name: 'Video', exact: true })).toBeVisible()
  await expect(guestDialog.getByText('Unlimited Cameras (the owner’s plan): clips kept for 30 days.')).toBeVisible()
  await expect(guestDialog.getByRole('link', { name: 'Explore plans' })).toHaveCount(0)
  // Once the stream is known, an owner's dialog shows both Video quality and Maximum quality. The guest's dialog must
  // show only Video quality, because Maximum quality affects all viewers.
  await expect(guestDialog.getByRole('group', { name: 'Video quality' })).toBeVisible()
  await expect(guestDialog.getByRole('group', { name: 'Maximum quality' })).toHaveCount(0)
  await expect(guestDialog.getByRole('button', { name: /^(Settings|Sharing|Turn off)$/ })).toHaveCount(0)

  expect(problems).toEqual([])
  await dialog.getByRole('button', { name: `Stop sharing with ${guestEmail}` }).click()
  await expect(findShareRow(guestEmail)).toHaveCount(0)
  await expect(guestDialog).toBeHidden()
  await expect(guest.locator('[data-camera]')).toHaveCount(0)
  await context.close()
  // Until the guest's page has been notified of the end of the share, the server rejects the requests of the page, and
  // the browser reports these requests.
  removeExpectedProblems(problems, { status: [403, 404], path: GUEST_CALLS })
})
