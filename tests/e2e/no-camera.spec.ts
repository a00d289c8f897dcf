import { ADMIN_PATHS } from '../../contract/admin.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { findings } from '../support/axe.ts'
import { expect, signIn, test } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'

const NEW = { email: 'new@example.com', password: 'a new account of the suite' }

test.beforeAll(async () => {
  const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS}/data/run.env`)
  await callOperator({ PROVIDER_ORIGIN, ADMIN_KEY }, 'POST', ADMIN_PATHS.accounts, NEW)
})

test('an account without cameras is told how to add one, on /live and on /events, and is shown nothing that needs one', async ({
  page,
  problems,
}) => {
  test.slow()
  await page.goto('/live')
  await signIn(page, NEW.email, NEW.password)
  await expect(page.getByRole('heading', { name: 'No camera yet' })).toBeVisible()
  // The first visit is signed out: the browser reports the 401 of the current-user call.
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')))
  const main = page.getByRole('main')
  await expect(main.getByRole('group', { name: 'Layout' })).toHaveCount(0)
  await expect(main.getByRole('button', { name: 'Shortcuts' })).toHaveCount(0)
  const command = main.getByText('npm start -- --camera')
  await expect(command).toBeHidden()
  await main.getByText('On the computer that talks to your cameras').click()
  await expect(command).toBeVisible()
  expect(
    await page
      .getByRole('region', { name: 'Live view' })
      .locator('.glow use')
      .evaluate((use: SVGUseElement) => use.getBBox().width),
  ).toBeGreaterThan(0)
  expect(await findings(page, page.url())).toEqual([])

  await page.goto('/events')
  await expect(page.getByRole('heading', { name: 'No camera yet', level: 1 })).toBeVisible()
  for (const name of ['Timeline', 'Days']) await expect(page.getByRole('group', { name })).toHaveCount(0)
  await expect(page.getByText('No camera saw or heard anything')).toHaveCount(0)
  expect(await findings(page, page.url())).toEqual([])
  await main.getByRole('link', { name: 'How to add a camera' }).click()
  await expect(page).toHaveURL('/guides/cameras')
  await expect(page).toHaveTitle('Add a Camera')
  await expect(main.getByRole('heading', { level: 1 })).toHaveCount(1)
  await expect(main.getByRole('cell', { name: '/Streaming/Channels/101' })).toBeVisible()
  expect(await findings(page, page.url())).toEqual([])
})
