import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { findings } from '../support/axe.ts'
import { expect, forgive, signIn, test, VISITOR } from '../support/e2e.ts'
import { newAccount } from '../support/browser-account.ts'
import { scaled } from '../support/machine.ts'
import { RESULTS } from '../support/results.ts'

const NEW = 'nine blue herons at dusk'

test('a forgotten password is replaced through the link in an email that this machine stores', async ({
  page,
  problems,
}) => {
  const { PROVIDER_ORIGIN = '' } = readEnvironment(`${RESULTS}/data/run.env`)
  const email = await newAccount('forgets')
  await page.goto('/live')
  await page.getByRole('link', { name: 'Forgot it?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  expect(await findings(page, 'asking for a new password')).toEqual([])
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByRole('status')).toContainText(email)

  // The email is written after the response, so that the response does not reveal whether an account exists.
  await expect(async () => {
    await page.goto(`${PROVIDER_ORIGIN}/mail`)
    await expect(page.getByRole('link', { name: email })).toBeVisible({ timeout: scaled(1000) })
  }).toPass()
  expect(await findings(page, 'mails of this machine')).toEqual([])
  await page.getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Choose a new password until')
  const mail = page.frameLocator('iframe[title="The mail"]')
  await expect(mail.getByRole('heading', { name: 'A new password was asked for' })).toBeVisible()
  await mail.getByRole('link', { name: 'Choose a new password' }).click()

  await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible()
  expect(await findings(page, 'choosing a new password')).toEqual([])
  await page.getByLabel('New password', { exact: true }).fill('short words')
  await page.getByLabel('Repeat new password').fill('other words')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await page.getByLabel('New password', { exact: true }).fill(NEW)
  await page.getByLabel('Repeat new password').fill(NEW)
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect(page.getByRole('status')).toBeVisible()

  await page.getByRole('link', { name: 'Go to Porchlight' }).click()
  await signIn(page, email, NEW)
  await expect(page).toHaveURL('/live')
  forgive(problems, VISITOR)
})
