import type { Page } from 'playwright/test'
import { expect, SIGNED_IN, signIn, test, throughProxy } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

const entry = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem').filter({ hasText: text })

test('an owner finds the own sign-in with its device, and what a guest watched, once for an hour', async ({
  page,
  browser,
  problems,
}) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const guest = await context.newPage()
  // Waits for ever for what the account has seen, and so shows no hint of the search: another spec meets it as new.
  await guest.route('**/instruction_state', () => undefined)
  await guest.goto('/live')
  await signIn(guest, 'shared@example.com')
  await expect(guest.getByRole('listitem', { name: 'Front door, live' })).toBeVisible()
  await guest.reload()
  await expect(guest.getByRole('listitem', { name: 'Front door, live' })).toBeVisible()

  await page.goto('/account/services')
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Activity' }).click()
  await expect(page).toHaveTitle('Activity')
  const own = entry(page, 'You signed in').first()
  await expect(own).toContainText('Chrome on Linux')
  const watched = entry(page, 'shared@example.com watched Front door')
  await expect(watched.first()).toContainText(/\d\d to \d\d/)
  // Two where a full hour has passed between the two looks.
  const hours = (await watched.allTextContents()).map((text) => /\d\d to \d\d/.exec(text)?.[0])
  expect(hours).toEqual([...new Set(hours)])
  const times = hours.length === 1 ? /\d+ times, live/ : /(Once|\d+ times), live/
  await expect(watched.first()).toContainText(times)
  await expect(watched.filter({ hasText: 'Chrome' })).toHaveCount(0)

  await guest.goto('/account/activity')
  await expect(entry(guest, 'You signed in')).toHaveCount(1)
  await expect(entry(guest, 'watched')).toHaveCount(0)
  await context.close()
  // The guest's first visit is signed out.
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')))
})

test('a change of a camera is an entry, and chips leave one kind by the keyboard', async ({ page }) => {
  await page.goto('/account/activity')
  const chips = page.getByRole('group', { name: 'Show' })
  await expect(entry(page, 'You signed in').first()).toBeVisible()
  await chips.getByRole('button', { name: 'All' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(chips.getByRole('button', { name: 'Changes' })).toHaveAttribute('aria-pressed', 'true')
  await expect(entry(page, 'A box was added').first()).toBeVisible()
  await expect(entry(page, 'You signed in')).toHaveCount(0)
  await chips.getByRole('button', { name: 'Exports' }).click()
  await expect(page.getByText('Nothing of this kind in the last 90 days.')).toBeVisible()
})

test('what cannot be loaded says so in its place, and comes when it is asked for again', async ({
  page,
  problems,
  faults,
}) => {
  await throughProxy(page, faults, '**/extension/activity*')
  faults.fail('/', { kind: 'answer', status: 503, body: '{"code":503}' })
  await page.goto('/account/activity')
  const failed = page.getByRole('alert').filter({ hasText: 'The activity could not be loaded' })
  await expect(failed).toBeVisible()
  faults.heal()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(entry(page, 'You signed in').first()).toBeVisible()
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('503')))
})

test('on a phone the sessions stand above the log, the chips scroll and nothing scrolls sideways', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account/activity')
  await expect(entry(page, 'You signed in').first()).toBeVisible()
  const top = (name: string) =>
    page
      .getByRole('heading', { name, exact: true })
      .boundingBox()
      .then((box) => box?.y ?? 0)
  expect(await top('Where you are signed in')).toBeLessThan(await top('Activity'))
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(over).toBe(0)
  const current = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Activity' })
  await expect(current).toBeInViewport({ ratio: 0.95 })
})

test('on a phone the ways to a new password and a second factor stand apart, and a sentence has a button as wide as the page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account/activity')
  const panel = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(panel.getByText('Ends after 14 days unused, or after 30 days.')).toBeVisible()
  await expect(panel.getByRole('listitem').filter({ hasText: 'This device' })).toContainText(/ends\s\d+\s[A-Z]/)
  await expect(entry(page, 'You signed in').first()).toBeVisible()
  const boxOf = async (name: string) => (await page.getByRole('link', { name }).boundingBox())!
  await expect(page.getByRole('link', { name: 'Second factor' })).toBeVisible()
  const [one, other] = [await boxOf('Change password'), await boxOf('Second factor')]
  expect(Math.max(other.x - one.x - one.width, other.y - one.y - one.height)).toBeGreaterThanOrEqual(8)

  await page.getByRole('link', { name: 'Second factor' }).click()
  const [heading, button] = [await page.getByRole('heading').boundingBox(), await boxOf('Go to Porchlight')]
  expect([button.x, button.width]).toEqual([heading?.x, heading?.width])
})

test('all other sessions end after one more question, and the list says which one is here', async ({
  browser,
  problems,
}) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const here = await context.newPage()
  await here.goto('/account/activity')
  await signIn(here, 'shared@example.com')
  const panel = here.getByRole('region', { name: 'Where you are signed in' })
  await expect(panel.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Here')

  const other = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const elsewhere = await other.newPage()
  await elsewhere.goto('/account/activity')
  await signIn(elsewhere, 'shared@example.com')
  await expect(elsewhere.getByText('Here', { exact: true })).toBeVisible()
  // A page that stays open would leave for the home page by itself, with what it asks for next.
  await elsewhere.goto('about:blank')

  await here.reload()
  await panel.getByRole('button', { name: 'End all others' }).click()
  await here.getByRole('button', { name: 'Yes, end all others' }).press('Enter')
  await expect(here.getByRole('status').filter({ hasText: /other sessions? ha(s|ve) ended/ })).toBeVisible()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  await elsewhere.goto('/account/activity')
  await expect(elsewhere.getByLabel('E-mail')).toBeVisible()
  await context.close()
  await other.close()
  // Both first visits are signed out, and so is the one that was ended.
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')))
})
