import type { Page } from 'playwright/test'
import { expect, removeExpectedProblems, SIGNED_IN_STATES, signIn, test, SIGNED_OUT_401 } from '../support/e2e.ts'
import { listLayoutShifts, recordLayoutShifts } from '../support/shifts.ts'

async function holdCurrentUserResponse(page: Page): Promise<() => void> {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/auth/me', async (route) => {
    await gate
    await route.continue()
  })
  return release
}

const recordAuthorizationUrls = (page: Page): string[] => {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/auth/authorize') || request.url().includes('code_challenge='))
      urls.push(request.url())
  })
  return urls
}

const readLastVisitedPath = (page: Page) => page.evaluate(() => localStorage.getItem('last_visited_path'))

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN_STATES.owner })

  test('LAYOUT-03 LAYOUT-04 AUTH-27 a page shows `loading...` without content or sign-in until the server responds', async ({
    page,
  }) => {
    const urls = recordAuthorizationUrls(page)
    const release = await holdCurrentUserResponse(page)
    await page.goto('/account/services', { waitUntil: 'commit' })
    await expect(page.getByText('loading...')).toBeVisible()
    // Its style sheet shows this text after eight seconds.
    await expect(page.getByText('Still loading. Your connection is slow.')).toHaveCSS('animation-delay', '8s')
    await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeHidden()
    release()
    await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
    await expect(page.getByText('loading...')).toBeHidden()
    expect(urls).toEqual([])
  })

  test('the web font does not move `loading...`', { tag: '@all' }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    const font = Promise.withResolvers<undefined>()
    await page.route('**/nunito-*.woff2', async (route) => {
      await font.promise
      await route.continue()
    })
    await holdCurrentUserResponse(page)
    await recordLayoutShifts(page)
    await page.goto('/account', { waitUntil: 'commit' })
    await expect(page.getByText('loading...')).toBeVisible()
    const isFontLoaded = () => page.evaluate(() => document.fonts.check('bold 15px "Nunito Variable"'))
    await expect.poll(isFontLoaded).toBe(false)
    font.resolve(undefined)
    await expect.poll(isFontLoaded).toBe(true)
    // Settled: the web font has replaced the fallback font.
    expect(await listLayoutShifts(page)).toEqual([])
  })

  test('AUTH-01 AUTH-02 AUTH-03 a protected page fetches the current user, stores it and opens', async ({ page }) => {
    await page.addInitScript(() => window === top && localStorage.removeItem('email'))
    const [request] = await Promise.all([page.waitForRequest('**/api/auth/me'), page.goto('/account/billing')])
    expect(request.method()).toBe('GET')
    await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
    const readStoredUser = () => page.evaluate(() => [localStorage.getItem('email'), localStorage.getItem('userId')])
    await expect.poll(readStoredUser).toEqual(['owner@example.com', expect.stringMatching(/.+/)])
  })

  test('LAYOUT-05 a page’s own flag hides the header', async ({ page }) => {
    // Leave the page's request without a response, so that the page does not redirect.
    await page.route('**/config.json', () => {})
    await page.goto('/purchase/hms', { waitUntil: 'commit' })
    await expect(page.getByText('Opening Home Monitoring…')).toBeVisible()
    await expect(page.getByRole('banner')).toHaveCount(0)
  })

  test('LAYOUT-09 live and events fill the window below the header; other pages do not', async ({ page }) => {
    for (const path of ['/live', '/events']) {
      await page.goto(path)
      await expect(page.locator('#content.full-height')).toBeVisible()
      const measureVerticalEdges = async () => {
        const box = await page.locator('#content').boundingBox()
        return [box?.y, (box?.y ?? 0) + (box?.height ?? 0)]
      }
      await expect.poll(measureVerticalEdges).toEqual([64, 900])
    }
    await page.goto('/account/billing')
    await expect(page.locator('#content')).toBeVisible()
    await expect(page.locator('#content.full-height')).toHaveCount(0)
  })

  test('SESSION-03 SESSION-08 SESSION-09 email and path survive a reload, and sign-in flow pages are not stored', async ({
    page,
  }) => {
    await page.goto('/account/billing?x=1')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Account menu' })).toContainText('owner@example.com')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('email'))).toBe('owner@example.com')
    await expect.poll(() => readLastVisitedPath(page)).toBe('/account/billing?x=1')
    await page.goto('/user/redirect')
    await expect(page).toHaveURL('/account/billing?x=1')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    // Leave the first request of each of these pages without a response, so that the page does not redirect.
    for (const url of ['**/api/auth/*', '**/config.json']) await page.route(url, () => {})
    for (const path of ['/user/login', '/user/logout', '/user/redirect', '/user/callback?redirect_uri=%2Flive']) {
      const firstRequest = page.waitForRequest((request) => /\/api\/auth\/|config\.json/.test(request.url()))
      await page.goto(path, { waitUntil: 'load', referer: new URL('/', page.url()).href })
      await firstRequest
      // Settled: scripts that store the path have run by the load event.
      expect(await readLastVisitedPath(page), path).toBe('/account/billing?x=1')
    }
  })
})

