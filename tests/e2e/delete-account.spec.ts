import type { Page } from 'playwright/test'
import { findings } from '../support/axe.ts'
import { expect, forgive, tabTo, test } from '../support/e2e.ts'
import { openAsNew, PASSWORD } from '../support/new-account.ts'
import { RESULTS } from '../support/results.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'

test.use({ storageState: { cookies: [], origins: [] } })
/** The first visit is signed out. */
test.afterEach(({ problems }) => forgive(problems, /401/))

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Signed in as somebody new, on the page of the provider that deletes the account. */
async function openPage(page: Page): Promise<string> {
  const email = await openAsNew(page, 'leaver', '/account/activity')
  const { PROVIDER_ORIGIN = '' } = readEnvironment(`${RESULTS}/data/run.env`)
  await page.goto(`${PROVIDER_ORIGIN}/account/delete`)
  await expect(heading(page)).toHaveText('Delete my account')
  return email
}

async function type(page: Page, password: string): Promise<void> {
  await tabTo(page, page.getByLabel('Your password'))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

test('an account is deleted and kept after all by the keyboard alone: sign in again, read, delete, undo', async ({
  page,
}) => {
  const email = await openPage(page)
  await type(page, 'not my password')
  await expect(page.getByRole('alert')).toHaveText(
    'That password is not right. Nothing was deleted. Check it and try again.',
  )
  await type(page, PASSWORD)
  await expect(heading(page)).toHaveText('Delete my account for good?')
  await expect(page.getByRole('heading', { name: `Delete ${email}?` })).toBeVisible()
  for (const fact of ['Now', 'For 30 days', 'Kept']) await expect(page.getByText(fact, { exact: true })).toBeVisible()
  await expect(page.getByText('Your bills, without your name, address and card')).toBeVisible()
  await tabTo(page, button(page, 'Delete my account'))
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(/^Your account is deleted on \d+ \w+ \d{4}$/)

  await page.goto(page.url())
  await expect(heading(page)).toHaveText(/^Your account is deleted on/)
  await tabTo(page, button(page, 'Keep my account'))
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Your account stays')
  await page.goto(page.url())
  await expect(heading(page)).toHaveText('Delete my account')
})

test('axe finds nothing on any step of it, from 350 to 1440 px, light and dark', async ({ page }) => {
  test.slow()
  await openPage(page)
  expect(await findings(page, 'sign in again')).toEqual([])
  await type(page, 'not my password')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await findings(page, 'refused')).toEqual([])
  await type(page, PASSWORD)
  await expect(button(page, 'Delete my account')).toBeVisible()
  expect(await findings(page, 'facts once more')).toEqual([])
  await button(page, 'Delete my account').click()
  await expect(button(page, 'Keep my account')).toBeVisible()
  expect(await findings(page, 'to be deleted')).toEqual([])
  await button(page, 'Keep my account').click()
  await expect(heading(page)).toHaveText('Your account stays')
  expect(await findings(page, 'kept')).toEqual([])
})
