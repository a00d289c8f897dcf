import type { Locator, Page } from 'playwright/test'
import { newAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, forgive, NOBODY, SIGNED_IN, signIn, test, throughProxy, VISITOR } from '../support/e2e.ts'

test.use({ storageState: SIGNED_IN.owner })

const entry = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem').filter({ hasText: text })

test(
  'a guest sees their sign-in and its device; an owner sees guest viewing, one entry per hour',
  { tag: '@all' },
  async ({ page, browser, problems }) => {
    const context = await browser.newContext({ storageState: NOBODY })
    const guest = await context.newPage()
    // Leaves this request without a response, so that the page does not show the search hint, and the hint stays unseen
    // for another spec.
    await guest.route('**/instruction_state', () => undefined)
    await guest.goto('/live')
    await signIn(guest, 'shared@example.com')
    await expect(guest.getByRole('listitem', { name: 'Front door, live' })).toBeVisible()
    await guest.reload()
    await expect(guest.getByRole('listitem', { name: 'Front door, live' })).toBeVisible()

    await page.goto('/account/services')
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Activity' }).click()
    await expect(page).toHaveTitle('Activity')
    const watched = entry(page, 'shared@example.com watched Front door')
    await expect(watched.first()).toContainText(/\d\d to \d\d/)
    // Two if a full hour began between the two visits.
    // Settled: the entry awaited above came with all others, in one response.
    const hours = (await watched.allTextContents()).map((text) => /\d\d to \d\d/.exec(text)?.[0])
    expect(hours).toEqual([...new Set(hours)])
    const times = hours.length === 1 ? /\d+ times, live/ : /(Once|\d+ times), live/
    await expect(watched.first()).toContainText(times)
    await expect(watched.filter({ hasText: 'Chrome' })).toHaveCount(0)

    await guest.goto('/account/activity')
    await expect(entry(guest, 'You signed in').first()).toContainText('Chrome on Linux')
    await expect(entry(guest, 'watched')).toHaveCount(0)
    await context.close()
    forgive(problems, VISITOR)
  },
)

test('a camera change is an entry, and chips filter by kind with the keyboard', async ({ page }) => {
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
  await expect(page.getByText(/in the last 90 days/)).toBeVisible()
  await expect(entry(page, 'A box was added')).toHaveCount(0)
})

test('an activity log that cannot be loaded shows an error in place, and loads after a retry', async ({
  page,
  problems,
  faults,
}) => {
  await throughProxy(page, faults, '**/extension/activity*')
  faults.fail('/', { kind: 'answer', status: 503, body: '{"code":503}' })
  await page.goto('/account/activity')
  const failed = page.getByRole('alert')
  await expect(failed).toBeVisible()
  faults.heal()
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(entry(page, 'You signed in').first()).toBeVisible()
  forgive(problems, { status: 503, path: /\/extension\/activity$/ })
})

const measureBox = async (place: Locator) => (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

test('on a phone, sessions are above the log, links are apart, chips scroll and nothing scrolls sideways', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account/activity')
  await expect(entry(page, 'You signed in').first()).toBeVisible()
  const panel = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(panel).toContainText('14 days')
  await expect(panel.getByRole('listitem').filter({ hasText: 'This device' })).toContainText(/ends\s\d+\s[A-Z]/)
  const top = async (name: string) => (await measureBox(page.getByRole('heading', { name, exact: true }))).y
  await expect.poll(async () => (await top('Activity')) - (await top('Where you are signed in'))).toBeGreaterThan(0)
  const over = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(over).toBe(0)
  const current = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Activity' })
  await expect(current).toBeInViewport({ ratio: 0.95 })
  const apart = async () => {
    const passwordBox = await measureBox(page.getByRole('link', { name: 'Change password' }))
    const other = await measureBox(page.getByRole('link', { name: 'Second factor' }))
    return Math.max(other.x - passwordBox.x - passwordBox.width, other.y - passwordBox.y - passwordBox.height)
  }
  await expect.poll(apart).toBeGreaterThanOrEqual(8)
})

test(
  'on a phone, a message page of the provider has a button as wide as the page',
  { tag: '@all' },
  async ({ page, problems }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/account/activity')
    await page.getByRole('link', { name: 'Second factor' }).click()
    const across = async (place: Locator) => {
      const { x, width } = await measureBox(place)
      return [x, width]
    }
    await expect(page.getByRole('link', { name: 'Go to Porchlight' })).toBeVisible()
    const heading = await across(page.getByRole('heading'))
    await expect.poll(() => across(page.getByRole('link', { name: 'Go to Porchlight' }))).toEqual(heading)
    // The provider responds with 403, because it does not recognize this browser; its message page says so.
    forgive(problems, { status: 403, path: /^\/account\/second-factor$/ })
  },
)

test('all other sessions end after a confirmation, and the list marks the current one', async ({
  browser,
  problems,
}) => {
  const email = await newAccount('two-sessions')
  const context = await browser.newContext({ storageState: NOBODY })
  await signInContext(context, email, PASSWORD)
  const other = await browser.newContext({ storageState: NOBODY })
  await signInContext(other, email, PASSWORD)
  const here = await context.newPage()
  await here.goto('/account/activity')
  const panel = here.getByRole('region', { name: 'Where you are signed in' })
  await expect(panel.getByRole('listitem')).toHaveCount(2)
  await expect(panel.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Here')
  await panel.getByRole('button', { name: 'End all others' }).click()
  await here.getByRole('button', { name: 'Yes, end all others' }).press('Enter')
  await expect(here.getByRole('status').filter({ hasText: /other sessions? / })).toBeVisible()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  const elsewhere = await other.newPage()
  await elsewhere.goto('/account/activity')
  await expect(elsewhere.getByLabel('E-mail')).toBeVisible()
  await context.close()
  await other.close()
  // In the ended session, the first request of the page gets a 401. The path of that request varies.
  forgive(problems, VISITOR, { status: 401, path: /^\/api\/p\/extension\// })
})
