import { writeFileSync } from 'node:fs'
import { expect, SIGNED_IN, signIn, test } from '../support/e2e.ts'

for (const account of ['owner', 'free'] as const) {
  test(`${account}@example.com signs in for the other specs`, async ({ page, problems }) => {
    await page.goto('/live')
    await signIn(page, `${account}@example.com`)
    await expect(page).toHaveURL(/\/live$/)
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    // Kept once the own home has answered, which is after the first tiles: other specs begin with it.
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user-cameras'))).not.toBeNull()
    // The first visit is signed out: the browser reports the 401 of the current-user call.
    problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')))
    // The hour in which a browser is measured begins with each test anew.
    const measured = (name: string) => /^(browser_analytics|analytics_|AMP_|EXP_|amp-exp|experiment_)/.test(name)
    const { cookies, origins } = await page.context().storageState()
    const kept = origins.map(({ origin, localStorage }) => ({
      origin,
      localStorage: localStorage.filter(({ name }) => !measured(name)),
    }))
    writeFileSync(SIGNED_IN[account], JSON.stringify({ cookies, origins: kept }))
  })
}
