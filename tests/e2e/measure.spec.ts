import { createHash } from 'node:crypto'
import { CAPTURED } from '../../contract/measured.ts'
import { EVENTS } from '../../contract/telemetry.ts'
import { expect, forgive, forgiveToTheEnd, SIGNED_IN, signIn, test } from '../support/e2e.ts'
import { follow, UNTIL_SENT } from '../support/measured-page.ts'
import { REVENUE_TOKEN } from '../support/measured-token.ts'

// What is measured is sent every ten seconds.
test.beforeEach(() => test.slow())

test('ANALYTICS-03 a visitor’s page tells of its session and of the page, by its pattern, once it is idle', async ({
  page,
}) => {
  const { sent, asked } = follow(page)
  await page.goto('/guides/cameras?owner=ann#cellar')
  await expect
    .poll(() => sent.map(({ event_type }) => event_type), UNTIL_SENT)
    .toEqual([CAPTURED.sessionStart, CAPTURED.pageViewed])
  for (const one of sent) {
    expect(one.event_properties).toEqual({ route: '/guides/cameras' })
    expect(one).not.toHaveProperty('user_id')
  }
  expect(new Set(asked)).toEqual(new Set(['/t/config/web-portal', '/t/events']))
  expect(await page.context().cookies()).toEqual([])
})

test('a sign-in that a page of the portal asked for is counted where it comes back', async ({ page, problems }) => {
  const { sent } = follow(page)
  await page.goto('/events')
  await signIn(page, 'owner@example.com')
  await expect(page).toHaveURL(/\/events$/)
  await expect
    .poll(
      () => sent.filter(({ event_properties: { route } }) => route === '/events').map((one) => one.event_type),
      UNTIL_SENT,
    )
    .toEqual(expect.arrayContaining([EVENTS.signInBegun, EVENTS.signedIn]))
  forgive(problems, /401/)
})

test('a page that is signed in tells who, how its pages load, and nothing of what stands on them', async ({
  page,
  problems,
}) => {
  const { sent } = follow(page)
  await page.goto('/user/login')
  await signIn(page, 'owner@example.com')
  await expect(page.getByRole('main')).toBeVisible()
  await expect
    .poll(() => sent.map(({ event_type }) => event_type), UNTIL_SENT)
    .toEqual(expect.arrayContaining([EVENTS.signedIn]))
  await page.goto('/account')
  await expect
    .poll(() => sent.filter(({ event_type }) => event_type === CAPTURED.webVitals).length, UNTIL_SENT)
    .toBeGreaterThan(0)
  expect(new Set(sent.map(({ user_id }) => user_id)).size).toBe(1)
  expect(sent[0]?.user_id).toMatch(/^user_/)
  expect(JSON.stringify(sent)).not.toMatch(/owner@|Front door|http/i)
  forgive(problems, /401/)
})

test.describe('a browser that asks not to be followed', () => {
  for (const [name, ask] of [
    ['Do Not Track', () => Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })],
    [
      'Global Privacy Control',
      () => Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
    ],
  ] as const)
    test(`by ${name} is sent nothing of, nor the libraries`, async ({ page }) => {
      const { asked } = follow(page)
      const scripts: string[] = []
      page.on('request', (request) => void scripts.push(request.url()))
      await page.addInitScript(ask)
      await page.goto('/guides/cameras')
      await expect.poll(() => scripts.some((url) => /\/measure\.[\w-]+\.js/.test(url))).toBe(true)
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
      expect(scripts.filter((url) => /measure-page/.test(url))).toEqual([])
      expect(asked).toEqual([])
    })
})

test('sinks that are dead change nothing and say nothing', async ({ page, problems }) => {
  const said: string[] = []
  page.on('console', (message) => void (message.type() !== 'debug' && said.push(message.text())))
  // The browser's own line about a request that was blocked is not ours.
  const ours = () => said.filter((text) => !/^Failed to load resource: net::/.test(text))
  const refused: string[] = []
  page.on('requestfailed', (request) => void refused.push(request.url()))
  await page.route('**/t/**', (route) => route.abort())
  await page.goto('/guides/cameras')
  await expect.poll(() => refused.some((url) => url.endsWith('/t/events')), UNTIL_SENT).toBe(true)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(ours()).toEqual([])
  forgiveToTheEnd(problems, /Failed to load resource: net::|\/t\//)
  expect(problems).toEqual([])
})

test('ANALYTICS-01 tracking of revenue is not started for somebody who is not signed in', async ({ page }) => {
  const { asked } = follow(page)
  // Left over from a session that has ended by itself.
  await page.addInitScript(() => window === top && localStorage.setItem('email', 'owner@example.com'))
  await page.goto('/guides/cameras')
  await expect.poll(() => asked, UNTIL_SENT).toContain('/t/events')
  expect(asked).not.toContain('/t/revenue')
})

test.describe('somebody who is signed in', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('ANALYTICS-01 has the revenue script started for their e-mail, which stays in the page', async ({ page }) => {
    const [told] = await Promise.all([page.waitForRequest('**/t/revenue'), page.goto('/account')])
    const person = createHash('sha256').update('owner@example.com').digest('hex')
    expect(told.postDataJSON()).toEqual({ token: REVENUE_TOKEN, person })
    expect((await told.response())?.ok()).toBe(true)
  })

  test('ANALYTICS-01 has it started after the first hour of the browser too, which ends the measuring of pages only', async ({
    page,
  }) => {
    const { asked } = follow(page)
    await page.addInitScript(() => window === top && localStorage.setItem('browser_analytics_opt_out_due', '1'))
    const [told] = await Promise.all([page.waitForRequest('**/t/revenue'), page.goto('/account')])
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
    await expect(page.getByText('You have this')).toBeVisible()
    await expect(byYear).toHaveAttribute('aria-pressed', 'false')
    expect(await marked()).toEqual([])
    await page.evaluate(() => localStorage.setItem('experiment_variant', 'treatment'))
    await page.reload()
    await expect(byYear).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(marked).toEqual([{ variant: 'treatment' }])
  })
})
