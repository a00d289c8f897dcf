import type { Page } from 'playwright/test'
import { expect, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { scaleTimeout } from '../support/machine.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const readLoggedRequests = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (JSON.parse(localStorage.getItem('action_log') ?? '[]') as { method: string; url: string }[]).map(
      ({ method, url }) => `${method} ${url.split('/').at(-1)}`,
    ),
  )

const EARLY_REQUESTS = {
  '/live': ['GET me', 'GET home', 'POST get-home-devices', 'POST get-streams'],
  '/events': ['GET me', 'POST history'],
}

for (const [path, earlyRequests] of Object.entries(EARLY_REQUESTS)) {
  test(
    `LOG-01 OPEN-137 the action log contains the early requests of the ${path} document`,
    { tag: '@all' },
    async ({ page }) => {
      // Deletes the entries that the sign-in left in the log. Skips the device collector's frame, because only the top
      // page has the log.
      await page.addInitScript(() => window === top && localStorage.removeItem('action_log'))
      await page.goto(path)
      await expect
        .poll(() => readLoggedRequests(page), { timeout: scaleTimeout(20_000) })
        .toEqual(expect.arrayContaining(earlyRequests))
      // Settled: the page requests `me` before the requests that were awaited above.
      expect((await readLoggedRequests(page)).filter((line) => line === 'GET me')).toHaveLength(1)
    },
  )
}

test(
  'events of the selected days are requested immediately, and today’s are not',
  { tag: '@all' },
  async ({ page }) => {
    const endTimes: number[] = []
    page.on('request', (request) => {
      if (/event\/history$|get-event-list$/.test(new URL(request.url()).pathname))
        endTimes.push((request.postDataJSON() as { end_time: number }).end_time)
    })
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
    await page.goto(`/events?from=${day}&to=${day}`)
    await expect.poll(() => endTimes.length, { timeout: scaleTimeout(20_000) }).toBeGreaterThan(0)
    await expect(page.getByRole('heading').first()).toBeVisible()
    const midnight = new Date().setHours(0, 0, 0, 0)
    expect(endTimes.filter((end) => end > midnight)).toEqual([])
  },
)
