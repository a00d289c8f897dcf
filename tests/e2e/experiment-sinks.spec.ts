import type { Browser, Page } from 'playwright/test'
import { expect, ignoreProblemsUntilEnd, SIGNED_IN_STATES, test, routeThroughProxy } from '../support/e2e.ts'
import { openFaultProxy, type Fault } from '../support/fault-proxy.ts'
import { MACHINE_FACTOR } from '../support/machine.ts'
import { runIdleCallbacksAtOnce, pollWhileHiding, ANALYTICS_SENT_TIMEOUT } from '../support/measured-page.ts'
import type { ExpectedProblem } from '../support/problems.ts'

/** Faults of the analytics endpoints (sinks). null: the browser blocks the sinks or the analytics scripts. */
const SINK_FAULTS: readonly [name: string, fault: Fault | null][] = [
  ['blocked', null],
  ['no scripts', null],
  ['down', { kind: 'reset' }],
  ['silent', { kind: 'hang' }],
  ['cut off', { kind: 'lose' }],
  ['broken', { kind: 'answer', status: 500, body: 'x' }],
  ['a page of somebody else', { kind: 'answer', status: 200, type: 'text/html', body: '<h1>Hi</h1>' }],
  ['JSON of another kind', { kind: 'answer', status: 200, body: '{ "configs": 7, "code": "200", "flags": [null] }' }],
  ['too busy', { kind: 'answer', status: 429, body: '{ "code": 429, "msg": "Later." }' }],
]
/**
 * Path prefix of a visit's last request, for faults that stop analytics before it sends events. All other visits end
 * with a request to the event sink.
 */
const LAST_PATH_PREFIX: Readonly<Record<string, string>> = {
  'JSON of another kind': '/t/config/',
  'no scripts': '/_astro/start-analytics.',
}
/** Faults that `npm test` covers: blocked sinks, blocked scripts, and a wrong response. */
const DEFAULT_RUN_FAULTS = ['blocked', 'no scripts', 'a page of somebody else']
const SINK_GLOB = '**/t/**'
const SINK_PATH = /^\/t\/(events|errors|revenue|config\/web-portal|experiment\/.+)$/
const ANALYTICS_SCRIPTS = /\/_astro\/(start-analytics|page-analytics|amplitude-clients|device-collector)\.[\w-]+\.js$/
/** Problems that the browser reports when sinks or analytics scripts fail. */
const BROWSER_PROBLEMS: readonly ExpectedProblem[] = [
  { network: /net::ERR_(BLOCKED_BY_CLIENT|EMPTY_RESPONSE|CONNECTION_\w+)/, path: SINK_PATH },
  { status: [429, 500], path: SINK_PATH },
  { network: /net::ERR_BLOCKED_BY_CLIENT/, path: ANALYTICS_SCRIPTS },
]

test.use({ storageState: SIGNED_IN_STATES.owner })

/** Opens a page with failing sinks, waits for its last request, and uses the page. Returns the console messages. */
async function visitPlanPage(page: Page, name: string, lastPathPrefix: string): Promise<string[]> {
  const messages: string[] = []
  page.on('console', (message) => void (message.type() !== 'debug' && messages.push(message.text())))
  const paths: string[] = []
  page.on('request', (request) => void paths.push(new URL(request.url()).pathname))
  await runIdleCallbacksAtOnce(page)
  await page.goto('/account/products/choose')
  await pollWhileHiding(page, () => paths.some((path) => path.startsWith(lastPathPrefix)), name).toBe(true)
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await page.getByRole('button', { name: 'Monthly' }).click()
  await expect(page.locator('.price-card').nth(1)).toContainText('$2.99')
  await page.getByRole('button', { name: 'Annual' }).click()
  await expect(page.locator('.price-card').nth(1)).toContainText('$29.99')
  await expect(page.getByRole('alert')).toHaveCount(0)
  return messages
}

