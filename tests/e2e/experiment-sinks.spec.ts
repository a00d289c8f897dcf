import type { Browser, Page } from 'playwright/test'
import { expect, forgiveToTheEnd, SIGNED_IN, test, throughProxy } from '../support/e2e.ts'
import { openFaultProxy, type Fault } from '../support/fault-proxy.ts'
import { giveIdleTime, pollHiding, UNTIL_SENT } from '../support/measured-page.ts'
import type { Provoked } from '../support/problems.ts'

/** Faults of requests to the sinks; null: the browser blocks the sinks or Porchlight's scripts. */
const FAULTS: readonly [name: string, fault: Fault | null][] = [
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
const LAST: Readonly<Record<string, string>> = {
  'JSON of another kind': '/t/config/',
  'no scripts': '/_astro/start-analytics.',
}
/** Faults that the gate tests: blocked sinks, blocked scripts, and a wrong response. */
const IN_GATE = ['blocked', 'no scripts', 'a page of somebody else']
const SINKS = '**/t/**'
const SINK = /^\/t\/(events|errors|revenue|config\/web-portal|experiment\/.+)$/
const SCRIPTS = /\/_astro\/(start-analytics|page-analytics|device-collector)\.[\w-]+\.js$/
/** Problems that the browser reports for these faults. */
const NOTED: readonly Provoked[] = [
  { network: /net::ERR_(BLOCKED_BY_CLIENT|EMPTY_RESPONSE|CONNECTION_\w+)/, path: SINK },
  { status: [429, 500], path: SINK },
  { network: /net::ERR_BLOCKED_BY_CLIENT/, path: SCRIPTS },
]

test.use({ storageState: SIGNED_IN.owner })

/**
 * Opens a page with failing sinks, waits for its request to `last`, and then uses the page. Returns its console
 * messages.
 */
async function visit(page: Page, name: string, last: string): Promise<string[]> {
  const messages: string[] = []
  page.on('console', (message) => void (message.type() !== 'debug' && messages.push(message.text())))
  const paths: string[] = []
  page.on('request', (request) => void paths.push(new URL(request.url()).pathname))
  await giveIdleTime(page)
  await page.goto('/account/products/choose')
  await pollHiding(page, () => paths.some((path) => path.startsWith(last)), name).toBe(true)
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await page.getByRole('button', { name: 'Monthly' }).click()
  await expect(page.locator('.price-card').first()).toContainText('$2.99')
  await page.getByRole('button', { name: 'Annual' }).click()
  await expect(page.locator('.price-card').first()).toContainText('$29.99')
  await expect(page.getByRole('alert')).toHaveCount(0)
  return messages
}

/** Makes the visit in a new browser context, which has no unsent events of other visits. */
async function visitAlone(browser: Browser, baseURL: string, [name, fault]: (typeof FAULTS)[number]) {
  const context = await browser.newContext({ storageState: SIGNED_IN.owner, baseURL })
  const [page, proxy] = [await context.newPage(), await openFaultProxy()]
  if (fault === null)
    await page.route(name === 'no scripts' ? SCRIPTS : SINKS, (route) => route.abort('blockedbyclient'))
  else {
    proxy.fail('/t/', fault)
    await throughProxy(page, proxy, SINKS)
  }
  const messages = await visit(page, name, LAST[name] ?? '/t/events')
  await context.close()
  await proxy.close()
  return [name, messages] as const
}

for (const [condition, tag, faults] of [
  ['blocked or somebody else’s', [], FAULTS.filter(([name]) => IN_GATE.includes(name))],
  ['failing in any other way', ['@all'], FAULTS.filter(([name]) => !IN_GATE.includes(name))],
] as const) {
  const title = `sinks and scripts that are ${condition} change nothing on a page, which says nothing of them`
  test(title, { tag: [...tag] }, async ({ browser, baseURL, problems }) => {
    const visits = await Promise.all(faults.map((fault) => visitAlone(browser, baseURL ?? '', fault)))
    // Ignores the browser's own console line about a failed request.
    for (const [name, lines] of visits)
      expect([name, lines.filter((text) => !/^Failed to load resource: /.test(text))]).toEqual([name, []])
    forgiveToTheEnd(problems, ...NOTED)
  })
}

/**
 * Personal words that analytics must not send. `PLACES` are URLs that contain such words in the parts in which pages
 * use them.
 */
const CANARIES = ['canary', 'owner@', 'Front door', 'front-door', 'cam_']
const PLACES = [
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
  const waiting = () =>
    page.evaluate(() =>
      Object.entries({ ...localStorage, ...sessionStorage })
        .filter(([key]) => /^(AMP|EXP|amp-|analytics|experiment)/.test(key))
        .join('\n'),
    )
  const views = new Set<string>()
  /** Counts the page views that were sent or are stored for sending, each event once by its id. */
  const countViews = async () => {
    for (const text of [await waiting(), ...payloads])
      for (const [, id = ''] of text.matchAll(/"\[Amplitude\] Page Viewed","insert_id":"([^"]+)"/g)) views.add(id)
    return views.size
  }
  await giveIdleTime(page)
  for (const [at, place] of PLACES.entries()) {
    await page.goto(place)
    await expect.poll(countViews, UNTIL_SENT).toBeGreaterThan(at)
    for (const text of [...payloads, await waiting()])
      for (const canary of CANARIES) expect(text.toLowerCase()).not.toContain(canary.toLowerCase())
  }
  await pollHiding(page, () => [...routes]).toEqual(expect.arrayContaining(['/events', '/live', '/guides/cameras']))
})
