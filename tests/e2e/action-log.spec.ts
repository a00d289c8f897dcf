import type { Page } from 'playwright/test'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { scaled } from '../support/machine.ts'

test.use({ storageState: SIGNED_IN.owner })

/** Returns the requests in this browser's action log: method and last path segment. */
const logged = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (JSON.parse(localStorage.getItem('action_log') ?? '[]') as { method: string; url: string }[]).map(
      ({ method, url }) => `${method} ${url.split('/').at(-1)}`,
    ),
  )

const FIRST = {
  '/live': ['GET me', 'GET home', 'POST get-home-devices', 'POST get-streams'],
  '/events': ['GET me', 'POST history'],
}

for (const [path, first] of Object.entries(FIRST)) {
  test(
    `LOG-01 OPEN-137 the action log contains the early requests of the ${path} document`,
    { tag: '@all' },
    async ({ page }) => {
      // Deletes the entries that the sign-in left in the log. `window === top` skips the device collector's frame,
      // which has no storage.
      await page.addInitScript(() => window === top && localStorage.removeItem('action_log'))
      await page.goto(path)
      await expect.poll(() => logged(page), { timeout: scaled(20_000) }).toEqual(expect.arrayContaining(first))
      // Settled: the page asks who is signed in first, and then for what was awaited above.
      expect((await logged(page)).filter((line) => line === 'GET me')).toHaveLength(1)
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
    await expect.poll(() => endTimes.length, { timeout: scaled(20_000) }).toBeGreaterThan(0)
    await expect(page.getByRole('heading').first()).toBeVisible()
    const midnight = new Date().setHours(0, 0, 0, 0)
    expect(endTimes.filter((end) => end > midnight)).toEqual([])
  },
)
