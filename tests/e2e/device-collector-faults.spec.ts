import { expect, ignoreProblemsUntilEnd, test, SIGNED_OUT_401 } from '../support/e2e.ts'
import { COLLECTOR_URL_PATTERN, signInToPortal, openSignInPage, CORS_HEADERS } from '../support/collector-page.ts'
import type { Fault } from '../support/fault-proxy.ts'
import type { ExpectedProblem } from '../support/problems.ts'

const createPageFault = (status: number): Fault => ({
  kind: 'answer',
  status,
  body: '<h1>Nothing here</h1>',
  type: 'text/html',
  headers: CORS_HEADERS,
})
const COLLECTOR_PATH = /^\/(cs\/\w+|session\/\w+|logo\.htm|fin)$/
/** Faults of the device collector's host, and the problems that the browser reports for each. */
const HOST_FAULTS: readonly (readonly [
  trouble: string,
  fault: Fault | 'blockedbyclient',
  noted: readonly ExpectedProblem[],
])[] = [
  ['never answers', { kind: 'hang' }, []],
  ['hangs up', { kind: 'reset' }, [{ network: /net::ERR_(EMPTY_RESPONSE|CONNECTION_\w+)/, path: COLLECTOR_PATH }]],
  ['a filter blocks', 'blockedbyclient', [{ network: /net::ERR_BLOCKED_BY_CLIENT/, path: COLLECTOR_PATH }]],
  ['fails', createPageFault(500), [{ status: 500, path: COLLECTOR_PATH }]],
  ['responds with an unrelated page', createPageFault(200), []],
]

// `npm test` runs only the fault that delays a page the longest, because
// tests/unit/services/device-collector/collector-sessions.test.ts covers the same rule.
for (const [trouble, fault, browserProblems] of HOST_FAULTS) {
  const tag = trouble === 'never answers' ? [] : '@all'
  const title = `FRAUD-37 a sign-in does not wait for a host that ${trouble}, and the page says nothing of it`
  test(title, { tag }, async ({ page, problems, faults }) => {
    const configs: string[] = []
    page.on('request', (request) => void (request.url().includes('/cs/config') && configs.push(request.url())))
    if (fault !== 'blockedbyclient') faults.fail('/', fault)
    await page.route(COLLECTOR_URL_PATTERN, (route) => {
      if (fault === 'blockedbyclient') return route.abort(fault)
      const { pathname, search } = new URL(route.request().url())
      return route.continue({ url: faults.origin + pathname + search })
    })
    await openSignInPage(page)
    await signInToPortal(page)
    await expect.poll(() => configs).toHaveLength(1)
    // The next page sends no request, because the collector retries only after a minute.
    const collectorScript = page.waitForResponse((response) => /\/device-collector\.[\w-]+\.js/.test(response.url()))
    await page.goto('/account')
    await collectorScript
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
    expect(configs).toHaveLength(1)
    await expect(page.locator('iframe')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    const value = await page.evaluate(() => [
      localStorage.getItem('browser_first_party'),
      document.cookie.includes('browser_first_party'),
    ])
    // Settled: the collector has given up on this host, so it stores no value.
    expect(value).toEqual([null, false])
    ignoreProblemsUntilEnd(problems, SIGNED_OUT_401, ...browserProblems)
  })
}
