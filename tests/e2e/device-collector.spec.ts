import type { Page } from 'playwright/test'
import { expect, forgive, logOut, SIGNED_IN, test, throughProxy, VISITOR } from '../support/e2e.ts'
import {
  startDeviceSession,
  COLLECTED,
  collected,
  enter,
  fetchDeviceSession,
  leaveForSignIn,
  openWithSession,
  PROVIDER_ORIGIN,
  READABLE,
} from '../support/collector-page.ts'

/** For visitors, the current-user call responds with 401, because they are not signed in. */
test.afterEach(({ problems }) => forgive(problems, VISITOR))

/** Records the successful requests of this page to the host: method and path. */
function recordResponses(page: Page): string[] {
  const answered: string[] = []
  page.on('response', (response) => {
    if (COLLECTED.test(response.url()) && response.ok())
      answered.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  return answered
}

test('FRAUD-01 FRAUD-02 CALL-66 the sign-in request carries the session of the device collector, which uses its own host', async ({
  page,
  baseURL,
}) => {
  const urls: URL[] = []
  page.on('request', (request) => void (COLLECTED.test(request.url()) && urls.push(new URL(request.url()))))
  const session = await leaveForSignIn(page)
  await expect.poll(() => fetchDeviceSession(session)).toMatchObject({ previous: '', facts: null })
  expect(urls[0]?.searchParams.get('kddcgid')).toMatch(/^[\da-f-]{36}$/)

  await enter(page)
  // The page removes the frame once the frame has sent its facts.
  await expect
    .poll(async () => (await fetchDeviceSession(session))?.facts)
    .toMatchObject({ language: 'en-US', touch: false })
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(new Set(urls.map(({ origin }) => origin))).toEqual(new Set([PROVIDER_ORIGIN]))
  expect(PROVIDER_ORIGIN).not.toBe(new URL(baseURL ?? '').origin)
  expect(urls.map(({ pathname }) => pathname)).toContain('/cs/config')
})

test('FRAUD-02 a page that a visitor opens also reports the session to the host', { tag: '@all' }, async ({ page }) => {
  const session = await leaveForSignIn(page, '/account')
  await expect.poll(() => fetchDeviceSession(session)).toMatchObject({ session, facts: null })
})

test.describe('a new signed-in browser', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('FRAUD-18 FRAUD-19 FRAUD-51 a hidden one-pixel frame opens once a first-party value exists and closes after it has reported', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const seen = { begun: [] as unknown[], gone: 0 }
      Object.assign(window, { seen })
      new MutationObserver((changes) => {
        for (const { addedNodes, removedNodes } of changes) {
          for (const node of addedNodes) {
            if (!(node instanceof HTMLIFrameElement)) continue
            const { src, tabIndex, sandbox } = node
            const { width, height } = node.getBoundingClientRect()
            const { visibility } = getComputedStyle(node)
            const value = localStorage.getItem('browser_first_party') ?? ''
            const isKept = value !== '' && document.cookie.includes(`browser_first_party=${value}`)
            seen.begun.push({ src, width, height, visibility, tabIndex, sandbox: sandbox.value, isKept })
          }
          for (const node of removedNodes) if (node instanceof HTMLIFrameElement) seen.gone += 1
        }
      }).observe(document, { childList: true, subtree: true })
    })
    await openWithSession(page)
    type Seen = { begun: { src: string }[]; gone: number }
    const seen = () => page.evaluate(() => (window as unknown as { seen: Seen }).seen)
    await expect.poll(async () => (await seen()).gone).toBe(1)
    // Settled: the frame has come and gone.
    const { begun: iframes } = await seen()
    expect(iframes).toHaveLength(1)
    expect(iframes[0]).toMatchObject({
      ...{ width: 1, height: 1, visibility: 'hidden', tabIndex: -1, isKept: true },
      sandbox: 'allow-scripts allow-same-origin',
    })
    const { origin, pathname, searchParams, hash } = new URL(iframes[0]?.src ?? '')
    expect([origin, pathname, [...searchParams.keys()], hash]).toEqual([
      PROVIDER_ORIGIN,
      '/logo.htm',
      ['m', 's', 'sv', 'kddcgid'],
      '#app,battery,browser,exp,page,ui',
    ])
    // The collector's begin and end callbacks each ran exactly once.
    const marks = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('mark')
          .map(({ name }) => name)
          .filter((name) => name.startsWith('collect-')),
      )
    await expect.poll(marks).toEqual(['collect-begin', 'collect-end'])
  })

  // In the gate, tests/unit/services/device-collector/collector-rules.test.ts covers this rule.
  test('the frame collects only the facts that the host requests', { tag: '@all' }, async ({ page, faults }) => {
    const flags = { app: true, battery: true, browser: false, exp: true, page: true, ui: true }
    const body = JSON.stringify({ ttlms: 900_000, collection: { collect: true, feature_flags: flags } })
    faults.fail('/cs/config', { kind: 'answer', status: 200, body, headers: READABLE })
    await throughProxy(page, faults, '**/cs/config?*')
    const session = await openWithSession(page)
    await collected(session)
    expect(Object.keys((await fetchDeviceSession(session))?.facts ?? {}).toSorted()).toEqual([
      'dark',
      'density',
      'height',
      'touch',
      'width',
    ])
  })

  test('FRAUD-36 CALL-65 leaving a page notifies the host by a beacon', async ({ page }) => {
    // Stores the beacon in `sessionStorage`, because the test cannot read the requests of a page that is being
    // unloaded.
    await page.addInitScript(() => {
      const { sendBeacon } = navigator
      navigator.sendBeacon = function (url, form) {
        if (String(url).endsWith('/fin')) sessionStorage.setItem('seen_beacon', `${String(url)} ${String(form)}`)
        return sendBeacon.call(navigator, url, form)
      }
    })
    const session = await openWithSession(page)
    await collected(session)
    expect((await fetchDeviceSession(session))?.left_at).toBeNull()
    await page.goto('/')
    await expect.poll(async () => (await fetchDeviceSession(session))?.left_at).toEqual(expect.any(Number))
    // Settled: the page before wrote it down before the host heard.
    expect(await page.evaluate(() => sessionStorage.getItem('seen_beacon'))).toBe(
      `${PROVIDER_ORIGIN}/fin n=collect-end&com=false&et=0&s=${session}&m=porchlight`,
    )
  })

  test('CALL-59 CALL-60 CALL-62 requests a configuration and a value, reports the session, and gets the host’s responses', async ({
    page,
  }) => {
    const answered = recordResponses(page)
    const session = await openWithSession(page)
    await expect
      .poll(() => answered)
      .toEqual(expect.arrayContaining(['GET /cs/config', 'GET /cs/generatecookie', `POST /session/${session}`]))
  })

  test('CALL-61 CALL-63 CALL-64 once known, sends its unchanged value, and a new session names the session before it', async ({
    page,
  }) => {
    const first = await openWithSession(page)
    await collected(first)
    const value = () => page.evaluate(() => localStorage.getItem('browser_first_party'))
    const before = await value()
    // Settled: the frame runs only once there is a value.
    expect(before).not.toBeNull()
    // Wait until the frame is removed: only then does the collector store the time of its next request.
    await expect(page.locator('iframe')).toHaveCount(0)
    const second = await startDeviceSession(page)
    const answered = recordResponses(page)
    await page.goto('/account/billing')
    await expect
      .poll(() => answered)
      .toEqual(expect.arrayContaining(['POST /cs/storecookie', `POST /session/${second}`, 'GET /logo.htm']))
    expect(answered).not.toContain('GET /cs/generatecookie')
    // Settled: the frame of the page was opened with the value that the host has answered.
    expect(await value()).toBe(before)
    await expect.poll(() => fetchDeviceSession(second)).toMatchObject({ previous: first })
  })

  // In the gate, tests/unit/services/device-collector/collector-rules.test.ts covers the rule that the collector never
  // runs without a session.
  const tag = '@all'
  test('starts no session of its own on a page that opens while another tab signs out', { tag }, async ({ page }) => {
    const first = await openWithSession(page)
    await collected(first)
    // A sign-out removes this key before it calls the server.
    await page.evaluate(() => localStorage.removeItem('kount_session_id'))
    const loaded = page.waitForResponse(/\/_astro\/device-collector\.[\w-]+\.js$/)
    await page.goto('/account/billing')
    await loaded
    // Waits for the first request of the collector, and then until the page is idle.
    await page.evaluate(() => fetch('/config.json').then(() => new Promise((resolve) => requestIdleCallback(resolve))))
    // Settled: the collector has started, or the page would not be idle.
    expect(await page.evaluate(() => localStorage.getItem('kount_session_id'))).toBeNull()
  })

  // In the gate, tests/unit/services/device-collector/collector-sessions.test.ts and
  // tests/provider/telemetry/device-collector/device-collector.test.ts cover this rule.
  test('FRAUD-24 takes over a session that another tab starts', { tag: '@all' }, async ({ page, context }) => {
    const session = await openWithSession(page)
    await collected(session)
    const other = await context.newPage()
    await other.goto('/account/billing')
    const answered = recordResponses(page)
    const sessionId = await startDeviceSession(other)
    await expect.poll(() => answered).toEqual(expect.arrayContaining(['GET /logo.htm', `POST /session/${sessionId}`]))
    await collected(sessionId)
  })
})

// In the gate, tests/unit/services/device-collector/collector-sessions.test.ts and
// tests/provider/telemetry/device-collector/device-collector.test.ts cover this rule, and a test above covers it
// without a sign-in.
test('FRAUD-25 the session after a sign-out names the session before it', { tag: '@all' }, async ({ page }) => {
  const first = await leaveForSignIn(page)
  await enter(page)
  await collected(first)
  await logOut(page)
  await page.waitForURL(({ pathname }) => pathname === '/')
  // The page leaves for the sign-in before the host's response arrives, so the test checks the requests instead.
  const urls: URL[] = []
  page.on('request', (request) => void (COLLECTED.test(request.url()) && urls.push(new URL(request.url()))))
  const second = await leaveForSignIn(page)
  expect(second).not.toBe(first)
  await enter(page)
  // The last page was a public one.
  await page.goto('/account')
  await expect.poll(() => fetchDeviceSession(second)).toMatchObject({ previous: first })
  const of = urls.filter(({ pathname }) => pathname === `/session/${second}`)
  expect(of.map(({ searchParams }) => searchParams.get('previousSessionID'))).toContain(first)
})
