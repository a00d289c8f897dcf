import { writeFileSync } from 'node:fs'
import { signInContext } from '../support/browser-account.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

/**
 * Returns true for keys of analytics and experiments. The saved state omits these keys, so that the hour of test
 * tracking (ANALYTICS-06) starts again in each test.
 */
const isAnalyticsKey = (name: string) => /^(browser_analytics|analytics_|AMP_|EXP_|amp-exp|experiment_)/.test(name)

for (const account of ['owner', 'free'] as const) {
  test(`${account}@example.com signs in for the other specs`, async ({ page, context }) => {
    await signInContext(context, `${account}@example.com`)
    await page.goto('/live')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    // Wait until the page has stored the camera list, which arrives after the tiles. Other specs start with this stored
    // list.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user-cameras'))).not.toBeNull()
    const { cookies, origins } = await context.storageState()
    const storedOrigins = origins.map(({ origin, localStorage }) => ({
      origin,
      localStorage: localStorage.filter(({ name }) => !isAnalyticsKey(name)),
    }))
    writeFileSync(SIGNED_IN_STATES[account], JSON.stringify({ cookies, origins: storedOrigins }))
  })
}
