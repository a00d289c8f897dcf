import { writeFileSync } from 'node:fs'
import { signInContext } from '../support/browser-account.ts'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'

/** The hour in which a browser is measured begins with each test. */
const isMeasured = (name: string) => /^(browser_analytics|analytics_|AMP_|EXP_|amp-exp|experiment_)/.test(name)

for (const account of ['owner', 'free'] as const) {
  test(`${account}@example.com signs in for the other specs`, async ({ page, context }) => {
    await signInContext(context, `${account}@example.com`)
    await page.goto('/live')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    // Kept once the own home has answered, which is after the first tiles: other specs begin with it.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user-cameras'))).not.toBeNull()
    const { cookies, origins } = await context.storageState()
    const storedOrigins = origins.map(({ origin, localStorage }) => ({
      origin,
      localStorage: localStorage.filter(({ name }) => !isMeasured(name)),
    }))
    writeFileSync(SIGNED_IN[account], JSON.stringify({ cookies, origins: storedOrigins }))
  })
}
