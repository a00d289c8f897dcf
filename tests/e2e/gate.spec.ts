import type { Page } from 'playwright/test'
import { expect, SIGNED_IN, signIn, test } from '../support/e2e.ts'

/** Holds the answer of the current-user call until it is let go. */
async function holdMe(page: Page): Promise<() => void> {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/auth/me', async (route) => {
    await gate
    await route.continue()
  })
  return release
}

const authorizations = (page: Page): string[] => {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/auth/authorize') || request.url().includes('code_challenge='))
      urls.push(request.url())
  })
  return urls
}

test.describe('signed in', () => {
  test.use({ storageState: SIGNED_IN.owner })

  test('LAYOUT-03 LAYOUT-04 AUTH-27 until the server has answered there is `loading...`, no content and no sign-in', async ({
    page,
  }) => {
    const urls = authorizations(page)
    const release = await holdMe(page)
    await page.goto('/account/services', { waitUntil: 'commit' })
    await expect(page.getByText('loading...')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Account' })).toBeHidden()
    release()
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
    await expect(page.getByText('loading...')).toBeHidden()
    expect(urls).toEqual([])
  })

  test('AUTH-01 AUTH-02 AUTH-03 a protected page asks who is signed in, stores it and opens', async ({ page }) => {
    await page.addInitScript(() => window === top && localStorage.removeItem('email'))
    const [request] = await Promise.all([page.waitForRequest('**/api/auth/me'), page.goto('/account/billing')])
    expect(request.method()).toBe('GET')
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
    const stored = await page.evaluate(() => [localStorage.getItem('email'), localStorage.getItem('userId')])
    expect(stored).toEqual(['owner@example.com', expect.stringMatching(/.+/)])
  })

  test('SESSION-03 e-mail and user id are there after a reload', async ({ page }) => {
    await page.goto('/account/billing')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Account menu' })).toContainText('owner@example.com')
    expect(await page.evaluate(() => localStorage.getItem('email'))).toBe('owner@example.com')
  })

  test('LAYOUT-05 a page hides the header by its own flag', async ({ page }) => {
    // The page stays while what it asks for is not answered.
    await page.route('**/config.json', () => {})
    await page.goto('/purchase/hms', { waitUntil: 'commit' })
    await expect(page.getByText('Taking you to Home Monitoring ...')).toBeVisible()
    await expect(page.getByRole('banner')).toHaveCount(0)
  })

  test('LAYOUT-09 live and events fill the window below the header; other pages do not', async ({ page }) => {
    for (const path of ['/live', '/events']) {
      await page.goto(path)
      await expect(page.locator('#content.full-height')).toBeVisible()
      const box = await page.locator('#content').boundingBox()
      expect([box?.y, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([64, 900])
    }
    await page.goto('/account/billing')
    await expect(page.locator('#content')).toBeVisible()
    await expect(page.locator('#content.full-height')).toHaveCount(0)
  })

  test('SESSION-08 path and query are remembered, except on /user pages', async ({ page }) => {
    const last = () => page.evaluate(() => localStorage.getItem('last_visited_path'))
    await page.goto('/account/billing?x=1')
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
    expect(await last()).toBe('/account/billing?x=1')
    await page.goto('/user/redirect')
    await expect(page).toHaveURL('/account/billing?x=1')
  })

  test('SESSION-09 login, logout, callback and redirect are not remembered', async ({ page }) => {
    await page.goto('/account/billing?x=1')
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
    // Each of these pages stays where it is while its first question is not answered.
    for (const url of ['**/api/auth/*', '**/config.json']) await page.route(url, () => {})
    for (const path of ['/user/login', '/user/logout', '/user/redirect', '/user/callback?redirect_uri=%2Flive']) {
      const asks = page.waitForRequest((request) => /\/api\/auth\/|config\.json/.test(request.url()))
      await page.goto(path, { waitUntil: 'load', referer: new URL('/', page.url()).href })
      await asks
      expect(await page.evaluate(() => localStorage.getItem('last_visited_path')), path).toBe('/account/billing?x=1')
    }
  })
})

test.describe('signed out', () => {
  test.afterEach(
    ({ problems }) => void problems.splice(0, problems.length, ...problems.filter((one) => !one.includes('401'))),
  )

  /** The authorize request that opening `path` leads to. */
  async function authorizationOf(page: Page, path: string): Promise<URL> {
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.isNavigationRequest() && one.url().includes('code_challenge=')),
      page.goto(path, { waitUntil: 'commit' }),
    ])
    return new URL(request.url())
  }

  test('AUTH-07 AUTH-10 AUTH-18 the browser goes to the provider with the challenge that it keeps', async ({
    page,
  }) => {
    const url = await authorizationOf(page, '/events?x=1')
    await expect(page.getByLabel('E-mail')).toBeVisible()
    await page.goto('/')
    expect(await page.evaluate(() => localStorage.getItem('code_challenge'))).toBe(
      url.searchParams.get('code_challenge'),
    )
  })

  test('AUTH-12 AUTH-13 AUTH-14 the query has the device session, the challenge and its method', async ({ page }) => {
    const { searchParams } = await authorizationOf(page, '/events')
    expect(searchParams.get('kount_session_id')).toMatch(/^[0-9a-f]{32}$/)
    expect(searchParams.get('code_challenge')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(searchParams.get('code_challenge_method')).toBe('S256')
  })

  test('AUTH-15 AUTH-16 state holds path and query', async ({ page }) => {
    expect((await authorizationOf(page, '/events?x=1')).searchParams.get('state')).toBe('/events?x=1')
  })

  test('AUTH-17 ROUTE-15 on the login page state is empty', async ({ page }) => {
    expect((await authorizationOf(page, '/user/login')).searchParams.get('state') ?? '').toBe('')
  })

  test('SESSION-07 the device session id is made once', async ({ page }) => {
    const first = await authorizationOf(page, '/events')
    await expect(page.getByLabel('E-mail')).toBeVisible()
    const second = await authorizationOf(page, '/live')
    expect(second.searchParams.get('kount_session_id')).toBe(first.searchParams.get('kount_session_id'))
  })

  test('AUTH-08 the callback page starts no sign-in of its own', async ({ page }) => {
    const urls = authorizations(page)
    const release = await holdMe(page)
    await page.goto('/user/callback?redirect_uri=%2F')
    await expect(page.getByText('Signing you in ...')).toBeVisible()
    expect(urls).toEqual([])
    release()
    await expect(page).toHaveURL('/')
    expect(urls).toEqual([])
  })

  test('OPEN-135 the callback without a sign-in asks once who is there and leaves at once', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/api/auth/') && asked.push(request.url()))
    await page.clock.install()
    await page.goto('/user/callback?redirect_uri=%2F')
    // The page's own clock stands still: nothing that waits would ever go on.
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible()
    expect(asked).toHaveLength(1)
  })

  test('OPEN-135 a link whose target is a page of the sign-in flow ends on the services after a real sign-in', async ({
    page,
  }) => {
    const visits: string[] = []
    page.on('framenavigated', (frame) => frame === page.mainFrame() && visits.push(frame.url()))
    await page.goto('/user/callback?redirect_uri=%2Fuser%2Flogin')
    await signIn(page, 'free@example.com')
    await expect(page).toHaveURL('/account/services')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('last_visited_path'))).toBe('/account/services')
    // What an earlier version wrote down is not followed either.
    await page.evaluate(() => localStorage.setItem('last_visited_path', '/user/logout'))
    visits.length = 0
    await page.goto('/user/login')
    await expect(page).toHaveURL('/account/services')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    expect(visits.map((url) => new URL(url).pathname)).toEqual(['/user/login', '/user/callback', '/account/services'])
  })

  test('AUTH-21 a page knows two states: nobody, and somebody', async ({ page, browser }) => {
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeHidden()
    const context = await browser.newContext({ storageState: SIGNED_IN.owner })
    const other = await context.newPage()
    await other.goto('/')
    await expect(other.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await expect(other.getByRole('link', { name: 'Log in' })).toBeHidden()
    await context.close()
  })
})
