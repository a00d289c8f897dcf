import { findViolations } from '../support/axe.ts'
import { openAsNewAccount } from '../support/browser-account.ts'
import { expect, test } from '../support/e2e.ts'

test('an account without cameras adds one on /live, linked from /events and /account, and sees nothing that needs one', async ({
  page,
}) => {
  test.slow()
  await openAsNewAccount(page, 'no-camera', '/live')
  await expect(page.getByRole('heading', { name: 'Add your first camera' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('group', { name: 'Layout' })).toHaveCount(0)
  await expect(main.getByRole('button', { name: 'Keyboard shortcuts' })).toHaveCount(0)
  await expect(main.getByText('npm start')).toHaveCount(0)
  const glow = page.getByRole('region', { name: 'Live view' }).locator('.glow use')
  await expect.poll(() => glow.evaluate((use: SVGUseElement) => use.getBBox().width)).toBeGreaterThan(0)
  expect(await findViolations(page, page.url())).toEqual([])

  await page.goto('/events')
  await expect(page.getByRole('heading', { name: 'No cameras yet', level: 1 })).toBeVisible()
  for (const name of ['Timeline', 'Days']) await expect(page.getByRole('group', { name })).toHaveCount(0)
  expect(await findViolations(page, page.url())).toEqual([])
  await main.getByRole('link', { name: 'Add your first camera' }).click()
  await expect(page).toHaveURL('/live')
  await page.goto('/account')
  await expect(main.getByRole('heading', { name: 'No cameras yet', level: 3 })).toBeVisible()
  await expect(main.getByRole('link', { name: 'Add your first camera' })).toBeVisible()
  expect(await findViolations(page, page.url())).toEqual([])
  await expect(main.getByRole('link', { name: 'See supported cameras' })).toHaveAttribute('href', '/guides/cameras')
})
