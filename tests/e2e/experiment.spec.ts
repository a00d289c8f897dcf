import type { Page } from 'playwright/test'
import { CAPTURED } from '../../contract/telemetry/analytics-events.ts'
import { EXPERIMENT } from '../../scripts/lib/lanes.ts'
import { expect, forgive, logOut, signIn, test, VISITOR } from '../support/e2e.ts'
import { recordAnalytics, giveIdleTime, pollHiding, UNTIL_SENT } from '../support/measured-page.ts'

const experiment = EXPERIMENT
const readVariant = (page: Page) => page.evaluate(() => localStorage.getItem('experiment_variant'))
const byYear = (page: Page) => page.getByRole('group', { name: 'Prices by' }).getByRole('button', { name: /Annual/ })

const CHOOSER = '/account/products/choose'

for (const name of ['owner', 'free']) {
  const tag = name === 'owner' ? [] : '@all'
  const title = `${name} sees the form that is theirs from the second page on, is counted once, and takes it along`
  test(title, { tag }, async ({ page, problems }) => {
    const { sent } = recordAnalytics(page)
    const findEvents = (type: string) =>
      sent.filter(({ event_type, event_properties: { route } }) => event_type === type && route === CHOOSER)
    await giveIdleTime(page)
    await page.goto('/user/login')
    await signIn(page, `${name}@example.com`)
    await expect(page).toHaveURL(/\/account\/services$/)
    await expect.poll(() => readVariant(page), UNTIL_SENT).toMatch(/^annual-first (control|treatment)$/)
    const [, variant] = (await readVariant(page))?.split(' ') ?? []
    for (const times of [1, 2]) {
      await page.goto(CHOOSER)
      await expect(byYear(page)).toHaveAttribute('aria-pressed', String(variant === 'treatment'))
      await pollHiding(page, () => findEvents(CAPTURED.pageViewed)).toHaveLength(times)
      await pollHiding(page, () => findEvents(CAPTURED.exposure).map((event) => event.event_properties)).toEqual([
        { flag_key: experiment, route: CHOOSER, variant },
      ])
      // Settled: the page told of the exposure after it had kept the variant.
      expect(await readVariant(page)).toBe(`${experiment} ${variant}`)
    }
    await logOut(page)
    await expect(page).toHaveURL('/')
    // Settled: the variant goes with the session, before the home page comes.
    expect(await readVariant(page)).toBeNull()
    expect(findEvents(CAPTURED.exposure)).toHaveLength(1)
    // Before the sign-in, the current-user call responds with 401, as for every visitor.
    forgive(problems, VISITOR)
  })
}
