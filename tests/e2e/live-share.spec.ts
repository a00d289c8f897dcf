import { newAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { alone } from '../support/demo-cameras.ts'
import { expect, forgive, NOBODY, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

/** Paths of the guest page's requests for last pictures and API calls. */
const GUESTS_CALLS = /^\/(m\/last\/|api\/p\/)/

test('sharing by email immediately shows the guest the camera and role, without owner controls, until revoked', async ({
  page,
  browser,
  problems,
}) => {
  const [friend, nobody] = [await newAccount('guest'), `nobody-${Date.now()}@example.com`]
  const context = await browser.newContext({ storageState: NOBODY })
  await signInContext(context, friend, PASSWORD)
  const guest = await context.newPage()
  await guest.goto('/live')
  await expect(guest.getByRole('heading', { level: 1 })).toBeVisible()

  await page.goto(alone('Driveway'))
  // Wait until the camera is open: until then the page shows the grid, whose buttons disappear.
  await expect(page.getByRole('group', { name: 'Driveway, live' })).toBeVisible()
  await page.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Unlimited Cameras, for every camera of this home.')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Explore plans' })).toHaveAttribute('href', '/account/products/choose')
  await dialog.getByRole('button', { name: 'Sharing', exact: true }).click()
  await dialog.getByLabel('E-mail of their account').fill(nobody)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  const row = (email: string) => dialog.getByRole('listitem').filter({ hasText: email })
  await expect(row(nobody)).toContainText('Can watch')
  await dialog.getByRole('button', { name: `Stop sharing with ${nobody}` }).click()
  await expect(row(nobody)).toHaveCount(0)

  await dialog.getByLabel('E-mail of their account').fill(friend)
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(row(friend)).toContainText('Can watch')
  await expect(dialog.getByRole('status').filter({ hasText: friend })).toBeVisible()
  const shared = guest.getByRole('listitem').filter({ hasText: 'Shared with you' })
  await expect(shared).toHaveCount(1)
  // Use the keyboard: the button appears only on hover, and tiles may move away from the mouse while the page loads.
  await shared.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
  const theirs = guest.getByRole('dialog')
  await expect(theirs.getByText('Shared with you')).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Picture', exact: true })).toBeVisible()
  await expect(theirs.getByText('Unlimited Cameras of its owner. Recordings are kept for 30 days.')).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Explore plans' })).toHaveCount(0)
  // Picture quality is a setting of the guest's own browser. It appears once the stream is known; Best quality, which
  // sets the camera's resolution, would appear at the same time.
  await expect(theirs.getByRole('group', { name: 'Picture quality' })).toBeVisible()
  await expect(theirs.getByRole('group', { name: 'Best quality' })).toHaveCount(0)
  await expect(theirs.getByRole('button', { name: /^(Settings|Sharing|Switch off)$/ })).toHaveCount(0)

  expect(problems).toEqual([])
  await dialog.getByRole('button', { name: `Stop sharing with ${friend}` }).click()
  await expect(row(friend)).toHaveCount(0)
  await expect(theirs).toBeHidden()
  await expect(guest.locator('[data-camera]')).toHaveCount(0)
  await context.close()
  // Until the guest's page learns that the share has ended, its requests are rejected, and the browser reports them.
  forgive(problems, { status: [403, 404], path: GUESTS_CALLS })
})
