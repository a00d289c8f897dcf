import type { Locator, Page } from 'playwright/test'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { scaleTimeout } from '../support/machine.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

/** Route, scripts that fail at first, an element visible without these scripts, and an element that needs them. */
const LAZY_PAGES: [
  path: string,
  scripts: RegExp,
  without: (page: Page) => Locator,
  withThem: (page: Page) => Locator,
][] = [
  [
    '/live',
    /\/_astro\/parts-chunk\./,
    (page) => page.getByRole('heading', { name: 'Front door' }),
    (page) => page.getByText(/[1-6] of 6 live/),
  ],
  [
    '/events',
    /\/_astro\/[\w-]+-chunk\./,
    (page) => page.getByRole('main').getByRole('listitem').first(),
    (page) => page.getByRole('grid', { name: /^Timeline/ }),
  ],
  [
    '/account',
    /\/_astro\/(page-chunk|below-fold-chunk)\./,
    (page) => page.getByRole('region', { name: 'Your plan' }),
    (page) => page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem').first(),
  ],
]

for (const [path, scripts, findWithoutScripts, findWithScripts] of LAZY_PAGES)
  test(
    `${path} recovers after the connection was lost before all scripts had loaded`,
    { tag: path === '/events' ? [] : '@all' },
    async ({ page, problems }) => {
      let failedRequests = 0
      await page.route(scripts, (route) => (++failedRequests, route.abort('internetdisconnected')))
      // Aborts the page's HEAD request too: if the server responded, the page would reload to get the scripts.
      await page.route(
        (url) => url.pathname === path,
        (route) => (route.request().method() === 'HEAD' ? route.abort('internetdisconnected') : route.fallback()),
      )
      await page.goto(path)
      await expect(findWithoutScripts(page)).toBeVisible()
      await expect.poll(() => failedRequests).toBeGreaterThan(1)
      await page.unroute(scripts)
      await page.evaluate(() => dispatchEvent(new Event('online')))
      await expect(findWithScripts(page)).toBeVisible()
      await expect(findWithoutScripts(page)).toBeVisible()
      removeExpectedProblems(problems, { network: /ERR_INTERNET_DISCONNECTED/ })
    },
  )

test(
  'a page with a permanently missing script reloads once and shows its available content',
  { tag: '@all' },
  async ({ page, problems }) => {
    test.slow()
    let [lost, loads] = [0, 0]
    // Count DOMContentLoaded, not load: images may still be loading when the page reloads.
    page.on('domcontentloaded', () => (loads += 1))
    await page.route(/\/_astro\/parts-chunk\./, (route) => (++lost, route.abort()))
    await page.goto('/live')
    await expect.poll(() => loads).toBe(2)
    const failedBefore = lost
    // The delay before each retry doubles, from 0.5 s up to 15 s, so this wait needs a long timeout.
    await expect.poll(() => lost, { timeout: scaleTimeout(45_000) }).toBeGreaterThan(failedBefore + 3)
    expect(loads).toBe(2)
    await expect(page.getByRole('heading', { name: 'Front door' })).toBeVisible()
    removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /^\/_astro\/parts-chunk\./ })
  },
)