/** Visits the page in a new browser context, which has no unsent events of other visits. */
async function visitInNewContext(browser: Browser, baseURL: string, [name, fault]: (typeof SINK_FAULTS)[number]) {
  const context = await browser.newContext({ storageState: SIGNED_IN_STATES.owner, baseURL })
  const [page, proxy] = [await context.newPage(), await openFaultProxy()]
  if (fault === null)
    await page.route(name === 'no scripts' ? ANALYTICS_SCRIPTS : SINK_GLOB, (route) => route.abort('blockedbyclient'))
  else {
    proxy.fail('/t/', fault)
    await routeThroughProxy(page, proxy, SINK_GLOB)
  }
  const messages = await visitPlanPage(page, name, LAST_PATH_PREFIX[name] ?? '/t/events')
  await context.close()
  await proxy.close()
  return [name, messages] as const
}

for (const [condition, tag, faults] of [
  ['blocked or answered by an unrelated page', [], SINK_FAULTS.filter(([name]) => DEFAULT_RUN_FAULTS.includes(name))],
  ['failing in any other way', ['@all'], SINK_FAULTS.filter(([name]) => !DEFAULT_RUN_FAULTS.includes(name))],
] as const) {
  const title = `sinks and scripts that are ${condition} change nothing on a page, which says nothing of them`
  test(title, { tag: [...tag] }, async ({ browser, baseURL, problems }) => {
    const visit = (fault: (typeof faults)[number]) => visitInNewContext(browser, baseURL ?? '', fault)
    const visits: (readonly [string, string[]])[] = []
    // On a slow machine, calls of simultaneous visits would exceed the edge's time limit, which tests do not scale.
    if (MACHINE_FACTOR < 2) visits.push(...(await Promise.all(faults.map(visit))))
    else for (const fault of faults) visits.push(await visit(fault))
    // Ignores the browser's own console line about a failed request.
    for (const [name, lines] of visits)
      expect([name, lines.filter((text) => !/^Failed to load resource: /.test(text))]).toEqual([name, []])
    ignoreProblemsUntilEnd(problems, ...BROWSER_PROBLEMS)
  })
}

/** Personal words that analytics must not send. Each URL below contains a personal word in its query or fragment. */
const PERSONAL_WORDS = ['canary', 'owner@', 'Front door', 'front-door', 'cam_']
const URLS_WITH_PERSONAL_WORDS = [
  '/events?search=a+canary+in+the+hall&cameras=cam_canary',
  '/events?event=ev_canary',
  '/live?camera=cam_canary',
  '/account/redeem/choose?coupon=CANARY10',
  '/account/services#canary',
  '/guides/cameras?deviceId=canary-device&ampDeviceId=canary-device&utm_source=canary',
]

test('sinks receive no personal words, names or addresses, and the browser queues none', async ({ page }) => {
  const payloads: string[] = []
  const routes = new Set<unknown>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/t/')) return
    const person = request.headers()['x-amp-exp-user'] ?? ''
    const body = request.postData() ?? ''
    payloads.push([request.url(), Buffer.from(person, 'base64url').toString(), body].join('\n'))
    if (pathname !== '/t/events') return
    const { events } = request.postDataJSON() as { events: { event_properties: { route: string } }[] }
    for (const { event_properties } of events) routes.add(event_properties.route)
  })
  /** Returns the text of all analytics entries in the browser's storage, including events that are not sent yet. */
  const readAnalyticsStorage = () =>
    page.evaluate(() =>
      Object.entries({ ...localStorage, ...sessionStorage })
        .filter(([key]) => /^(AMP|EXP|amp-|analytics|experiment)/.test(key))
        .join('\n'),
    )
  const viewIds = new Set<string>()
  /** Counts the distinct page views, by event id, that the browser has sent or still stores for sending. */
  const countViews = async () => {
    for (const text of [await readAnalyticsStorage(), ...payloads])
      for (const [, id = ''] of text.matchAll(/"\[Amplitude\] Page Viewed","insert_id":"([^"]+)"/g)) viewIds.add(id)
    return viewIds.size
  }
  await runIdleCallbacksAtOnce(page)
  for (const [index, url] of URLS_WITH_PERSONAL_WORDS.entries()) {
    await page.goto(url)
    await expect.poll(countViews, ANALYTICS_SENT_TIMEOUT).toBeGreaterThan(index)
    for (const text of [...payloads, await readAnalyticsStorage()])
      for (const canary of PERSONAL_WORDS) expect(text.toLowerCase()).not.toContain(canary.toLowerCase())
  }
  await pollWhileHiding(page, () => [...routes]).toEqual(
    expect.arrayContaining(['/events', '/live', '/guides/cameras']),
  )
})
