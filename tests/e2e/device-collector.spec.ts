import type { Page } from 'playwright/test'
import {
  expect,
  removeExpectedProblems,
  signOut,
  SIGNED_IN_STATES,
  test,
  routeThroughProxy,
  SIGNED_OUT_401,
} from '../support/e2e.ts'
import {
  startDeviceSession,
  COLLECTOR_URL_PATTERN,
  waitForDeviceFacts,
  signInToPortal,
  fetchDeviceSession,
  openSignInPage,
  openWithDeviceSession,
  PROVIDER_ORIGIN,
  CORS_HEADERS,
} from '../support/collector-page.ts'

/** For visitors, the current-user call responds with 401, because they are not signed in. */
test.afterEach(({ problems }) => removeExpectedProblems(problems, SIGNED_OUT_401))

function recordResponses(page: Page): string[] {
  const answered: string[] = []
  page.on('response', (response) => {
    if (COLLECTOR_URL_PATTERN.test(response.url()) && response.ok())
      answered.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  return answered
}

test('FRAUD-01 FRAUD-02 CALL-66 the sign-in request carries the session of the device collector, which uses its own host', async ({
  page,
  baseURL,
}) => {
  const urls: URL[] = []
  page.on('request', (request) => void (COLLECTOR_URL_PATTERN.test(request.url()) && urls.push(new URL(request.url()))))
  const session = await openSignInPage(page)
  await expect.poll(() => fetchDeviceSession(session)).toMatchObject({ previous: '', facts: null })
  expect(urls[0]?.searchParams.get('kddcgid')).toMatch(/^[\da-f-]{36}$/)

  await signInToPortal(page)
  // The page removes the collector's frame once the frame has sent its facts to the host.
  await expect
    .poll(async () => (await fetchDeviceSession(session))?.facts)
    .toMatchObject({ language: 'en-GB', touch: false })
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(new Set(urls.map(({ origin }) => origin))).toEqual(new Set([PROVIDER_ORIGIN]))
  expect(PROVIDER_ORIGIN).not.toBe(new URL(baseURL ?? '').origin)
  expect(urls.map(({ pathname }) => pathname)).toContain('/cs/config')
})

test('FRAUD-02 a page that a visitor opens also reports the session to the host', { tag: '@all' }, async ({ page }) => {
  const session = await openSignInPage(page, '/account')
  await expect.poll(() => fetchDeviceSession(session)).toMatchObject({ session, facts: null })
})

test.describe('a new signed-in browser', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('FRAUD-18 FRAUD-19 FRAUD-51 a hidden one-pixel frame opens once a first-party value exists and closes after it has reported', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const recordedFrames = { begun: [] as unknown[], removedCount: 0 }
      Object.assign(window, { recordedFrames })
      new MutationObserver((changes) => {
        for (const { addedNodes, removedNodes } of changes) {
          for (const node of addedNodes) {
            if (!(node instanceof HTMLIFrameElement)) continue
            const { src, tabIndex, sandbox } = node
            const { width, height } = node.getBoundingClientRect()
            const { visibility } = getComputedStyle(node)
            const value = localStorage.getItem('browser_first_party') ?? ''
            const isStored = value !== '' && document.cookie.includes(`browser_first_party=${value}`)
            recordedFrames.begun.push({
              src,
              width,
              height,
              visibility,
              tabIndex,
              sandbox: sandbox.value,
              isKept: isStored,
            })
          }
          for (const node of removedNodes) if (node instanceof HTMLIFrameElement) recordedFrames.removedCount += 1
        }
      }).observe(document, { childList: true, subtree: true })
    })
    await openWithDeviceSession(page)
    type RecordedFrames = { begun: { src: string }[]; removedCount: number }
    const recordedFrames = () =>
      page.evaluate(() => (window as unknown as { recordedFrames: RecordedFrames }).recordedFrames)
    await expect.poll(async () => (await recordedFrames()).removedCount).toBe(1)
    // Settled: the frame has been added and removed.
    const { begun: openedFrames } = await recordedFrames()
    expect(openedFrames).toHaveLength(1)
    expect(openedFrames[0]).toMatchObject({
      width: 1,
      height: 1,
      visibility: 'hidden',
      tabIndex: -1,
      isKept: true,
      sandbox: 'allow-scripts allow-same-origin',
    })
    const { origin, pathname, searchParams, hash } = new URL(openedFrames[0]?.src ?? '')
    expect([origin, pathname, [...searchParams.keys()], hash]).toEqual([
      PROVIDER_ORIGIN,
      '/logo.htm',
      ['m', 's', 'sv', 'kddcgid'],
      '#app,battery,browser,exp,page,ui',
    ])
    // The collector's begin and end callbacks each ran exactly once.
    const listCollectorMarks = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('mark')
          .map(({ name }) => name)
          .filter((name) => name.startsWith('collect-')),
      )
    await expect.poll(listCollectorMarks).toEqual(['collect-begin', 'collect-end'])
  })

  // `npm test` skips this test: tests/unit/services/device-collector/collector-rules.test.ts covers the same rule.
  test('the frame collects only the facts that the host requests', { tag: '@all' }, async ({ page, faults }) => {
    const flags = { app: true, battery: true, browser: false, exp: true, page: true, ui: true }
    const body = JSON.stringify({ ttlms: 900_000, collection: { collect: true, feature_flags: flags } })
    faults.fail('/cs/config', { kind: 'answer', status: 200, body, headers: CORS_HEADERS })
    await routeThroughProxy(page, faults, '**/cs/config?*')
    const session = await openWithDeviceSession(page)
    await waitForDeviceFacts(session)
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
    const session = await openWithDeviceSession(page)
    await waitForDeviceFacts(session)
    expect((await fetchDeviceSession(session))?.left_at).toBeNull()
    await page.goto('/')
    await expect.poll(async () => (await fetchDeviceSession(session))?.left_at).toEqual(expect.any(Number))
    // Settled: the previous page stored the beacon before the host received it.
    expect(await page.evaluate(() => sessionStorage.getItem('seen_beacon'))).toBe(
      `${PROVIDER_ORIGIN}/fin n=collect-end&com=false&et=0&s=${session}&m=porchlight`,
    )
  })

  test('CALL-59 CALL-60 CALL-62 requests a configuration and a value, reports the session, and gets the host’s responses', async ({
    page,
  }) => {
    const responses = recordResponses(page)
    const session = await openWithDeviceSession(page)
    await expect
      .poll(() => responses)
      .toEqual(expect.arrayContaining(['GET /cs/config', 'GET /cs/generatecookie', `POST /session/${session}`]))
  })

  test('CALL-61 CALL-63 CALL-64 once known, sends its unchanged value, and a new session names the session before it', async ({
    page,
  }) => {
    const first = await openWithDeviceSession(page)
    await waitForDeviceFacts(first)
    const value = () => page.evaluate(() => localStorage.getItem('browser_first_party'))
    const before = await value()
    // Settled: the frame has run, and it runs only after the value has been stored.
    expect(before).not.toBeNull()
    // Wait until the frame is removed: only then does the collector store the time of its next request.
    await expect(page.locator('iframe')).toHaveCount(0)
    const second = await startDeviceSession(page)
    const responses = recordResponses(page)
    await page.goto('/account/billing')
    await expect
      .poll(() => responses)
      .toEqual(expect.arrayContaining(['POST /cs/storecookie', `POST /session/${second}`, 'GET /logo.htm']))
    expect(responses).not.toContain('GET /cs/generatecookie')
    // Settled: the page opened its frame after the host had responded with the value.
    expect(await value()).toBe(before)
    await expect.poll(() => fetchDeviceSession(second)).toMatchObject({ previous: first })
  })

  // `npm test` skips this test, because tests/unit/services/device-collector/collector-rules.test.ts covers the rule:
  // the collector never runs without a session.
  const tag = '@all'
  test('starts no session of its own on a page that opens while another tab signs out', { tag }, async ({ page }) => {
    const first = await openWithDeviceSession(page)
    await waitForDeviceFacts(first)
    // A sign-out removes this key before it calls the server.
    await page.evaluate(() => localStorage.removeItem('kount_session_id'))
    const collectorScript = page.waitForResponse(/\/_astro\/device-collector\.[\w-]+\.js$/)
    await page.goto('/account/billing')
    await collectorScript
    // Fetches the file that the collector requests first, and then waits until the page is idle.
    await page.evaluate(() => fetch('/config.json').then(() => new Promise((resolve) => requestIdleCallback(resolve))))
    // Settled: the page is idle, so the collector has already started.
    expect(await page.evaluate(() => localStorage.getItem('kount_session_id'))).toBeNull()
  })

  // `npm test` skips this test, because tests/unit/services/device-collector/collector-sessions.test.ts and
  // tests/provider/telemetry/device-collector/device-collector.test.ts cover the same rule.
  test('FRAUD-24 takes over a session that another tab starts', { tag: '@all' }, async ({ page, context }) => {
    const session = await openWithDeviceSession(page)
    await waitForDeviceFacts(session)
    const other = await context.newPage()
    await other.goto('/account/billing')
    const responses = recordResponses(page)
    const sessionId = await startDeviceSession(other)
    await expect.poll(() => responses).toEqual(expect.arrayContaining(['GET /logo.htm', `POST /session/${sessionId}`]))
    await waitForDeviceFacts(sessionId)
  })
})

// `npm test` skips this test, because tests/unit/services/device-collector/collector-sessions.test.ts and
// tests/provider/telemetry/device-collector/device-collector.test.ts cover the same rule.
test('FRAUD-25 the session after a sign-out names the session before it', { tag: '@all' }, async ({ page }) => {
  const first = await openSignInPage(page)
  await signInToPortal(page)
  await waitForDeviceFacts(first)
  await signOut(page)
  await page.waitForURL(({ pathname }) => pathname === '/')
  // The page navigates to the sign-in before the host responds, so the test records requests, not responses.
  const urls: URL[] = []
  page.on('request', (request) => void (COLLECTOR_URL_PATTERN.test(request.url()) && urls.push(new URL(request.url()))))
  const second = await openSignInPage(page)
  expect(second).not.toBe(first)
  await signInToPortal(page)
  // The current page is public; the next one is a page for signed-in users.
  await page.goto('/account')
  await expect.poll(() => fetchDeviceSession(second)).toMatchObject({ previous: first })
  const sessionRequests = urls.filter(({ pathname }) => pathname === `/session/${second}`)
  expect(sessionRequests.map(({ searchParams }) => searchParams.get('previousSessionID'))).toContain(first)
})
