import { createHash } from 'node:crypto'
import type { Page } from 'playwright/test'
import { AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import { LOCAL_REVENUE_TOKEN } from '../../contract/telemetry/visits.ts'
import {
  ANALYTICS_EVENTS,
  experimentFlags,
  experimentVariants,
  SAMPLE_EXPERIMENT,
} from '../../contract/telemetry/telemetry-calls.ts'
import { createAccount, PASSWORD } from '../support/browser-account.ts'
import { signInAsNewAccount } from '../support/customer.ts'
import {
  expect,
  removeExpectedProblems,
  ignoreProblemsUntilEnd,
  SIGNED_IN_STATES,
  SIGNED_OUT_STATE,
  signIn,
  test,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import {
  expectNoAnalytics,
  recordAnalytics,
  recordScriptUrls,
  runIdleCallbacksAtOnce,
  pollWhileHiding,
  ANALYTICS_SENT_TIMEOUT,
} from '../support/measured-page.ts'

const PLAN_CHOOSER_PATH = '/account/products/choose'
/** Body of the request that the revenue script sends for the owner in a local deployment. */
const createRevenueBody = (email: string) => ({
  token: LOCAL_REVENUE_TOKEN,
  person: createHash('sha256').update(email).digest('hex'),
})

test('ANALYTICS-01 ANALYTICS-03 CALL-69 a visitor’s page reports its session and page view, requests its variant, and starts no revenue script', async ({
  page,
}) => {
  const { sent, requestedPaths: paths } = recordAnalytics(page)
  await runIdleCallbacksAtOnce(page)
  // Simulates an email address that an expired session left in the browser's storage.
  await page.addInitScript(() => window === top && localStorage.setItem('email', 'owner@example.com'))
  await page.goto('/guides/cameras?owner=ann#cellar')
  // Excludes Web Vitals, which a page sends when it is hidden. The signed-in test below covers Web Vitals.
  const listEvents = () => sent.filter(({ event_type }) => event_type !== AUTOMATIC_EVENTS.webVitals)
  await pollWhileHiding(page, () => listEvents().map(({ event_type }) => event_type)).toEqual([
    AUTOMATIC_EVENTS.sessionStart,
    AUTOMATIC_EVENTS.pageViewed,
  ])
  for (const event of listEvents()) expect(event.event_properties).toEqual({ route: '/guides/cameras' })
  for (const event of sent) expect(event).not.toHaveProperty('user_id')
  const experiment = [experimentFlags.path, experimentVariants.path]
  expect([...new Set(paths)].toSorted()).toEqual(['/t/config/web-portal', '/t/events', ...experiment].toSorted())
  expect(await page.context().cookies()).toEqual([])
})

test('ANALYTICS-01 a signed-in page reports the user, the sign-in and its load times, and starts the revenue script', async ({
  page,
  problems,
}) => {
  const { sent } = recordAnalytics(page)
  const listTypesOfRoute = (routePath: string) =>
    sent.filter(({ event_properties: { route } }) => route === routePath).map(({ event_type }) => event_type)
  await runIdleCallbacksAtOnce(page)
  await page.goto('/events')
  const revenue = page.waitForRequest('**/t/revenue')
  // An account without a plan, because a plan decides which prices the plan page shows first.
  const email = await createAccount('measured')
  await signIn(page, email, PASSWORD)
  await expect(page).toHaveURL(/\/events$/)
  const revenueRequest = await revenue
  expect(revenueRequest.postDataJSON()).toEqual(createRevenueBody(email))
  expect((await revenueRequest.response())?.ok()).toBe(true)
  const pageEventTypes = [ANALYTICS_EVENTS.signInBegun, ANALYTICS_EVENTS.signedIn, AUTOMATIC_EVENTS.pageViewed]
  await pollWhileHiding(page, () => listTypesOfRoute('/events')).toEqual(expect.arrayContaining(pageEventTypes))
  // A page sends its Web Vitals when it is hidden.
  await pollWhileHiding(page, () => listTypesOfRoute('/events')).toContain(AUTOMATIC_EVENTS.webVitals)
  expect(new Set(sent.map(({ user_id }) => user_id)).size).toBe(1)
  expect(sent[0]?.user_id).toMatch(/^user_/)
  expect(JSON.stringify(sent)).not.toMatch(/@example|Home of|http/i)
  // The sample experiment does not change the plan page, but that page reports an exposure with the stored variant.
  const readVariant = () => page.evaluate(() => localStorage.getItem('experiment_variant'))
  await expect.poll(readVariant, ANALYTICS_SENT_TIMEOUT).toMatch(/^sample (control|treatment)$/)
  const storedVariant = await readVariant()
  await page.goto(PLAN_CHOOSER_PATH)
  await expect(findAnnualButton(page)).toHaveAttribute('aria-pressed', 'false')
  const listExposures = () => sent.filter(({ event_type }) => event_type === AUTOMATIC_EVENTS.exposure)
  await pollWhileHiding(page, () => listExposures().length).toBe(1)
  const { flag_key, variant } = listExposures()[0]?.event_properties ?? {}
  expect(`${String(flag_key)} ${String(variant)}`).toBe(storedVariant)
  removeExpectedProblems(problems, SIGNED_OUT_401)
})

const findAnnualButton = (page: Page) =>
  page.getByRole('group', { name: 'Billing period' }).getByRole('button', { name: /Annual/ })

/** Asserts that a page sends no analytics. `setOptOut` runs in the page before its scripts. */
async function expectNoAnalyticsRequests(page: Page, setOptOut: () => void): Promise<void> {
  const { requestedPaths: paths } = recordAnalytics(page)
  const scripts = recordScriptUrls(page)
  await page.addInitScript(setOptOut)
  await page.goto('/guides/cameras')
  await expectNoAnalytics(page, scripts)
  expect(paths).toEqual([])
}

test.describe('a browser that opts out of tracking', () => {
  test('with Do Not Track, sends no analytics and loads no analytics libraries', ({ page }) =>
    expectNoAnalyticsRequests(page, () => Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })))

  test(
    'with Global Privacy Control, sends no analytics and loads no analytics libraries',
    { tag: '@all' },
    ({ page }) =>
      expectNoAnalyticsRequests(page, () =>
        Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
      ),
  )
})

