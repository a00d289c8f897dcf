import type { Locator, Page } from 'playwright/test'
import { createAccount, openAsNewAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import {
  expect,
  holdResponses,
  removeExpectedProblems,
  SIGNED_OUT_STATE,
  SIGNED_IN_STATES,
  signIn,
  test,
  routeThroughProxy,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import { readLayoutShift, recordLayoutShifts } from '../support/shifts.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const findEntry = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem').filter({ hasText: text })

test(
  'a guest sees their sign-in and its device; an owner sees guest viewing, one entry per hour',
  { tag: '@all' },
  async ({ page, browser, problems }) => {
    const context = await browser.newContext({ storageState: SIGNED_OUT_STATE })
    const guest = await context.newPage()
    // Leaves this request without a response, so that the page does not show the search hint.
    await guest.route('**/instruction_state', () => undefined)
    await guest.goto('/live')
    await signIn(guest, 'shared@example.com')
    await expect(guest.getByRole('listitem', { name: 'Front door, live' })).toBeVisible()
    await guest.reload()
    await expect(guest.getByRole('listitem', { name: 'Front door, live' })).toBeVisible()

    await page.goto('/account/services')
    await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Activity' }).click()
    await expect(page).toHaveTitle('Activity')
    const watchEntries = findEntry(page, 'shared@example.com watched Front door')
    await expect(watchEntries.first()).toContainText(/\d\d to \d\d/)
    // There are two entries if a full hour began between the two visits.
    // Settled: the entry awaited above came with all others, in one response.
    const hours = (await watchEntries.allTextContents()).map((text) => /\d\d to \d\d/.exec(text)?.[0])
    expect(hours).toEqual([...new Set(hours)])
    const times = hours.length === 1 ? /Live \d+ times/ : /Live (once|\d+ times)/
    await expect(watchEntries.first()).toContainText(times)
    await expect(watchEntries.filter({ hasText: 'Chrome' })).toHaveCount(0)

    await guest.goto('/account/activity')
    await expect(findEntry(guest, 'You logged in').first()).toContainText('Chrome on Linux')
    await expect(findEntry(guest, 'watched')).toHaveCount(0)
    await context.close()
    removeExpectedProblems(problems, SIGNED_OUT_401)
  },
)

test('a camera change is an entry, and chips filter by kind with the keyboard', async ({ page }) => {
  await page.goto('/account/activity')
  const chips = page.getByRole('group', { name: 'Show' })
  await expect(findEntry(page, 'You logged in').first()).toBeVisible()
  await chips.getByRole('button', { name: 'All' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(chips.getByRole('button', { name: 'Changes' })).toHaveAttribute('aria-pressed', 'true')
  await expect(findEntry(page, 'Hub added').first()).toBeVisible()
  await expect(findEntry(page, 'You logged in')).toHaveCount(0)
  await chips.getByRole('button', { name: 'Exports' }).click()
  await expect(page.getByText(/in the last 90 days/)).toBeVisible()
  await expect(findEntry(page, 'Hub added')).toHaveCount(0)
})

test('an activity log that cannot be loaded shows an error in place, and loads after a retry', async ({
  page,
  problems,
  faults,
}) => {
  await routeThroughProxy(page, faults, '**/extension/activity*')
  faults.fail('/', { kind: 'answer', status: 503, body: '{"code":503}' })
  await page.goto('/account/activity')
  const errorAlert = page.getByRole('alert')
  await expect(errorAlert).toBeVisible()
  faults.clearFaults()
  await errorAlert.getByRole('button', { name: 'Try again' }).click()
  await expect(findEntry(page, 'You logged in').first()).toBeVisible()
  removeExpectedProblems(problems, { status: 503, path: /\/extension\/activity$/ })
})

const measureBox = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

test('on a phone, sessions are above the log, links are apart, chips scroll and nothing scrolls sideways', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account/activity')
  await expect(findEntry(page, 'You logged in').first()).toBeVisible()
  const panel = page.getByRole('region', { name: 'Your devices' })
  await expect(panel).toContainText('14 days')
  await expect(panel.getByRole('listitem').filter({ hasText: 'This device' })).toContainText(/expires\s\d+\s[A-Z]/)
  const top = async (name: string) => (await measureBox(page.getByRole('heading', { name, exact: true }))).y
  await expect.poll(async () => (await top('Activity')) - (await top('Your devices'))).toBeGreaterThan(0)
  const measureOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(measureOverflow).toBe(0)
  const current = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Activity' })
  await expect(current).toBeInViewport({ ratio: 0.95 })
  const measureGap = async () => {
    const passwordBox = await measureBox(page.getByRole('link', { name: 'Change password' }))
    const secondFactorBox = await measureBox(page.getByRole('link', { name: 'Two-step verification' }))
    return Math.max(
      secondFactorBox.x - passwordBox.x - passwordBox.width,
      secondFactorBox.y - passwordBox.y - passwordBox.height,
    )
  }
  await expect.poll(measureGap).toBeGreaterThanOrEqual(8)
})

test.describe('an account with a short log', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('on a phone, the page does not move when the log arrives after the sessions', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await recordLayoutShifts(page)
    const release = await holdResponses(page, '**/extension/activity*')
    await openAsNewAccount(page, 'short-log', '/account/activity')
    await expect(page.getByRole('region', { name: 'Your devices' }).getByRole('listitem')).toHaveCount(1)
    await expect(page.getByText('Don’t recognize something?')).toBeHidden()
    release()
    await expect(page.getByText('Don’t recognize something?')).toBeInViewport()
    await expect.poll(() => readLayoutShift(page)).toBeLessThanOrEqual(0.01)
  })
})

