import type { Page } from 'playwright/test'
import { AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import { SECOND_RUN_EXPERIMENT } from '../../scripts/lib/lanes.ts'
import { createAccount, PASSWORD } from '../support/browser-account.ts'
import { expect, removeExpectedProblems, signOut, signIn, test, SIGNED_OUT_401 } from '../support/e2e.ts'
import {
  recordAnalytics,
  runIdleCallbacksAtOnce,
  pollWhileHiding,
  ANALYTICS_SENT_TIMEOUT,
} from '../support/measured-page.ts'

const experimentName = SECOND_RUN_EXPERIMENT
const readVariant = (page: Page) => page.evaluate(() => localStorage.getItem('experiment_variant'))
const findAnnualButton = (page: Page) =>
  page.getByRole('group', { name: 'Billing period' }).getByRole('button', { name: /Annual/ })

const PLAN_CHOOSER_PATH = '/account/products/choose'

const ACCOUNTS = [
  {
    name: null,
    title: 'an account without a plan sees prices by its variant from the second page on, is counted once,',
  },
  { name: 'owner', title: 'the owner of a plan sees prices by the period of the plan, is not counted,' },
] as const

for (const { name, title } of ACCOUNTS) {
  const tag = name === null ? [] : '@all'
  test(`${title} and loses the variant at sign-out`, { tag }, async ({ page, problems }) => {
    const { sent } = recordAnalytics(page)
    const findEvents = (type: string) =>
      sent.filter(({ event_type, event_properties: { route } }) => event_type === type && route === PLAN_CHOOSER_PATH)
    await runIdleCallbacksAtOnce(page)
    await page.goto('/user/login')
    if (name === null) await signIn(page, await createAccount('experiment'), PASSWORD)
    else await signIn(page, `${name}@example.com`)
    await expect(page).toHaveURL(/\/account\/services$/)
    await expect.poll(() => readVariant(page), ANALYTICS_SENT_TIMEOUT).toMatch(/^annual-first (control|treatment)$/)
    const [, variant] = (await readVariant(page))?.split(' ') ?? []
    const isAnnual = name === 'owner' || variant === 'treatment'
    const exposures = name === 'owner' ? [] : [{ flag_key: experimentName, route: PLAN_CHOOSER_PATH, variant }]
    for (const times of [1, 2]) {
      await page.goto(PLAN_CHOOSER_PATH)
      await expect(page.locator('.price-card').first()).toBeVisible()
      await expect(findAnnualButton(page)).toHaveAttribute('aria-pressed', String(isAnnual))
      await pollWhileHiding(page, () => findEvents(AUTOMATIC_EVENTS.pageViewed)).toHaveLength(times)
      await pollWhileHiding(page, () =>
        findEvents(AUTOMATIC_EVENTS.exposure).map((event) => event.event_properties),
      ).toEqual(exposures)
      // Settled: the page stores the variant before it reports the exposure.
      expect(await readVariant(page)).toBe(`${experimentName} ${variant}`)
    }
    await signOut(page)
    await expect(page).toHaveURL('/')
    // Settled: the sign-out deletes the variant with the session, before the home page loads.
    expect(await readVariant(page)).toBeNull()
    expect(findEvents(AUTOMATIC_EVENTS.exposure)).toHaveLength(exposures.length)
    // Before the sign-in, the current-user call responds with 401, as for every visitor.
    removeExpectedProblems(problems, SIGNED_OUT_401)
  })
}
