import { expect, forgive, test } from '../support/e2e.ts'
import { COLLECTED, enter, leaveForSignIn, READABLE } from '../support/collector-page.ts'
import type { Fault } from '../support/fault-proxy.ts'

const pageOf = (status: number): Fault => ({
  kind: 'answer',
  status,
  body: '<h1>Nothing here</h1>',
  type: 'text/html',
  headers: READABLE,
})
/** What may be at the place of the device collector's host. */
const HOSTS: readonly (readonly [string, Fault | 'blockedbyclient'])[] = [
  ['hangs up', { kind: 'reset' }],
  ['a filter blocks', 'blockedbyclient'],
  ['never answers', { kind: 'hang' }],
  ['fails', pageOf(500)],
  ['answers with a page of something else', pageOf(200)],
]

for (const [trouble, fault] of HOSTS)
  test(`FRAUD-37 a sign-in does not wait for a host that ${trouble}, and the page says nothing of it`, async ({
    page,
    problems,
    faults,
  }) => {
    const configs: string[] = []
    page.on('request', (request) => void (request.url().includes('/cs/config') && configs.push(request.url())))
    if (fault !== 'blockedbyclient') faults.fail('/', fault)
    await page.route(COLLECTED, (route) => {
      if (fault === 'blockedbyclient') return route.abort(fault)
      const { pathname, search } = new URL(route.request().url())
      return route.continue({ url: faults.origin + pathname + search })
    })
    await leaveForSignIn(page)
    await enter(page)
    await expect.poll(() => configs).toHaveLength(1)
    // A minute passes before the next page tries again.
    const loaded = page.waitForResponse((response) => /\/collector\.[\w-]+\.js/.test(response.url()))
    await page.goto('/account')
    await loaded
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    expect(configs).toHaveLength(1)
    await expect(page.locator('iframe')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    const value = await page.evaluate(() => [
      localStorage.getItem('browser_first_party'),
      document.cookie.includes('browser_first_party'),
    ])
    expect(value).toEqual([null, false])
    // The browser itself notes each request that came to nothing.
    forgive(problems, /401|net::ERR_EMPTY_RESPONSE|net::ERR_CONNECTION_\w+|net::ERR_BLOCKED_BY_CLIENT|status of 500/)
  })
