import { createHash } from 'node:crypto'
import type { Page } from 'playwright/test'
import { CAPTURED } from '../../contract/measured.ts'
import { EVENTS } from '../../contract/telemetry.ts'
import { expect, forgive, forgiveToTheEnd, SIGNED_IN, signIn, test, VISITOR } from '../support/e2e.ts'
import { expectNotMeasured, follow, followScripts, giveIdleTime, pollHiding } from '../support/measured-page.ts'
import { REVENUE_TOKEN } from '../support/measured-token.ts'

/** Data that the revenue script sends about the owner. */
const REVENUE = { token: REVENUE_TOKEN, person: createHash('sha256').update('owner@example.com').digest('hex') }

test('ANALYTICS-01 ANALYTICS-03 a visitor’s page tells of its session and of the page, and starts no revenue script', async ({
  page,
}) => {
  const { sent, asked } = follow(page)
  await giveIdleTime(page)
  // Leftover of an expired session.
  await page.addInitScript(() => window === top && localStorage.setItem('email', 'owner@example.com'))
  await page.goto('/guides/cameras?owner=ann#cellar')
  // Pages send metrics when they are hidden; the signed-in test below covers them.
  const told = () => sent.filter(({ event_type }) => event_type !== CAPTURED.webVitals)
  await pollHiding(page, () => told().map(({ event_type }) => event_type)).toEqual([
    CAPTURED.sessionStart,
    CAPTURED.pageViewed,
  ])
  for (const one of told()) expect(one.event_properties).toEqual({ route: '/guides/cameras' })
  for (const one of sent) expect(one).not.toHaveProperty('user_id')
  expect(new Set(asked)).toEqual(new Set(['/t/config/web-portal', '/t/events']))
  expect(await page.context().cookies()).toEqual([])
})

test('ANALYTICS-01 a page that is signed in tells who, how it was signed in and how it loads, and starts the revenue script', async ({
  page,
  problems,
}) => {
  const { sent } = follow(page)
  const typesAt = (at: string) =>
    sent.filter(({ event_properties: { route } }) => route === at).map(({ event_type }) => event_type)
  await giveIdleTime(page)
  await page.goto('/events')
  const revenue = page.waitForRequest('**/t/revenue')
  await signIn(page, 'owner@example.com')
  await expect(page).toHaveURL(/\/events$/)
  const told = await revenue
  expect(told.postDataJSON()).toEqual(REVENUE)
  expect((await told.response())?.ok()).toBe(true)
  const ofPage = [EVENTS.signInBegun, EVENTS.signedIn, CAPTURED.pageViewed]
  await pollHiding(page, () => typesAt('/events')).toEqual(expect.arrayContaining(ofPage))
  // A page sends its metrics when it is hidden.
  await pollHiding(page, () => typesAt('/events')).toContain(CAPTURED.webVitals)
  expect(new Set(sent.map(({ user_id }) => user_id)).size).toBe(1)
  expect(sent[0]?.user_id).toMatch(/^user_/)
  expect(JSON.stringify(sent)).not.toMatch(/owner@|Front door|http/i)
  forgive(problems, VISITOR)
})

/** Asserts that a browser with this setting sends no analytics. */
async function expectUnasked(page: Page, says: () => void): Promise<void> {
  const { asked } = follow(page)
  const scripts = followScripts(page)
  await page.addInitScript(says)
  await page.goto('/guides/cameras')
  await expectNotMeasured(page, scripts)
  expect(asked).toEqual([])
}

test.describe('a browser that asks not to be followed', () => {
  test('by Do Not Track is sent nothing of, nor the libraries', ({ page }) =>
    expectUnasked(page, () => Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })))

  test('by Global Privacy Control is sent nothing of, nor the libraries', { tag: '@all' }, ({ page }) =>
    expectUnasked(page, () => Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })),
  )
})

// A page that is signed in: experiment-sinks.spec.ts.
test(
  'sinks that are dead change nothing on a visitor’s page and say nothing',
  { tag: '@all' },
  async ({ page, problems }) => {
    const said: string[] = []
    page.on('console', (message) => void (message.type() !== 'debug' && said.push(message.text())))
    // Ignores the browser's own console line about a blocked request.
    const ours = () => said.filter((text) => !/^Failed to load resource: net::/.test(text))
    const refused: string[] = []
    page.on('requestfailed', (request) => void refused.push(request.url()))
    await giveIdleTime(page)
    await page.route('**/t/**', (route) => route.abort())
    await page.goto('/guides/cameras')
    await pollHiding(page, () => refused.some((url) => url.endsWith('/t/events'))).toBe(true)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(ours()).toEqual([])
    forgiveToTheEnd(problems, {
      network: /net::ERR_FAILED/,
      path: /^\/t\/(events|config\/web-portal)$/,
    })
  },
)

test.describe('somebody who is signed in', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('ANALYTICS-01 has the revenue script started after the browser’s first hour, which ends the measuring of pages only', async ({
    page,
  }) => {
    const { asked } = follow(page)
    await page.addInitScript(() => window === top && localStorage.setItem('browser_analytics_opt_out_due', '1'))
    const [told] = await Promise.all([page.waitForRequest('**/t/revenue'), page.goto('/account/billing')])
    expect(told.postDataJSON()).toEqual(REVENUE)
    expect((await told.response())?.ok()).toBe(true)
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    expect(asked).toEqual(['/t/revenue'])
  })

  test('sees prices by the variant that this browser has as the page comes, by month where it has none', async ({
    page,
  }) => {
    // A page that is never idle is not measured, and keeps what this browser knows.
    await page.addInitScript(() => (window.requestIdleCallback = () => 0))
    const byYear = page.getByRole('group', { name: 'Prices by' }).getByRole('button', { name: /Annual/ })
    const marked = () =>
      page.evaluate(() =>
        performance.getEntriesByName('$exposure').map((mark) => (mark as PerformanceMark).detail as unknown),
      )
    await page.goto('/account/products/choose')
    await expect(page.locator('.price-card').first()).toBeVisible()
    await expect(byYear).toHaveAttribute('aria-pressed', 'false')
    // Settled: the prices by month are shown already, and a variant would have been marked with them.
    expect(await marked()).toEqual([])
    await page.evaluate(() => localStorage.setItem('experiment_variant', 'treatment'))
    await page.reload()
    await expect(byYear).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(marked).toEqual([{ variant: 'treatment' }])
  })
})