// This test covers visitors; experiment-sinks.spec.ts covers signed-in pages.
test(
  'unreachable analytics endpoints change nothing on a visitor’s page and log nothing',
  { tag: '@all' },
  async ({ page, problems }) => {
    const messages: string[] = []
    page.on('console', (message) => void (message.type() !== 'debug' && messages.push(message.text())))
    // Ignores the browser's own console line about a blocked request.
    const listPageMessages = () => messages.filter((text) => !/^Failed to load resource: net::/.test(text))
    const failedUrls: string[] = []
    page.on('requestfailed', (request) => void failedUrls.push(request.url()))
    await runIdleCallbacksAtOnce(page)
    await page.route('**/t/**', (route) => route.abort())
    await page.goto('/guides/cameras')
    await pollWhileHiding(page, () => failedUrls.some((url) => url.endsWith('/t/events'))).toBe(true)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(listPageMessages()).toEqual([])
    ignoreProblemsUntilEnd(problems, {
      network: /net::ERR_FAILED/,
      path: /^\/t\/(events|config\/web-portal|experiment\/.+)$/,
    })
  },
)

test.describe('a signed-in account', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('ANALYTICS-01 starts the revenue script even after the browser’s first hour, which ends only page analytics', async ({
    page,
  }) => {
    const { requestedPaths: paths } = recordAnalytics(page)
    await page.addInitScript(() => window === top && localStorage.setItem('browser_analytics_opt_out_due', '1'))
    const [revenueRequest] = await Promise.all([page.waitForRequest('**/t/revenue'), page.goto('/account/billing')])
    expect(revenueRequest.postDataJSON()).toEqual(createRevenueBody('owner@example.com'))
    expect((await revenueRequest.response())?.ok()).toBe(true)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    expect(paths).toEqual(['/t/revenue'])
  })
})

test.describe('an account without a plan', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('sees prices by the browser’s variant at page load, by month without one or with the sample', async ({
    page,
  }) => {
    // Analytics runs only when a page is idle. Without idle time, it does not start, and it leaves the stored values as
    // they are.
    await page.addInitScript(() => (window.requestIdleCallback = () => 0))
    const readExposureMarks = () =>
      page.evaluate(() =>
        performance.getEntriesByName('$exposure').map((mark) => (mark as PerformanceMark).detail as unknown),
      )
    await signInAsNewAccount(page, 'variants')
    await page.goto(PLAN_CHOOSER_PATH)
    await expect(page.locator('.price-card').first()).toBeVisible()
    await expect(findAnnualButton(page)).toHaveAttribute('aria-pressed', 'false')
    // Settled: the monthly prices are visible, and the page would have marked a variant together with them.
    expect(await readExposureMarks()).toEqual([])
    for (const [flag, isAnnual] of [
      ['annual-first', true],
      [SAMPLE_EXPERIMENT, false],
    ] as const) {
      await page.evaluate((name) => localStorage.setItem('experiment_variant', `${name} treatment`), flag)
      await page.reload()
      await expect.poll(readExposureMarks).toEqual([{ flag, variant: 'treatment' }])
      await expect(findAnnualButton(page)).toHaveAttribute('aria-pressed', String(isAnnual))
    }
  })
})
