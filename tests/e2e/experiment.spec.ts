import type { Page } from 'playwright/test'
import { AUTOMATIC_EVENTS } from '../../contract/telemetry/analytics-events.ts'
import { SECOND_RUN_EXPERIMENT } from '../../scripts/lib/lanes.ts'
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

for (const name of ['owner', 'free']) {
  const tag = name === 'owner' ? [] : '@all'
  const title = `${name} sees prices by their experiment variant from the second page on, is counted once, and loses it at sign-out`
  test(title, { tag }, async ({ page, problems }) => {
    const { sent } = recordAnalytics(page)
    const findEvents = (type: string) =>
      sent.filter(({ event_type, event_properties: { route } }) => event_type === type && route === PLAN_CHOOSER_PATH)
    await runIdleCallbacksAtOnce(page)
    await page.goto('/user/login')
    await signIn(page, `${name}@example.com`)
    await expect(page).toHaveURL(/\/account\/services$/)
    await expect.poll(() => readVariant(page), ANALYTICS_SENT_TIMEOUT).toMatch(/^annual-first (control|treatment)$/)
    const [, variant] = (await readVariant(page))?.split(' ') ?? []
    for (const times of [1, 2]) {
      await page.goto(PLAN_CHOOSER_PATH)
      await expect(findAnnualButton(page)).toHaveAttribute('aria-pressed', String(variant === 'treatment'))
      await pollWhileHiding(page, () => findEvents(AUTOMATIC_EVENTS.pageViewed)).toHaveLength(times)
      await pollWhileHiding(page, () =>
        findEvents(AUTOMATIC_EVENTS.exposure).map((event) => event.event_properties),
      ).toEqual([{ flag_key: experimentName, route: PLAN_CHOOSER_PATH, variant }])
      // Settled: the page stores the variant before it reports the exposure.
      expect(await readVariant(page)).toBe(`${experimentName} ${variant}`)
    }
    await signOut(page)
    await expect(page).toHaveURL('/')
    // Settled: the sign-out deletes the variant with the session, before the home page loads.
    expect(await readVariant(page)).toBeNull()
    expect(findEvents(AUTOMATIC_EVENTS.exposure)).toHaveLength(1)
    // Before the sign-in, the current-user call responds with 401, as for every visitor.
    removeExpectedProblems(problems, SIGNED_OUT_401)
  })
}
