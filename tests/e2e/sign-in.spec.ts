import type { BrowserContext, Page } from 'playwright/test'
import * as v from 'valibot'
import { SESSION_COOKIE, toCookieName, usesSecureCookies } from '../../contract/wire/cookies.ts'
import { accountList, ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { signInContext } from '../support/browser-account.ts'
import { expect, removeExpectedProblems, signOut, signIn, test, SIGNED_OUT_401 } from '../support/e2e.ts'
import { RESULTS_FOLDER } from '../support/results.ts'

/** Asserts that page scripts can read neither the session cookie nor a refresh or ID token after a sign-in. */
async function expectNoToken(page: Page, context: BrowserContext): Promise<void> {
  const cookies = await context.cookies()
  const readable = cookies
    .filter((cookie) => !cookie.httpOnly && cookie.domain === 'localhost')
    .map((cookie) => cookie.name)
    // The device collector sets this cookie when the page is idle, to recognize the browser.
    .filter((name) => name !== 'browser_first_party')
  expect(readable.sort()).toEqual(['XSRF-TOKEN', 'signed_in'])
  const session = cookies.find((cookie) => cookie.name === toCookieName(SESSION_COOKIE, page.url()))
  expect(session).toMatchObject({ httpOnly: true, secure: usesSecureCookies(page.url()), sameSite: 'Strict' })
  // Settled: the page content is visible, and the page shows it only after the sign-in.
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(stored).toContain('owner@example.com')
  expect(stored).not.toContain(session?.value ?? 'no session')
  expect(stored).not.toMatch(/refresh_token|id_token|eyJ[A-Za-z0-9_-]{20}/)
}

test.describe('sign-in', () => {
  test.afterEach(({ problems }) => removeExpectedProblems(problems, SIGNED_OUT_401))

  test('AUTH-20 AUTH-22 the provider’s sign-in page leads back to the requested page, and no token is readable', async ({
    page,
    context,
  }) => {
    await page.goto('/')
    await page.getByRole('navigation').getByRole('link', { name: 'Events' }).first().click()
    await expect(page.getByLabel('Email')).toBeVisible()
    expect(new URL(page.url()).hostname).toBe('127.0.0.1')
    await signIn(page, 'owner@example.com')
    await expect(page).toHaveURL('/events')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    await expectNoToken(page, context)
  })

  // tests/provider/identity/sign-in/sign-in.test.ts covers the responses for an existing and an unknown email address.
  test('a wrong password does not reveal whether the account exists', { tag: '@all' }, async ({ page }) => {
    await page.goto('/live')
    await signIn(page, 'owner@example.com', 'wrong')
    const ownerMessage = await page.getByRole('alert').textContent()
    await Promise.all([page.waitForEvent('load'), signIn(page, 'nobody@example.com', 'wrong')])
    await expect(page.getByRole('alert')).toHaveText(ownerMessage ?? 'no sentence')
  })

  test('AUTH-16 CALL-03 OPEN-126 keeps the query of the requested page and is recorded at the provider', async ({
    page,
  }) => {
    const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS_FOLDER}/data/run.env`)
    const headers = { authorization: `Admin ${ADMIN_KEY}` }
    const fetchLastSignIn = async () => {
      const answer = await fetch(PROVIDER_ORIGIN + ADMIN_PATHS.accounts, { headers })
      const { accounts } = v.parse(accountList, await answer.json()).data
      return accounts.find(({ email }) => email === 'free@example.com')?.last_sign_in_at ?? 0
    }
    await page.goto('/account/billing?x=1')
    await expect(page.getByLabel('Email')).toBeVisible()
    const before = Date.now()
    expect(await fetchLastSignIn()).toBeLessThan(before)
    await signIn(page, 'free@example.com')
    await expect(page).toHaveURL('/account/billing?x=1')
    await expect.poll(fetchLastSignIn).toBeGreaterThanOrEqual(before)
  })

  test('AUTH-26 CALL-02 signing out also ends the session at the provider', async ({ page, context }) => {
    await signInContext(context, 'free@example.com')
    await page.goto('/account/billing')
    await expect(page).toHaveURL('/account/billing')
    await signOut(page)
    await expect(page).toHaveURL('/')
    await page.goto('/live')
    await expect(page.getByLabel('Password')).toBeVisible()
  })
})
