import type { Page } from 'playwright/test'
import { expect, forgive, logOut, test, throughProxy } from '../support/e2e.ts'
import {
  COLLECTED,
  collected,
  enter,
  kept,
  leaveForSignIn,
  PROVIDER_ORIGIN,
  READABLE,
} from '../support/collector-page.ts'

/** Whoever is not signed in is told so by the current-user call. */
test.afterEach(({ problems }) => forgive(problems, /401/))

/** What the host is asked by this page from now on, and answered well: method and path. */
function answersOf(page: Page): string[] {
  const answered: string[] = []
  page.on('response', (response) => {
    if (COLLECTED.test(response.url()) && response.ok())
      answered.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  return answered
}

test('FRAUD-01 FRAUD-02 CALL-66 the session that a sign-in is asked for with is the collector’s, at its own host', async ({
  page,
  baseURL,
}) => {
  const asked: URL[] = []
  page.on('request', (request) => void (COLLECTED.test(request.url()) && asked.push(new URL(request.url()))))
  const session = await leaveForSignIn(page)
  await expect.poll(() => kept(session)).toMatchObject({ previous: '', facts: null })
  expect(asked[0]?.searchParams.get('kddcgid')).toMatch(/^[\da-f-]{36}$/)

  await enter(page)
  // The frame has told what it found, and is gone.
  await expect.poll(async () => (await kept(session))?.facts).toMatchObject({ language: 'en-US', touch: false })
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set([PROVIDER_ORIGIN]))
  expect(PROVIDER_ORIGIN).not.toBe(new URL(baseURL ?? '').origin)
  expect(asked.map(({ pathname }) => pathname)).toContain('/cs/config')
})

test('FRAUD-02 the host hears of the session also from a page that somebody opens who is not signed in', async ({
  page,
}) => {
  const session = await leaveForSignIn(page, '/account')
  await expect.poll(() => kept(session)).toMatchObject({ session, facts: null })
})

test('FRAUD-18 FRAUD-19 FRAUD-51 a hidden frame of one pixel begins once there is a value, and goes when it has told', async ({
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
  await leaveForSignIn(page)
  await enter(page)
  type Seen = { begun: { src: string }[]; gone: number }
  const seen = () => page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  await expect.poll(async () => (await seen()).gone).toBe(1)
  const { begun } = await seen()
  expect(begun).toHaveLength(1)
  expect(begun[0]).toMatchObject({
    ...{ width: 1, height: 1, visibility: 'hidden', tabIndex: -1, isKept: true },
    sandbox: 'allow-scripts allow-same-origin',
  })
  const { origin, pathname, searchParams, hash } = new URL(begun[0]?.src ?? '')
  expect([origin, pathname, [...searchParams.keys()], hash]).toEqual([
    PROVIDER_ORIGIN,
    '/logo.htm',
    ['m', 's', 'sv', 'kddcgid'],
    '#app,battery,browser,exp,page,ui',
  ])
  // Both callbacks were called, once.
  const marks = await page.evaluate(() =>
    performance
      .getEntriesByType('mark')
      .map(({ name }) => name)
      .filter((name) => name.startsWith('collect-')),
  )
  expect(marks).toEqual(['collect-begin', 'collect-end'])
})

test('the frame looks only at what the host has asked for', async ({ page, faults }) => {
  const flags = { app: true, battery: true, browser: false, exp: true, page: true, ui: true }
  const body = JSON.stringify({ ttlms: 900_000, collection: { collect: true, feature_flags: flags } })
  faults.fail('/cs/config', { kind: 'answer', status: 200, body, headers: READABLE })
  await throughProxy(page, faults, '**/cs/config?*')
  const session = await leaveForSignIn(page)
  await enter(page)
  await collected(session)
  expect(Object.keys((await kept(session))?.facts ?? {}).toSorted()).toEqual([
    'dark',
    'density',
    'height',
    'touch',
    'width',
  ])
})

test('FRAUD-36 CALL-65 the host hears by a beacon that a page was left', async ({ page }) => {
  // No page is there any more that could be asked what it sent.
  await page.addInitScript(() => {
    const { sendBeacon } = navigator
    navigator.sendBeacon = function (url, form) {
      if (String(url).endsWith('/fin')) sessionStorage.setItem('seen_beacon', `${String(url)} ${String(form)}`)
      return sendBeacon.call(navigator, url, form)
    }
  })
  const session = await leaveForSignIn(page)
  await enter(page)
  await collected(session)
  expect((await kept(session))?.left_at).toBeNull()
  await page.goto('/')
  await expect.poll(async () => (await kept(session))?.left_at).toEqual(expect.any(Number))
  expect(await page.evaluate(() => sessionStorage.getItem('seen_beacon'))).toBe(
    `${PROVIDER_ORIGIN}/fin n=collect-end&com=false&et=0&s=${session}&m=porchlight`,
  )
})

for (const [rows, calls] of [
  ['CALL-59 CALL-60', ['GET /cs/config', 'GET /cs/generatecookie']],
  ['CALL-62 CALL-64', ['POST /session/*', 'GET /logo.htm']],
] as const)
  test(`${rows} a browser that is new asks the host by ${calls.join(', ')}, and is answered`, async ({ page }) => {
    const answered = answersOf(page)
    await leaveForSignIn(page)
    await enter(page)
    await expect
      .poll(() => answered.map((call) => call.replace(/(\/session\/).*/, '$1*')))
      .toEqual(expect.arrayContaining([...calls]))
  })

test('CALL-61 FRAUD-49 a browser that is known shows its value, which stays', async ({ page }) => {
  const session = await leaveForSignIn(page)
  await enter(page)
  await collected(session)
  const value = () => page.evaluate(() => localStorage.getItem('browser_first_party'))
  const before = await value()
  expect(before).not.toBeNull()
  // When it asks next is kept once the frame is gone.
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('browser_collector_due'))
  const answered = answersOf(page)
  await page.goto('/account')
  await expect.poll(() => answered).toEqual(expect.arrayContaining(['POST /cs/storecookie', 'GET /logo.htm']))
  expect(answered).not.toContain('GET /cs/generatecookie')
  expect(await value()).toBe(before)
})

test('CALL-63 FRAUD-25 the session after a sign-out says which one it follows', async ({ page }) => {
  const first = await leaveForSignIn(page)
  await enter(page)
  await collected(first)
  await logOut(page)
  await page.waitForURL(({ pathname }) => pathname === '/')
  // The page leaves for the sign-in while the host answers: that it was answered, the host says itself.
  const asked: URL[] = []
  page.on('request', (request) => void (COLLECTED.test(request.url()) && asked.push(new URL(request.url()))))
  const second = await leaveForSignIn(page)
  expect(second).not.toBe(first)
  await enter(page)
  // The page that was open last is one for everybody.
  await page.goto('/account')
  await expect.poll(() => kept(second)).toMatchObject({ previous: first })
  const of = asked.filter(({ pathname }) => pathname === `/session/${second}`)
  expect(of.map(({ searchParams }) => searchParams.get('previousSessionID'))).toContain(first)
})

test('a page that opens while another tab signs out begins no session of its own', async ({ page }) => {
  const first = await leaveForSignIn(page)
  await enter(page)
  await collected(first)
  // What a sign-out does before it asks the server.
  await page.evaluate(() => localStorage.removeItem('kount_session_id'))
  const loaded = page.waitForResponse(/\/_astro\/collector\.[\w-]+\.js$/)
  await page.goto('/account')
  await loaded
  // What the collector asks first, and then a page that has nothing else to do.
  await page.evaluate(() => fetch('/config.json').then(() => new Promise((resolve) => requestIdleCallback(resolve))))
  expect(await page.evaluate(() => localStorage.getItem('kount_session_id'))).toBeNull()
})

test('FRAUD-24 a session that another tab begins is this page’s too', async ({ page, context }) => {
  const session = await leaveForSignIn(page)
  await enter(page)
  await collected(session)
  const other = await context.newPage()
  await other.goto('/account')
  const answered = answersOf(page)
  const begun = await other.evaluate(() => {
    const id = crypto.randomUUID().replaceAll('-', '')
    localStorage.setItem('kount_session_id', id)
    return id
  })
  await expect.poll(() => answered).toEqual(expect.arrayContaining(['GET /logo.htm', `POST /session/${begun}`]))
  await collected(begun)
})
