import type { Page } from 'playwright/test'
import { SESSION_COOKIE, toCookieName } from '../../contract/wire/cookies.ts'
import { OAUTH_ERRORS } from '../../src/domain/copy/oauth-texts.ts'
import { signInContext } from '../support/browser-account.ts'
import {
  expect,
  removeExpectedProblems,
  SIGNED_IN_STATES,
  test,
  routeThroughProxy,
  SIGNED_OUT_401,
} from '../support/e2e.ts'

/** Without a session, the browser reports the 401 of the current-user call as an error. */
test.afterEach(({ problems }) => removeExpectedProblems(problems, SIGNED_OUT_401))

async function recordRedirectsAndToasts(page: Page): Promise<{ redirects: string[]; toasts: string[] }> {
  const recorded = { redirects: [] as string[], toasts: [] as string[] }
  page.on('request', (request) => {
    if (request.isNavigationRequest() && new URL(request.url()).pathname === '/user/redirect')
      recorded.redirects.push(request.url())
  })
  await page.exposeFunction('noteToast', (text: string) => recorded.toasts.push(text))
  await page.addInitScript(() => {
    const note = (globalThis as unknown as { noteToast: (text: string) => void }).noteToast
    new MutationObserver(() => {
      const text = document.querySelector('#toasts .toast-text')?.textContent
      if (text) note(text)
    }).observe(document, { childList: true, subtree: true })
  })
  return recorded
}

test.describe('a signed-in browser', () => {
  test('REFRESH-07 a refresh that returns 401 leads to /user/redirect and then to the home page', async ({
    page,
    context,
    problems,
  }) => {
    const { redirects } = await recordRedirectsAndToasts(page)
    await signInContext(context, 'free@example.com')
    await page.clock.install()
    // The page sends the revenue request automatically when it is idle.
    const lastAnswer = page.waitForResponse('**/t/revenue')
    await page.goto('/account/billing')
    await lastAnswer
    // Also wait until the invoices and the plans button have loaded: after that, the page sends no more requests.
    await expect(page.getByRole('heading', { name: 'No invoices yet' })).toBeVisible()
    await expect(page.getByRole('banner').locator('[data-plans]')).toBeVisible()
    const refreshResponse = page.waitForResponse('**/api/auth/refresh')
    await context.clearCookies({ name: toCookieName(SESSION_COOKIE, page.url()) })
    await page.clock.fastForward(1_800_001)
    expect((await refreshResponse).status()).toBe(401)
    await expect.poll(() => redirects.length).toBe(1)
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible()
    removeExpectedProblems(problems, { status: 401, path: /^\/api\/auth\/refresh$/ })
  })

  test.describe('with a valid session', () => {
    test.use({ storageState: SIGNED_IN_STATES.owner })

    test('TOKEN-01 stores the identifier of the token generation as web_app_token', async ({ page }) => {
      await page.addInitScript(() => window === top && localStorage.removeItem('web_app_token'))
      const [answer] = await Promise.all([page.waitForResponse('**/api/auth/me'), page.goto('/account/billing')])
      const { web_app_token: generation } = (await answer.json()) as { web_app_token: string }
      expect(generation).toMatch(/^\d+\.[\w-]{16}$/)
      await expect.poll(() => page.evaluate(() => localStorage.getItem('web_app_token'))).toBe(generation)
    })

    test('ERROR-03 code 401 shows no toast and leads through /user/redirect back to the page', async ({
      page,
      faults,
    }) => {
      const { redirects, toasts } = await recordRedirectsAndToasts(page)
      await routeThroughProxy(page, faults, '**/subscriptions/**')
      faults.fail('/', { kind: 'answer', status: 200, body: '{"code":401,"msg":"over"}' }, 1)
      await page.goto('/account/services')
      await expect.poll(() => redirects.length).toBe(1)
      await expect(page).toHaveURL('/account/services')
      await expect(page.getByRole('heading', { name: 'Unlimited Cameras', exact: true })).toBeVisible()
      expect(toasts).toEqual([])
      expect(redirects).toHaveLength(1)
    })
  })
})

test('a sign-in in a browser that blocks cookies asks to allow them', async ({ page, problems }) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  await page.goto('/live')
  await expect(page.getByRole('heading', { name: 'We couldn’t log you in' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Allow cookies for this site, then log in again.')
  removeExpectedProblems(problems, { status: 403, path: /^\/api\/auth\/authorize$/ })
})

// tests/unit/contract/wire/error-codes.test.ts checks the texts of the other codes.
test('AUTH-24 a sign-in that the provider rejects with access_denied shows the standard text', async ({ page }) => {
  await page.goto('/api/auth/callback?error=access_denied&state=%2Flive', { waitUntil: 'commit' })
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('alert')).toContainText(OAUTH_ERRORS['access_denied'] ?? 'no text')
})