test(
  'on a phone, a message page of the provider has a button as wide as the page',
  { tag: '@all' },
  async ({ page, problems }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/account/activity')
    await page.getByRole('link', { name: 'Two-step verification' }).click()
    const measureSpan = async (locator: Locator) => {
      const { x, width } = await measureBox(locator)
      return [x, width]
    }
    await expect(page.getByRole('link', { name: 'Go to Porchlight' })).toBeVisible()
    const heading = await measureSpan(page.getByRole('heading'))
    await expect.poll(() => measureSpan(page.getByRole('link', { name: 'Go to Porchlight' }))).toEqual(heading)
    // The provider does not recognize this browser, so it responds with 403 and a message page.
    removeExpectedProblems(problems, { status: 403, path: /^\/account\/second-factor$/ })
  },
)

test('all other sessions end after a confirmation, and the list marks the current one', async ({
  browser,
  problems,
}) => {
  const email = await createAccount('two-sessions')
  const context = await browser.newContext({ storageState: SIGNED_OUT_STATE })
  await signInContext(context, email, PASSWORD)
  const other = await browser.newContext({ storageState: SIGNED_OUT_STATE })
  await signInContext(other, email, PASSWORD)
  const currentPage = await context.newPage()
  await currentPage.goto('/account/activity')
  const panel = currentPage.getByRole('region', { name: 'Your devices' })
  await expect(panel.getByRole('listitem')).toHaveCount(2)
  await expect(panel.getByRole('listitem').filter({ hasText: 'This device' })).toContainText('Current')
  await panel.getByRole('button', { name: 'Log out all other devices' }).click()
  await currentPage.getByRole('button', { name: 'Log out all other devices' }).press('Enter')
  await expect(currentPage.getByRole('status').filter({ hasText: /other devices? / })).toBeVisible()
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  const endedPage = await other.newPage()
  await endedPage.goto('/account/activity')
  await expect(endedPage.getByLabel('Email')).toBeVisible()
  await context.close()
  await other.close()
  // In the ended session, the first request of the page gets a 401. The path of that request varies.
  removeExpectedProblems(problems, SIGNED_OUT_401, { status: 401, path: /^\/api\/p\/extension\// })
})