test.describe('signed out', () => {
  test.afterEach(({ problems }) => removeExpectedProblems(problems, SIGNED_OUT_401))

  async function captureAuthorization(page: Page, path: string): Promise<URL> {
    const [request] = await Promise.all([
      page.waitForRequest(
        (sentRequest) => sentRequest.isNavigationRequest() && sentRequest.url().includes('code_challenge='),
      ),
      page.goto(path, { waitUntil: 'commit' }),
    ])
    return new URL(request.url())
  }

  test('AUTH-07 AUTH-10 AUTH-18 the browser redirects to the provider with the challenge that it stores', async ({
    page,
  }) => {
    const url = await captureAuthorization(page, '/events?x=1')
    await expect(page.getByLabel('Email')).toBeVisible()
    await page.goto('/')
    // Settled: the page stores the challenge before the browser navigates to the provider.
    expect(await page.evaluate(() => localStorage.getItem('code_challenge'))).toBe(
      url.searchParams.get('code_challenge'),
    )
  })

  test('AUTH-12 AUTH-13 AUTH-14 the authorization query contains the device session, the challenge and its method', async ({
    page,
  }) => {
    const { searchParams } = await captureAuthorization(page, '/events')
    expect(searchParams.get('kount_session_id')).toMatch(/^[0-9a-f]{32}$/)
    expect(searchParams.get('code_challenge')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
  })

  test('AUTH-17 ROUTE-15 state is empty for a sign-in from the login page', async ({ page }) => {
    expect((await captureAuthorization(page, '/user/login')).searchParams.get('state') ?? '').toBe('')
  })

  test('FRAUD-34 OPEN-175 the form of a page that cannot redirect carries the device session', async ({ page }) => {
    // Allows only the form's navigation. The script's request gets no response, so the script cannot redirect.
    await page.route('**/api/auth/authorize', (route) => route.request().isNavigationRequest() && route.continue())
    await page.goto('/user/login', { waitUntil: 'commit' })
    const field = page.locator('#sign-in input[name=kount_session_id]')
    await expect(field).toHaveValue(/^[0-9a-f]{32}$/)
    const session = await field.inputValue()
    // Settled: the page fills the field from the stored session id.
    expect(await page.evaluate(() => localStorage.getItem('kount_session_id'))).toBe(session)
    const [request] = await Promise.all([
      page.waitForRequest(
        (sentRequest) => sentRequest.isNavigationRequest() && sentRequest.url().includes('code_challenge='),
      ),
      page.getByRole('button', { name: 'Continue to log in' }).click(),
    ])
    expect(new URL(request.url()).searchParams.get('kount_session_id')).toBe(session)
    await expect(page.getByLabel('Email')).toBeVisible()
  })

  test('AUTH-15 SESSION-07 state holds path and query, and the device session id is created once', async ({ page }) => {
    const first = await captureAuthorization(page, '/events?x=1')
    expect(first.searchParams.get('state')).toBe('/events?x=1')
    await expect(page.getByLabel('Email')).toBeVisible()
    const second = await captureAuthorization(page, '/live')
    expect(second.searchParams.get('kount_session_id')).toBe(first.searchParams.get('kount_session_id'))
  })

  test('AUTH-08 OPEN-135 the callback page starts no sign-in; it fetches the current user once and redirects immediately', async ({
    page,
  }) => {
    const urls = recordAuthorizationUrls(page)
    const authUrls: string[] = []
    page.on('request', (request) => request.url().includes('/api/auth/') && authUrls.push(request.url()))
    // The page's clock is paused, so none of its timers can fire.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const release = await holdCurrentUserResponse(page)
    await page.goto('/user/callback?redirect_uri=%2F')
    await expect(page.getByText('Logging in…')).toBeVisible()
    expect(urls).toEqual([])
    release()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
    expect(authUrls).toHaveLength(1)
    expect(urls).toEqual([])
  })

  // tests/unit/domain/navigation/safe-redirect.test.ts and tests/edge/auth/sign-in.test.ts test rejected targets.
  const tag = '@all'
  test(
    'OPEN-135 a link to a sign-in flow page ends on the services page after a real sign-in',
    { tag },
    async ({ page }) => {
      const visits: string[] = []
      page.on('framenavigated', (frame) => frame === page.mainFrame() && visits.push(frame.url()))
      await page.goto('/user/callback?redirect_uri=%2Fuser%2Flogin')
      await signIn(page, 'free@example.com')
      await expect(page).toHaveURL('/account/services')
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
      await expect.poll(() => readLastVisitedPath(page)).toBe('/account/services')
      // The sign-in page also ignores a sign-in flow path that an earlier version stored.
      await page.evaluate(() => localStorage.setItem('last_visited_path', '/user/logout'))
      visits.length = 0
      await page.goto('/user/login')
      await expect(page).toHaveURL('/account/services')
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
      expect(visits.map((url) => new URL(url).pathname)).toEqual(['/user/login', '/user/callback', '/account/services'])
    },
  )

  test('AUTH-21 a page has two states: signed out and signed in', async ({ page, browser }) => {
    await page.goto('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeHidden()
    const context = await browser.newContext({ storageState: SIGNED_IN_STATES.owner })
    const other = await context.newPage()
    await other.goto('/')
    await expect(other.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await expect(other.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeHidden()
    await context.close()
  })
})
