import type { Page } from 'playwright/test'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { findings } from '../support/axe.ts'
import { newAccount, PASSWORD } from '../support/browser-account.ts'
import { expect, forgive, NOBODY, signIn, tabTo, test, VISITOR } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'

test.use({ storageState: NOBODY })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/**
 * Signs in as a new account, at the portal and at the provider, and opens the provider's account deletion page. Returns
 * the email address.
 */
async function openPage(page: Page): Promise<string> {
  const email = await newAccount('leaver')
  await page.goto('/account/activity')
  await signIn(page, email, PASSWORD)
  await expect(page).toHaveURL('/account/activity')
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

test('the keyboard alone suffices to re-authenticate, read, delete the account and undo the deletion', async ({
  page,
  problems,
}) => {
  const email = await openPage(page)
  expect(await findings(page, 'sign in again')).toEqual([])
  await type(page, 'not my password')
  await expect(page.getByRole('alert')).toContainText('Nothing was deleted.')
  expect(await findings(page, 'refused')).toEqual([])
  await type(page, PASSWORD)
  await expect(heading(page)).toHaveText('Delete my account for good?')
  await expect(page.getByRole('heading', { name: `Delete ${email}?` })).toBeVisible()
  for (const fact of ['Now', 'For 30 days', 'Kept']) await expect(page.getByText(fact, { exact: true })).toBeVisible()
  expect(await findings(page, 'facts once more')).toEqual([])
  await tabTo(page, button(page, 'Delete my account'))
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(/^Your account is deleted on \d+ \w+ \d{4}$/)

  await page.goto(page.url())
  await expect(heading(page)).toHaveText(/^Your account is deleted on/)
  expect(await findings(page, 'to be deleted')).toEqual([])
  await tabTo(page, button(page, 'Keep my account'))
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Your account stays')
  expect(await findings(page, 'kept')).toEqual([])
  await page.goto(page.url())
  await expect(heading(page)).toHaveText('Delete my account')
  forgive(problems, VISITOR)
})
