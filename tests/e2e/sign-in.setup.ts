import { writeFileSync } from 'node:fs'
import { signInContext } from '../support/browser-account.ts'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'

/** Returns true for analytics keys. The saved state omits them, so that each test starts its own hour of analytics. */
const isAnalyticsKey = (name: string) => /^(browser_analytics|analytics_|AMP_|EXP_|amp-exp|experiment_)/.test(name)

for (const account of ['owner', 'free'] as const) {
  test(`${account}@example.com signs in for the other specs`, async ({ page, context }) => {
    await signInContext(context, `${account}@example.com`)
    await page.goto('/live')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    // Wait until the page has stored the list of cameras, which other specs start with: it arrives after the tiles.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user-cameras'))).not.toBeNull()
    const { cookies, origins } = await context.storageState()
    const storedOrigins = origins.map(({ origin, localStorage }) => ({
      origin,
      localStorage: localStorage.filter(({ name }) => !isAnalyticsKey(name)),
    }))
    writeFileSync(SIGNED_IN_STATES[account], JSON.stringify({ cookies, origins: storedOrigins }))
  })
}
