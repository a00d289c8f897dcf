import { expect, forgive, SIGNED_IN, test } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.free })

/** What an owner may try in an hour (provider/access/shares.ts). */
const SHARES_AN_HOUR = 30

test('ERROR-01 ERROR-04 an action that is refused for its frequency says so in one toast, and can be tried again', async ({
  page,
  problems,
}) => {
  await page.goto('/live')
  const tile = page.locator('[data-camera]').first()
  await expect(tile).toBeVisible()
  const statuses = await page.evaluate(
    async ([device_id, count]) => {
      const headers = {
        'content-type': 'application/json',
        'x-xsrf-token': /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '',
        'web-app-token': localStorage.getItem('web_app_token') ?? '',
      }
      const answers: number[] = []
      for (let i = 0; i < count; i += 1) {
        const body = JSON.stringify({ device_id, email: `nobody-${i}@example.com`, role: 2 })
        answers.push((await fetch('/api/p/extension/extension/share', { method: 'POST', headers, body })).status)
      }
      return answers
    },
    [(await tile.getAttribute('data-camera')) ?? '', SHARES_AN_HOUR] as const,
  )
  expect(statuses).toEqual(Array(SHARES_AN_HOUR).fill(200))

  await page.getByRole('button', { name: 'Camera settings and details' }).first().press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Sharing', exact: true }).click()
  const email = dialog.getByLabel('E-mail of their account')
  await email.fill('owner@example.com')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  const told = page.getByText('This action is too frequently. Please wait before trying again.')
  await expect(told).toBeVisible()
  await expect(told).toHaveCount(1)
  await expect(email).toHaveValue('owner@example.com')
  await expect(dialog.getByRole('button', { name: 'Share', exact: true })).toBeEnabled()
  forgive(problems, /429/)
})
