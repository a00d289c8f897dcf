import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SESSION_COOKIE, toCookieName } from '../../contract/wire/cookies.ts'
import { signInContext } from '../support/browser-account.ts'
import { expect, removeExpectedProblems, test, routeThroughProxy, SIGNED_OUT_401 } from '../support/e2e.ts'

async function openForeignSite(link: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/html' })
    res.end(`<link rel="icon" href="data:,"><a href="${link}">Win a camera</a>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}

test.beforeEach(({ context }) => signInContext(context, 'free@example.com'))
/** In a signed-out tab, the browser itself reports the 401 of the current-user call. */
test.afterEach(({ problems }) => removeExpectedProblems(problems, SIGNED_OUT_401))

test('a link on another site cannot sign out: the page asks and continues after one click', async ({
  page,
  context,
  baseURL,
}) => {
  const site = await openForeignSite(new URL('/user/logout', baseURL).href)
  const countSessionCookies = async () =>
    (await context.cookies()).filter(({ name }) => name === toCookieName(SESSION_COOKIE, baseURL ?? '')).length
  const signOutHeading = page.getByRole('heading', { name: 'Do you want to log out?' })

  await page.goto(site.url)
  await page.getByRole('link', { name: 'Win a camera' }).click()
  await expect(signOutHeading).toBeVisible()
  await page.reload()
  await expect(signOutHeading).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
  expect(await countSessionCookies()).toBe(1)

  await page.getByRole('link', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  expect(await countSessionCookies()).toBe(0)
  site.close()
})

test('a browser that never sends a referrer is asked once and signed out by one click', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(document, 'referrer', { value: '' }))
  await page.goto('/user/logout')
  await page.getByRole('link', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
})

test('the menu signs out immediately, also by a reload after the first attempt failed', async ({ page, problems }) => {
  await page.goto('/account/billing')
  await page.route('**/api/auth/logout', (route) => route.abort(), { times: 1 })
  await page.getByRole('banner').getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('link', { name: 'Log out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'You’re still logged in' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
  removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /^\/api\/auth\/logout$/ })
})

test('OPEN-18 a session announces its end during its last day', async ({ page, faults }) => {
  const me = (await (await page.request.get('/api/auth/me')).json()) as object
  const ends = Math.floor(Date.now() / 1000) + 3600
  await routeThroughProxy(page, faults, '**/api/auth/me')
  faults.fail('/', { kind: 'answer', status: 200, body: JSON.stringify({ ...me, ends }) })
  await page.goto('/account/billing', { waitUntil: 'commit' })
  await expect(page.getByText(/You’ll be logged out (today|tomorrow) at \d\d:\d\d\./)).toBeVisible()
})
