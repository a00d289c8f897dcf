import type { Page } from 'playwright/test'
import { AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../contract/telemetry/telemetry-calls.ts'
import { expect, ignoreProblemsUntilEnd, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import {
  ANALYTICS_SENT_TIMEOUT,
  expectNoAnalytics,
  pollWhileHiding,
  recordAnalytics,
  recordScriptUrls,
  runIdleCallbacksAtOnce,
} from '../support/measured-page.ts'

const PUBLIC_PATH = '/guides/cameras'

test.use({ storageState: SIGNED_IN_STATES.owner })

/** The deployment under test has this setting of the environment too. */
const library = process.env['ANALYTICS_LIBRARY'] ?? ''
const name = library === '' ? 'the own analytics' : 'the analytics library'

/** Sets the marks that pages set: an exposure to the stored variant of the sample, and a purchase. */
const markPurchase = (page: Page) =>
  page.evaluate(() => {
    const [flag, variant] = localStorage.getItem('experiment_variant')?.split(' ') ?? []
    for (let n = 0; n < 2; n++) performance.mark('$exposure', { detail: { flag, variant } })
    performance.mark('Bought', { detail: { plan: 'unlimited', period: 'annual' } })
  })

const waitForVariant = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => localStorage.getItem('experiment_variant')), ANALYTICS_SENT_TIMEOUT)
    .toMatch(/^sample (control|treatment)$/)

/** Returns the queue of unsent events as text; '' if it is empty. */
const readUnsent = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith('AMP_unsent_web-portal'))
      .join(' '),
  )

test(`ANALYTICS-01 ANALYTICS-08 with ${name}, a visit, an exposure and a purchase count once, offline and after reloads`, async ({
  page,
  context,
  problems,
}) => {
  const { sent, requestedPaths } = recordAnalytics(page)
  const countSent = (type: string) => sent.filter(({ event_type }) => event_type === type).length
  const countRequests = (path: string) => requestedPaths.filter((requested) => requested === path).length
  const scripts = recordScriptUrls(page)
  await runIdleCallbacksAtOnce(page)
  const revenue = page.waitForRequest('**/t/revenue')
  await page.goto(PUBLIC_PATH)
  await revenue
  await waitForVariant(page)
  await pollWhileHiding(page, () => countSent(AUTOMATIC_EVENTS.pageViewed)).toBe(1)
  expect(scripts.some((url) => url.includes('/amplitude-clients.'))).toBe(library !== '')
  // Settled: the page view was accepted, so that the page sends nothing more before the next event.
  await expect.poll(() => readUnsent(page)).toBe('')
  await context.setOffline(true)
  await markPurchase(page)
  await expect.poll(() => readUnsent(page)).toMatch(/exposure.*Bought|Bought.*exposure/)
  const before = countRequests('/t/events')
  await pollWhileHiding(page, () => countRequests('/t/events')).toBe(before)
  await context.setOffline(false)
  await expect.poll(() => countSent(ANALYTICS_EVENTS.bought), ANALYTICS_SENT_TIMEOUT).toBe(1)
  await page.reload()
  await pollWhileHiding(page, () => countSent(AUTOMATIC_EVENTS.pageViewed)).toBe(2)
  await markPurchase(page)
  await pollWhileHiding(page, () => countSent(ANALYTICS_EVENTS.bought)).toBe(2)
  // The tab has already reported its exposure.
  expect(countSent(AUTOMATIC_EVENTS.exposure)).toBe(1)
  expect(countRequests('/t/revenue')).toBe(2)
  ignoreProblemsUntilEnd(problems, { network: /net::ERR_INTERNET_DISCONNECTED/, path: /./ })
})

test(`ANALYTICS-08 with ${name}, a purchase immediately before the next page is counted once`, async ({ page }) => {
  const { sent } = recordAnalytics(page)
  const countBought = () => sent.filter(({ event_type }) => event_type === ANALYTICS_EVENTS.bought).length
  await runIdleCallbacksAtOnce(page)
  await page.goto(PUBLIC_PATH)
  await waitForVariant(page)
  await markPurchase(page)
  await page.goto('/privacy')
  await pollWhileHiding(page, countBought).toBe(1)
  await pollWhileHiding(page, () =>
    sent.some(
      ({ event_properties: { route }, event_type }) =>
        route === '/privacy' && event_type === AUTOMATIC_EVENTS.pageViewed,
    ),
  ).toBe(true)
  expect(countBought()).toBe(1)
})

test(`ANALYTICS-07 with ${name}, a browser that opted out sends and stores nothing`, async ({ page }) => {
  const { requestedPaths } = recordAnalytics(page)
  const scripts = recordScriptUrls(page)
  await page.addInitScript(() => window === top && localStorage.setItem('browser_analytics_opt_out', '1'))
  await page.goto(PUBLIC_PATH)
  await expectNoAnalytics(page, scripts)
  expect(requestedPaths).toEqual([])
  // Settled: `expectNoAnalytics` has waited until analytics decided not to start.
  const keys = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }))
  expect(keys.filter((key) => /^(AMP|EXP|amp-|analytics|experiment)/.test(key))).toEqual([])
})
