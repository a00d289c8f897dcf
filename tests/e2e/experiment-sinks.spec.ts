import type { Page, Route } from 'playwright/test'
import { expect, forgiveToTheEnd, SIGNED_IN, test } from '../support/e2e.ts'
import { UNTIL_SENT } from '../support/measured-page.ts'

/** What may become of whatever tells the sinks something. */
const FAULTS: readonly [name: string, asked: string | RegExp, fail: (route: Route) => Promise<unknown>][] = [
  ['blocked', '**/t/**', (route) => route.abort('blockedbyclient')],
  // Never answered.
  ['silent', '**/t/**', () => Promise.resolve()],
  ['broken', '**/t/**', (route) => route.fulfill({ status: 500, body: 'x' })],
  ['a page of somebody else', '**/t/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Hi</h1>' })],
  ['JSON of another kind', '**/t/**', (route) => route.fulfill({ json: { configs: 7, code: '200', flags: [null] } })],
  ['too much', '**/t/**', (route) => route.fulfill({ status: 429, json: { code: 429, msg: 'No.' } })],
  [
    'without scripts',
    /\/_astro\/(measure|measure-page|collector)\.[\w-]+\.js$/,
    (route) => route.abort('blockedbyclient'),
  ],
]

test.use({ storageState: SIGNED_IN.owner })

/** A page whose sinks fail; resolves once it has asked them, with what it said meanwhile. */
async function visit(page: Page, asked: string | RegExp, fail: (route: Route) => Promise<unknown>): Promise<string[]> {
  const said: string[] = []
  page.on('console', (message) => void (message.type() !== 'debug' && said.push(message.text())))
  const tried: string[] = []
  page.on('request', (request) => void tried.push(new URL(request.url()).pathname))
  await page.route(asked, fail)
  await page.goto('/account/products/choose')
  const last = typeof asked === 'string' ? '/t/events' : '/_astro/measure.'
  await expect.poll(() => tried.some((path) => path.startsWith(last)), UNTIL_SENT).toBe(true)
  await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await expect(page.locator('.price-card').first()).toContainText('$2.99')
  await page.getByRole('button', { name: 'Annual' }).click()
  await expect(page.locator('.price-card').first()).toContainText('$29.99')
  await expect(page.getByRole('alert')).toHaveCount(0)
  return said
}

test('sinks that fail in any way change nothing on a page, and it says nothing of them', async ({
  context,
  problems,
}) => {
  test.slow()
  const said = await Promise.all(
    FAULTS.map(async ([name, asked, fail]) => [name, await visit(await context.newPage(), asked, fail)] as const),
  )
  // The browser's own line about a request that was not answered well is not ours.
  for (const [name, lines] of said)
    expect([name, lines.filter((text) => !/^Failed to load resource: /.test(text))]).toEqual([name, []])
  forgiveToTheEnd(problems, /^console: Failed to load resource: |\/t\/|\/_astro\/(measure|collector)/)
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
  for (const place of PLACES) {
    const before = told.length
    await page.goto(place)
    // Each page is there until it has told something.
    await expect.poll(() => told.length, UNTIL_SENT).toBeGreaterThan(before)
    const waiting = await page.evaluate(() =>
      Object.entries({ ...localStorage, ...sessionStorage }).filter(([key]) =>
        /^(AMP|EXP|amp-|analytics|experiment)/.test(key),
      ),
    )
    for (const text of [...told, JSON.stringify(waiting)])
      for (const canary of CANARIES) expect(text.toLowerCase()).not.toContain(canary.toLowerCase())
  }
  await expect
    .poll(() => [...routes], UNTIL_SENT)
    .toEqual(expect.arrayContaining(['/events', '/live', '/guides/cameras']))
  forgiveToTheEnd(problems, /40[0-9]/)
})
