import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { PASSWORD, signInContext } from '../support/browser-account.ts'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test, routeThroughProxy } from '../support/e2e.ts'
import { searchDialog, searchField, signInToSearch } from '../support/search.ts'

const searchButton = (page: Page) => page.getByRole('button', { name: 'Describe what happened' })
const turnOnButton = (page: Page) => searchDialog(page).getByRole('button', { name: 'Turn on search' })
const searchPopup = (page: Page) => page.getByRole('button', { name: 'Search your clips in your own words' })
const promptPopup = (page: Page) => page.getByText('Combine details, like')
const findToast = (page: Page) => page.locator('#toasts').getByRole('alert')
const ENROLLMENT_ERROR = 'Looks like there was a problem while enrolling you. Please try again.'
const waitForPopupState = (page: Page, bits: number) =>
  page.waitForResponse(
    async (answer) =>
      answer.url().endsWith('/instruction_state') &&
      answer.request().method() === 'POST' &&
      (((await answer.json()) as { data: { state: number } }).data.state & bits) === bits,
  )

test('SEARCH-08 SEARCH-10 SEARCH-14 a first search shows an introduction; a failed enrollment is reported once, the next turns search on', async ({
  page,
  faults,
  problems,
}) => {
  await signInToSearch(page, 'introduced')
  faults.fail('/api/p/', { kind: 'answer', status: 500, body: '{"code":500}', type: 'application/json' })
  await routeThroughProxy(page, faults, '**/onboarding/register')
  await page.goto('/events')
  await expect(searchPopup(page)).toBeVisible()
  await searchButton(page).click()
  await expect(turnOnButton(page)).toBeVisible()
  await expect(searchField(page)).toHaveCount(0)
  expect(await findViolations(page, 'introduction', '.search-dialog')).toEqual([])
  await turnOnButton(page).click()
  await expect(findToast(page).getByText(ENROLLMENT_ERROR, { exact: true })).toBeVisible()
  await findToast(page).getByRole('button').click()
  await expect(findToast(page)).toHaveCount(0)
  faults.clearFaults()
  await turnOnButton(page).click()
  await expect(searchField(page)).toBeFocused()
  await expect(promptPopup(page)).toBeVisible()
  removeExpectedProblems(problems, { status: 500, path: /\/onboarding\/register$/ })
})

test('TAG-08 SEARCH-09 STORE-20 each popup shows only once, across browsers and reloads', async ({ page, browser }) => {
  const email = await signInToSearch(page, 'popups')
  const first = waitForPopupState(page, 1)
  await page.goto('/events')
  await expect(searchPopup(page)).toBeVisible()
  await first
  await searchButton(page).click()
  const both = waitForPopupState(page, 3)
  await turnOnButton(page).click()
  await expect(promptPopup(page)).toBeVisible()
  await both

  const other = await (await browser.newContext()).newPage()
  await signInContext(other.context(), email, PASSWORD)
  await other.goto('/events')
  await expect(searchButton(other)).toBeVisible()
  const readEventTags = () => other.evaluate(() => JSON.parse(localStorage.getItem('eventTags') ?? '{}') as object)
  // Wait until the page has loaded the list of popups that the account has seen.
  await expect.poll(readEventTags).toMatchObject({ videoSearchPopup: true })
  await expect(searchPopup(other)).toHaveCount(0)
  await searchButton(other).click()
  await expect.poll(readEventTags).toMatchObject({ videoSearchPromptPopup: true })
  await expect(promptPopup(other)).toHaveCount(0)
  await other.reload()
  await expect(searchField(other)).toBeFocused()
  await expect(promptPopup(other)).toHaveCount(0)
  await expect.poll(readEventTags).toMatchObject({ videoSearchPopup: true, videoSearchPromptPopup: true })
  await searchDialog(other).getByRole('button', { name: 'Close' }).click()
  await expect(searchButton(other)).toBeVisible()
  await expect(searchPopup(other)).toHaveCount(0)
  await other.context().close()
})

test.describe('an account without a plan for search', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test(
    'sees which plans include search and opens them, even if it clicks before the script loads',
    { tag: '@all' },
    async ({ page }) => {
      const pressed = Promise.withResolvers<undefined>()
      await page.route('**/_astro/Events.*.js', async (route) => {
        await pressed.promise
        await route.continue()
      })
      await page.goto('/events', { waitUntil: 'commit' })
      await searchButton(page).click()
      pressed.resolve(undefined)
      await expect(searchDialog(page).getByRole('listitem')).toHaveText([
        'Camera AI',
        'Unlimited Cameras',
        'Unlimited Pro',
      ])
      expect(await findViolations(page, 'search without a plan', '.search-dialog')).toEqual([])
      await searchDialog(page).getByRole('link', { name: 'Explore plans' }).click()
      await expect(page).toHaveURL('/account/products/choose')
    },
  )
})
