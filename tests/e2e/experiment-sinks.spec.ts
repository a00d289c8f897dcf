import type { Page } from 'playwright/test'
import { expect, forgiveToTheEnd, SIGNED_IN, test, throughProxy } from '../support/e2e.ts'
import { openFaultProxy, type Fault } from '../support/fault-proxy.ts'
import { UNTIL_SENT } from '../support/measured-page.ts'

/** What may become of whatever tells the sinks something; null: a browser that blocks them. */
const FAULTS: readonly [name: string, fault: Fault | null][] = [
  ['blocked', null],
  ['down', { kind: 'reset' }],
  ['silent', { kind: 'hang' }],
  ['cut off', { kind: 'lose' }],
  ['broken', { kind: 'answer', status: 500, body: 'x' }],
  ['a page of somebody else', { kind: 'answer', status: 200, type: 'text/html', body: '<h1>Hi</h1>' }],
  ['JSON of another kind', { kind: 'answer', status: 200, body: '{ "configs": 7, "code": "200", "flags": [null] }' }],
  ['too busy', { kind: 'answer', status: 429, body: '{ "code": 429, "msg": "Later." }' }],
]
/** The last that is asked, where that is not the sink of events: a configuration that cannot be read ends the measuring. */
const LAST: Readonly<Record<string, string>> = { 'JSON of another kind': '/t/config/' }
const SINKS = '**/t/**'
const SCRIPTS = /\/_astro\/(measure|measure-page|collector)\.[\w-]+\.js$/

test.use({ storageState: SIGNED_IN.owner })

/** A page whose sinks fail, used once it has asked them; answers what it said meanwhile. */
async function visit(page: Page, name: string, last: string): Promise<string[]> {
  const said: string[] = []
  page.on('console', (message) => void (message.type() !== 'debug' && said.push(message.text())))
  const tried: string[] = []
  page.on('request', (request) => void tried.push(new URL(request.url()).pathname))
  await page.goto('/account/products/choose')
  await expect.poll(() => tried.some((path) => path.startsWith(last)), { ...UNTIL_SENT, message: name }).toBe(true)
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await page.getByRole('button', { name: 'Monthly' }).click()
  await expect(page.locator('.price-card').first()).toContainText('$2.99')
  await page.getByRole('button', { name: 'Annual' }).click()
  await expect(page.locator('.price-card').first()).toContainText('$29.99')
  await expect(page.getByRole('alert')).toHaveCount(0)
  return said
}

test('sinks that fail in any way, and scripts that are blocked, change nothing on a page, which says nothing of them', async ({
  browser,
  baseURL,
  problems,
}) => {
  test.slow()
  // Each in a browser of its own: what one cannot send would wait for another.
  const newPage = async () => {
    const context = await browser.newContext({ storageState: SIGNED_IN.owner, ...(baseURL && { baseURL }) })
    return context.newPage()
  }
  const proxies = await Promise.all(FAULTS.map(() => openFaultProxy()))
  const visits = FAULTS.map(async ([name, fault], at) => {
    const [page, proxy] = [await newPage(), proxies[at]]
    if (fault === null || !proxy) await page.route(SINKS, (route) => route.abort('blockedbyclient'))
    else {
      proxy.fail('/t/', fault)
      await throughProxy(page, proxy, SINKS)
    }
    return [name, await visit(page, name, LAST[name] ?? '/t/events')] as const
  })
  const blocked = await newPage()
  await blocked.route(SCRIPTS, (route) => route.abort('blockedbyclient'))
  const said = [
    ['scripts', await visit(blocked, 'scripts', '/_astro/measure.')] as const,
    ...(await Promise.all(visits)),
  ]
  // The browser's own line about a request that was not answered well is not ours.
  for (const [name, lines] of said)
    expect([name, lines.filter((text) => !/^Failed to load resource: /.test(text))]).toEqual([name, []])
  forgiveToTheEnd(problems, /^console: Failed to load resource: |\/t\/|\/_astro\/(measure|collector)/)
  await Promise.all(proxies.map((proxy) => proxy.close()))
})

/** Words of a person, in places where pages have them. */
const CANARIES = ['canary', 'owner@', 'Front door', 'front-door', 'cam_']
const PLACES = [
  '/events?search=a+canary+in+the+hall&cameras=cam_canary',
  '/events?event=ev_canary',
  '/live?camera=cam_canary',
  '/account/redeem/choose?coupon=CANARY10',
  '/account/services#canary',
  '/guides/cameras?deviceId=canary-device&ampDeviceId=canary-device&utm_source=canary',
]

test('no word, name or address of a person is told to a sink, or waits in the browser to be', async ({
  page,
  problems,
}) => {
  test.slow()
  const told: string[] = []
  const routes = new Set<unknown>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!pathname.startsWith('/t/')) return
    const person = request.headers()['x-amp-exp-user'] ?? ''
    const body = request.postData() ?? ''
    told.push([request.url(), Buffer.from(person, 'base64url').toString(), body].join('\n'))
    if (pathname !== '/t/events') return
    const { events } = request.postDataJSON() as { events: { event_properties: { route: string } }[] }
    for (const { event_properties } of events) routes.add(event_properties.route)
  })
  /** What waits in the browser, by its keys. */
  const waiting = () =>
    page.evaluate(() =>
      Object.entries({ ...localStorage, ...sessionStorage })
        .filter(([key]) => /^(AMP|EXP|amp-|analytics|experiment)/.test(key))
        .join('\n'),
    )
  const views = new Set<string>()
  /** The views that wait or were told, by the ids of their events. */
  const countViews = async () => {
    for (const text of [await waiting(), ...told])
      for (const [, id = ''] of text.matchAll(/"\[Amplitude\] Page Viewed","insert_id":"([^"]+)"/g)) views.add(id)
    return views.size
  }
  for (const [at, place] of PLACES.entries()) {
    await page.goto(place)
    await expect.poll(countViews, UNTIL_SENT).toBeGreaterThan(at)
    for (const text of [...told, await waiting()])
      for (const canary of CANARIES) expect(text.toLowerCase()).not.toContain(canary.toLowerCase())
  }
  await expect
    .poll(() => [...routes], UNTIL_SENT)
    .toEqual(expect.arrayContaining(['/events', '/live', '/guides/cameras']))
  forgiveToTheEnd(problems, /40[0-9]/)
})
