import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { findViolations } from '../support/axe.ts'
import { expect, removeExpectedProblems, signIn, test, SIGNED_OUT_401 } from '../support/e2e.ts'
import { createAccount } from '../support/browser-account.ts'
import { scaleTimeout } from '../support/machine.ts'
import { RESULTS_FOLDER } from '../support/results.ts'

const NEW_PASSWORD = 'nine blue herons at dusk'

test('a forgotten password is replaced through the link in an email that this machine stores', async ({
  page,
  problems,
}) => {
  const { PROVIDER_ORIGIN = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
  const email = await createAccount('forgets')
  await page.goto('/live')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  expect(await findViolations(page, 'asking for a new password')).toEqual([])
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect(page.getByRole('status')).toContainText(email)
  await expect(page.getByRole('link', { name: 'Open the outbox' })).toHaveAttribute('href', `${PROVIDER_ORIGIN}/mail`)

  // The provider writes the email after the response, so that the response time does not reveal whether an account
  // exists.
  await expect(async () => {
    await page.goto(`${PROVIDER_ORIGIN}/mail`)
    await expect(page.getByRole('link', { name: email })).toBeVisible({ timeout: scaleTimeout(1000) })
  }).toPass()
  expect(await findViolations(page, 'outbox')).toEqual([])
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset your Porchlight password')
  const emailFrame = page.frameLocator('iframe[title="Email preview"]')
  await expect(emailFrame.getByRole('heading', { name: 'Reset your password' })).toBeVisible()
  await emailFrame.getByRole('link', { name: 'Reset password' }).click()

  await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible()
  expect(await findViolations(page, 'choosing a new password')).toEqual([])
  await page.getByLabel('New password', { exact: true }).fill('short words')
  await page.getByLabel('Confirm new password').fill('other words')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('Confirm new password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('status')).toBeVisible()

  await page.getByRole('link', { name: 'Go to Porchlight' }).click()
  await signIn(page, email, NEW_PASSWORD)
  await expect(page).toHaveURL('/live')
  removeExpectedProblems(problems, SIGNED_OUT_401)
})
