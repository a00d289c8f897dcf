import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright/test'
import { findViolations } from '../support/axe.ts'
import { createAccount, PASSWORD, signInContext } from '../support/browser-account.ts'
import {
  expect,
  removeExpectedProblems,
  SIGNED_IN_STATES,
  signIn,
  pressTabUntilFocused,
  test,
  routeThroughProxy,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import { listLayoutShifts, recordLayoutShifts } from '../support/shifts.ts'

const findSection = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Opens the overview as a demo account that has not used this browser yet. */
async function openAsDemoAccount(page: Page, account: string): Promise<void> {
  await signInContext(page.context(), `${account}@example.com`)
  await page.goto('/account')
  await expect(findSection(page, 'Your plan').getByRole('heading').first()).toBeVisible()
}

const SECTION_ORDER = ['Your plan', 'Next charge', 'Notifications', 'Activity', 'Your devices', 'Your data']

/** Checks the order of the sections from the plan to the account deletion: with the Tab key, and stacked on a phone. */
async function expectOrder(page: Page): Promise<void> {
  for (const name of ['Change plan', 'All activity', 'Change payment method', 'Set up two-step verification'])
    await pressTabUntilFocused(page, page.getByRole('link', { name }).first())
  await pressTabUntilFocused(page, page.getByRole('button', { name: 'Download everything' }))
  await pressTabUntilFocused(page, page.getByRole('link', { name: 'Delete my account' }))
  await page.setViewportSize({ width: 390, height: 844 })
  const measureOverflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(measureOverflow).toBe(0)
  const isInOrder = async () => {
    const tops = await Promise.all(
      SECTION_ORDER.map(async (name) => (await findSection(page, name).boundingBox())?.y ?? 0),
    )
    // Tops may be negative: the page scrolls to the focused element, so the first section may be above the window.
    return tops.every((top, at) => top > (tops[at - 1] ?? -Infinity))
  }
  await expect.poll(isInOrder).toBe(true)
}

test.describe('home owner', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('the overview shows the plan, next charge, sessions and data export, in one order for keyboard and phone', async ({
    page,
  }) => {
    await page.goto('/account')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello')
    await expect(page.getByRole('main').getByText('owner@example.com', { exact: true })).toBeVisible()
    const tabs = page.getByRole('navigation', { name: 'Account' })
    await expect(tabs.getByRole('link').first()).toHaveText('Overview')
    await expect(tabs.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page')
    const plan = findSection(page, 'Your plan')
    await expect(plan.getByRole('heading', { name: 'Unlimited Cameras' })).toBeVisible()
    await expect(plan.getByText('All cameras, annual · 30 days of clips and search')).toBeVisible()
    const cameras = plan.getByRole('list', { name: 'Your cameras' }).getByRole('listitem')
    await expect(cameras.filter({ hasText: 'Front door' })).toContainText('Covered')
    await expect(findSection(page, 'Next charge')).toContainText('$99.99 plus $8.25 tax')
    await expect(findSection(page, 'Your devices').getByRole('listitem').first()).toContainText('This device')
    await expect(findSection(page, 'Your data')).toContainText(/clips/)
    await expect(page.getByRole('link', { name: 'Set up two-step verification' })).toHaveAttribute(
      'href',
      /:\d+\/account\/second-factor$/,
    )
    await expect(page.getByRole('link', { name: 'Delete my account' })).toHaveAttribute('href', /\/account\/delete$/)
    await expect(findSection(page, 'Activity').getByRole('link', { name: 'All activity' })).toHaveAttribute(
      'href',
      '/account/activity',
    )
    await expectOrder(page)
    expect(await findViolations(page, '/account')).toEqual([])
  })

  test(
    'each section that fails to load shows its error in place, and appears after a retry',
    { tag: '@all' },
    async ({ page, problems, faults }) => {
      for (const calls of ['**/extension/activity*', '**/extension/messages*', '**/extension/take', '**/auth/sessions'])
        await routeThroughProxy(page, faults, calls)
      faults.fail('/', { kind: 'answer', status: 503, body: '{"code":503}' })
      await page.goto('/account')
      const errorAlerts = page.getByRole('alert')
      await expect(errorAlerts).toHaveCount(4)
      await expect(findSection(page, 'Your plan').getByRole('heading', { name: 'Unlimited Cameras' })).toBeVisible()
      faults.clearFaults()
      // Delays the reload of one section to check that the sections below it stay on the page.
      const gate = Promise.withResolvers<void>()
      await page.route('**/extension/messages*', async (route) => {
        await gate.promise
        await route.fallback()
      })
      await findSection(page, 'Notifications').getByRole('button', { name: 'Try again' }).click()
      await expect(findSection(page, 'Notifications')).toHaveAttribute('aria-busy', 'true')
      await expect(findSection(page, 'Activity').getByRole('button', { name: 'Try again' })).toBeVisible()
      await expect(findSection(page, 'Your data').getByRole('button', { name: 'Try again' })).toBeVisible()
      gate.resolve()
      for (const name of ['Activity', 'Your data', 'Your devices'])
        await findSection(page, name).getByRole('button', { name: 'Try again' }).click()
      await expect(errorAlerts).toHaveCount(0)
      await expect(findSection(page, 'Activity').getByRole('listitem').first()).toBeVisible()
      removeExpectedProblems(problems, { status: 503, path: /\/(extension\/(activity|messages|take)|auth\/sessions)$/ })
    },
  )

  test(
    'an interrupted export keeps the finished archives and resumes after them',
    { tag: '@all' },
    async ({ page }) => {
      test.slow()
      await page.goto('/account')
      const exportSection = findSection(page, 'Your data')
      await expect(exportSection).toContainText(/\(\d files, /)
      await exportSection.getByRole('button', { name: 'Download everything' }).click()
      // The first archive downloads in parts. The progress bar shows the share that has been downloaded.
      const progressBar = exportSection.getByRole('progressbar', { name: 'Downloading file 1' })
      await expect(progressBar).toBeVisible()
      await expect.poll(() => progressBar.getAttribute('value')).toMatch(/^0\.0*[1-9]/)
      await page.goto('/account/services')
      await page.goto('/account')
      await expect(exportSection).toContainText(/Stopped at \d+% of/)
      const [zipRequest] = await Promise.all([
        page.waitForRequest('**/media/zip/**'),
        exportSection.getByRole('button', { name: 'Continue' }).click(),
      ])
      expect(zipRequest.headers()['range']).toMatch(/^bytes=[1-9]\d{6,}-/)
      await exportSection.getByRole('button', { name: 'Pause' }).click()
      await exportSection.getByRole('button', { name: 'Start over' }).click()
      await expect(exportSection.getByRole('button', { name: 'Download everything' })).toBeVisible()
    },
  )
})

/**
 * Opens the link to the data export and holds the list of sessions back. Until it has loaded, the export panel below it
 * is complete, but hidden. Returns a function that releases the list.
 */
async function openWithHiddenExport(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route('**/api/auth/sessions', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/account?take=1')
  await expect(page.getByRole('button', { name: 'Download everything', includeHidden: true })).toBeAttached()
  return held.resolve
}

test.describe('account without a plan', () => {
  test.use({ storageState: SIGNED_IN_STATES.free })

  test('the overview shows what Free keeps, and links to the plans', async ({ page }) => {
    await page.goto('/account')
    const plan = findSection(page, 'Your plan')
    await expect(plan.getByRole('heading', { name: 'Free', exact: true })).toBeVisible()
    await expect(plan.getByRole('listitem').first()).toContainText('Free, 1 day')
    await expect(findSection(page, 'Next charge')).toBeHidden()
    await expect(plan.getByRole('link', { name: 'Explore plans' })).toHaveAttribute('href', '/account/products/choose')
  })

  test('all data exports as one valid archive, even after a failed first download', async ({ page, problems }) => {
    const exportSection = findSection(page, 'Your data')
    const startButton = exportSection.getByRole('button', { name: 'Download everything' })
    const releaseKeyboardVisit = await openWithHiddenExport(page)
    await page.keyboard.press('Tab')
    releaseKeyboardVisit()
    await expect(startButton).toBeVisible()
    // Settled: the button became visible when the list appeared, and only then could the page focus it.
    await expect(startButton).not.toBeFocused()
    const release = await openWithHiddenExport(page)
    release()
    await expect(startButton).toBeFocused()
    await expect(exportSection).toContainText(/\d+ clips?.* \(1 file, /)
    await page.route('**/media/zip/**', (route) => route.abort())
    const failedDownload = page.waitForEvent('requestfailed', (request) => request.url().includes('/media/zip/'))
    await page.keyboard.press('Enter')
    await failedDownload
    await expect(exportSection.getByRole('progressbar')).toBeVisible()
    await exportSection.getByRole('button', { name: 'Pause' }).click()
    await expect(exportSection).toContainText('Stopped at 0%')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    const download = page.waitForEvent('download')
    // The status disappears automatically after five seconds, so it is awaited together with the download.
    const savedStatus = page.getByRole('status').filter({ hasText: 'Download complete' }).waitFor()
    const [file] = await Promise.all([
      download,
      savedStatus,
      exportSection.getByRole('button', { name: 'Continue' }).click(),
    ])
    const path = await file.path()
    expect(execFileSync('unzip', ['-t', path]).toString()).toContain('No errors detected')
    expect(execFileSync('unzip', ['-Z1', path]).toString()).toMatch(/^events\.csv\nclips\//)
    await page.reload()
    await expect(startButton).toBeVisible()
    await expect(findSection(page, 'Activity')).toContainText(/You downloaded \d+ clips?/)
    removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /\/media\/zip\// })
  })
})

for (const account of ['owner', 'free', 'shared'])
  for (const width of [390, 1440])
    test(
      `the overview does not shift while it loads for ${account} at ${width} px, on the first visit and the next`,
      {
        tag: account === 'owner' && width === 390 ? [] : '@all',
      },
      async ({ page }) => {
        await page.setViewportSize({ width, height: 900 })
        await recordLayoutShifts(page)
        await openAsDemoAccount(page, account)
        const expectNoShift = async () => {
          await expect(findSection(page, 'Your data').getByText(/clip/)).toBeVisible()
          await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
          expect(await listLayoutShifts(page)).toEqual([])
        }
        await expectNoShift()
        await page.reload()
        await expectNoShift()
      },
    )

test('a notification is marked as new until the next visit, and links to its subject', async ({ page, problems }) => {
  const email = await createAccount('messages')
  // The first sign-in creates no notification; a sign-in from another browser does.
  await signInContext(page.context(), email, PASSWORD)
  await page.context().clearCookies()
  const seenResponse = page.waitForResponse('**/extension/see-messages')
  await page.goto('/account')
  await signIn(page, email, PASSWORD)
  await expect(page).toHaveURL('/account')
  const messages = findSection(page, 'Notifications')
  await expect(messages.getByText('1 new')).toBeVisible()
  const message = messages.getByRole('listitem').filter({ hasText: 'Chrome on Linux' })
  await expect(message).toContainText('New: ')
  await seenResponse
  await page.reload()
  await expect(message).toBeVisible()
  await expect(message).not.toContainText('New: ')
  await expect(messages.getByText('1 new')).toBeHidden()
  await message.getByRole('link').click()
  await expect(page).toHaveURL('/account/activity')
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

test(
  'a trial account sees how many days are left, and that the trial ends automatically',
  { tag: '@all' },
  async ({ page }) => {
    await openAsDemoAccount(page, 'trial')
    const plan = findSection(page, 'Your plan')
    await expect(plan.getByText(/Trial, \d+ days left/)).toBeVisible()
    await expect(plan.getByText(/ends .*, no charge/)).toBeVisible()
    await expect(findSection(page, 'Next charge')).toBeHidden()
  },
)

test('an unused license is shown with its cost and links to return or assign it', { tag: '@all' }, async ({ page }) => {
  await openAsDemoAccount(page, 'expiring')
  const plan = findSection(page, 'Your plan')
  await expect(plan.getByText('3 unused licenses.')).toBeVisible()
  await expect(plan.getByText('Assign them, or remove them to save $8.97 a month.')).toBeVisible()
  await expect(findSection(page, 'Next charge').getByText(/Expires \d\d\/\d\d/)).toBeVisible()
  await expect(plan.getByRole('link', { name: /Remove licenses/ })).toHaveAttribute('href', '/account/services')
  await expect(plan.getByRole('link', { name: 'Assign licenses' })).toHaveAttribute(
    'href',
    /^\/account\/services\/cover\?plan=/,
  )
})

test('a guest sees whose plan covers the shared cameras, and nothing about money', async ({ page }) => {
  await openAsDemoAccount(page, 'shared')
  const plan = findSection(page, 'Your plan')
  await expect(plan.getByRole('heading', { name: 'Shared with you' })).toBeVisible()
  const cameras = plan.getByRole('list', { name: 'Cameras shared with you' }).getByRole('listitem')
  await expect(cameras.first()).toContainText('Owner’s Unlimited Cameras, 30 days')
  await expect(findSection(page, 'Next charge')).toBeHidden()
  await expect(page.getByRole('main')).not.toContainText('$')
})
