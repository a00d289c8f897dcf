import type { BrowserContext, Page } from 'playwright/test'
import { signInContext } from '../support/browser-account.ts'
import {
  expect,
  removeExpectedProblems,
  signOut,
  signIn,
  test,
  routeThroughProxy,
  SIGNED_OUT_401,
} from '../support/e2e.ts'

/** Signs in with a separate session and opens a page, so that ending the session does not affect other specs. */
async function openSignedIn(context: BrowserContext, path: string): Promise<Page> {
  await signInContext(context, 'free@example.com')
  const page = await context.newPage()
  await page.goto(path)
  await expect(page).toHaveURL(path)
  await expect(page.locator('#content')).toBeVisible()
  return page
}

const readCoupon = (page: Page) => page.evaluate(() => sessionStorage.getItem('coupon_of_price'))

/** In a signed-out tab, the browser itself reports the 401 of the current-user call. */
test.afterEach(({ problems }) => removeExpectedProblems(problems, SIGNED_OUT_401))

test('signing out in one tab signs out the others, which keep no data of the user', async ({ context }) => {
  const tab = await openSignedIn(context, '/account/billing')
  const other = await context.newPage()
  // Wait until all requests of the page are complete: a request pending at the sign-out would be rejected, and the page
  // would show a different toast.
  const pageRequests = Promise.all(
    [/_info$/, /batch_get_bindings$/, /\/t\/revenue$/].map((call) => other.waitForResponse(call)),
  )
  await other.goto('/account/services')
  await pageRequests
  await expect(other.getByRole('heading', { name: 'Free', exact: true })).toBeVisible()
  await other.evaluate(() => sessionStorage.setItem('coupon_of_price', 'WELCOME20'))
  // Each toast disappears after five seconds, so wait for both toasts during the sign-out.
  const toasts = Promise.all([
    expect(tab.getByRole('status').filter({ hasText: 'You are logged out.' })).toBeVisible(),
    expect(other.getByRole('status').filter({ hasText: 'You were logged out in another tab.' })).toBeVisible(),
  ])
  await Promise.all([signOut(tab), toasts])
  await expect(tab).toHaveURL('/')
  await expect(other).toHaveURL('/')
  await expect(other.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  // Settled: the tab has left the page that deletes the user data.
  const stored = await other.evaluate(() => Object.entries(localStorage).map(([key, value]) => `${key} ${value}`))
  expect(stored.filter((line) => /free@example|web_app_token|userId|user-cameras/.test(line))).toEqual([])
  // Settled: the tab has left the page that deletes the user data.
  expect(await readCoupon(other)).toBeNull()
})

test('a tab whose calls are rejected before the sign-out completes keeps no user data either', async ({
  context,
  problems,
}) => {
  const tab = await openSignedIn(context, '/account/billing')
  const other = await context.newPage()
  const sessionEnded = Promise.withResolvers<undefined>()
  await other.route('**/subscriptions/**', async (route) => {
    await sessionEnded.promise
    await route.continue()
  })
  await other.goto('/account/services')
  await expect(other.locator('#content')).toBeVisible()
  await other.evaluate(() => sessionStorage.setItem('coupon_of_price', 'WELCOME20'))
  await tab.route('**/api/auth/logout', async (route) => {
    // End the session on the server before `tab` continues. The next request of `other` then gets a 401.
    await route.fetch()
    sessionEnded.resolve(undefined)
    await expect(other).toHaveURL('/')
    await route.continue()
  })
  await signOut(tab)
  await expect(tab).toHaveURL('/')
  // Settled: `other` was on the home page before `tab` opened it.
  expect(await readCoupon(other)).toBeNull()
  // The server rejects the requests that the page sends after its session has ended.
  removeExpectedProblems(problems, { status: 401, path: /^\/(api\/auth\/refresh$|api\/p\/|t\/revenue$)/ })
})

test('after an ended session, the next user’s page requests no data of the previous user', async ({
  context,
  page,
}) => {
  await signInContext(context, 'owner@example.com')
  await page.goto('/events')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  // Leave the page, so that it sends no more requests.
  await page.goto('about:blank')
  await context.clearCookies()
  const failures: string[] = []
  page.on('response', (answer) => answer.status() >= 400 && failures.push(`${answer.status()} ${answer.url()}`))
  await page.goto('/events')
  await signIn(page, 'free@example.com')
  await expect(page).toHaveURL('/events')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  // The page stores cameras only after the camera list of the signed-in user's home has arrived.
  const readStoredCameras = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('user-cameras') ?? '[]') as unknown[])
  await expect.poll(readStoredCameras).toHaveLength(1)
  expect(failures).toEqual([])
})

test('REFRESH-02 two tabs whose token is rejected concurrently share one token refresh', async ({
  context,
  faults,
  problems,
}) => {
  const refreshes: string[] = []
  context.on('request', (request) => request.url().endsWith('/api/auth/refresh') && refreshes.push(request.url()))
  const tab = await openSignedIn(context, '/account/services')
  // Wait until the page's first requests are complete, so that it sends only the requests that the test counts.
  await expect(tab.getByRole('heading', { name: 'Free', exact: true })).toBeVisible()
  const before = await tab.evaluate(() => localStorage.getItem('web_app_token'))
  // The proxy rejects the old token as the gateway would, once both requests have arrived.
  await routeThroughProxy(context, faults, '**/subscriptions/**')
  const listRequestsWithOldToken = () => faults.requests.filter(({ headers }) => headers['web-app-token'] === before)
  faults.fail(
    '/',
    { kind: 'answer', status: 401, body: '{"code":401}', until: () => listRequestsWithOldToken().length === 2 },
    2,
  )
  const other = await context.newPage()
  await Promise.all([tab.reload(), other.goto('/account/services')])
  for (const page of [tab, other]) {
    await expect(page.getByRole('heading', { name: 'Free', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/account/services')
  }
  expect(listRequestsWithOldToken()).toHaveLength(2)
  expect(refreshes).toHaveLength(1)
  removeExpectedProblems(problems, { status: 401, path: /^\/api\/p\/web-backend\/api\/v2\/subscriptions\/user_\w+$/ })
})

// tests/edge/auth/sign-in.test.ts covers two tabs that both start a sign-in before either gets a response.
test(
  'two tabs can sign in at the same time, and each returns to its own page',
  { tag: '@all' },
  async ({ context }) => {
    const [tab, other] = [await context.newPage(), await context.newPage()]
    await tab.goto('/account/billing')
    await other.goto('/account/products/choose?x=1')
    for (const page of [tab, other]) await expect(page.getByLabel('Email')).toBeVisible()
    await signIn(tab, 'free@example.com')
    await expect(tab).toHaveURL('/account/billing')
    await signIn(other, 'free@example.com')
    await expect(other).toHaveURL('/account/products/choose?x=1')
    await tab.reload()
    await expect(tab.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible()
  },
)
