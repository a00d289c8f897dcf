import type { Page } from 'playwright/test'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { findViolations } from '../support/axe.ts'
import { createAccount, PASSWORD } from '../support/browser-account.ts'
import {
  expect,
  removeExpectedProblems,
  SIGNED_OUT_STATE,
  signIn,
  pressTabUntilFocused,
  test,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import { RESULTS_FOLDER } from '../support/results.ts'

test.use({ storageState: SIGNED_OUT_STATE })

const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const findHeading = (page: Page) => page.getByRole('heading', { level: 1 })

/**
 * Signs in as a new account, at the portal and at the provider, and opens the provider's account deletion page. Returns
 * the email address.
 */
async function openDeletionPage(page: Page): Promise<string> {
  const email = await createAccount('leaver')
  await page.goto('/account/activity')
  await signIn(page, email, PASSWORD)
  await expect(page).toHaveURL('/account/activity')
  const { PROVIDER_ORIGIN = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
  await page.goto(`${PROVIDER_ORIGIN}/account/delete`)
  await expect(findHeading(page)).toHaveText('Delete my account')
  return email
}

async function typePassword(page: Page, password: string): Promise<void> {
  await pressTabUntilFocused(page, page.getByLabel('Your password'))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

test('the keyboard alone suffices to re-authenticate, read, delete the account and undo the deletion', async ({
  page,
  problems,
}) => {
  const email = await openDeletionPage(page)
  expect(await findViolations(page, 'sign in again')).toEqual([])
  await typePassword(page, 'not my password')
  await expect(page.getByRole('alert')).toContainText('Nothing was deleted.')
  expect(await findViolations(page, 'refused')).toEqual([])
  await typePassword(page, PASSWORD)
  await expect(findHeading(page)).toHaveText('Delete your account?')
  await expect(page.getByRole('heading', { name: `Delete ${email}?` })).toBeVisible()
  for (const fact of ['Now', 'For 30 days', 'Kept']) await expect(page.getByText(fact, { exact: true })).toBeVisible()
  expect(await findViolations(page, 'facts once more')).toEqual([])
  await pressTabUntilFocused(page, findButton(page, 'Delete my account'))
  await page.keyboard.press('Enter')
  await expect(findHeading(page)).toHaveText(/^Your account will be deleted on \w+ \d+, \d{4}$/)

  await page.goto(page.url())
  await expect(findHeading(page)).toHaveText(/^Your account will be deleted on/)
  expect(await findViolations(page, 'to be deleted')).toEqual([])
  await pressTabUntilFocused(page, findButton(page, 'Keep my account'))
  await page.keyboard.press('Enter')
  await expect(findHeading(page)).toHaveText('Your account won’t be deleted')
  expect(await findViolations(page, 'kept')).toEqual([])
  await page.goto(page.url())
  await expect(findHeading(page)).toHaveText('Delete my account')
  removeExpectedProblems(problems, SIGNED_OUT_401)
})
