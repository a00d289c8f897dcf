import * as v from 'valibot'
import { accountList, ADMIN_PATHS } from '../../contract/admin.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { expect, logOut, signIn, test } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'

/** Signed out, the browser itself reports the 401 of the current-user call. */
const forget401 = (problems: string[]) =>
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')))

test.describe('signing in', () => {
  test.afterEach(({ problems }) => void forget401(problems))

  test('AUTH-20 AUTH-22 the page asked for comes back after the provider’s sign-in page', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('navigation').getByRole('link', { name: 'Events' }).first().click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
    expect(new URL(page.url()).hostname).toBe('127.0.0.1')
    await signIn(page, 'owner@example.com')
    await expect(page).toHaveURL('/events')
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  })

  test('AUTH-16 the query of the page asked for survives', async ({ page }) => {
    await page.goto('/events?x=1')
    await expect(page.getByLabel('E-mail')).toBeVisible()
    await signIn(page, 'owner@example.com')
    await expect(page).toHaveURL(/\/events\?x=1$/)
  })

  test('a wrong password is said in a sentence that does not tell whether the account exists', async ({ page }) => {
    await page.goto('/live')
    await signIn(page, 'owner@example.com', 'wrong')
    const forOwner = await page.getByRole('alert').textContent()
    await signIn(page, 'nobody@example.com', 'wrong')
    await expect(page.getByRole('alert')).toHaveText(forOwner ?? '')
  })

  test('CALL-03 OPEN-126 signing in is noted at the provider', async ({ page }) => {
    const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS}/data/run.env`)
    const headers = { authorization: `Admin ${ADMIN_KEY}` }
    const noted = async () => {
      const answer = await fetch(PROVIDER_ORIGIN + ADMIN_PATHS.accounts, { headers })
      const { accounts } = v.parse(accountList, await answer.json()).data
      return accounts.find(({ email }) => email === 'free@example.com')?.last_sign_in_at ?? 0
    }
    await page.goto('/account/billing')
    const before = Date.now()
    expect(await noted()).toBeLessThan(before)
    await signIn(page, 'free@example.com')
    await expect(page).toHaveURL('/account/billing')
    await expect.poll(noted).toBeGreaterThanOrEqual(before)
  })

  test('AUTH-26 CALL-02 signing out ends the session at the provider too', async ({ page }) => {
    await page.goto('/live')
    await signIn(page, 'free@example.com')
    await expect(page).toHaveURL('/live')
    await logOut(page)
    await expect(page).toHaveURL('/')
    await page.goto('/live')
    await expect(page.getByLabel('Password')).toBeVisible()
  })

  test('no token reaches storage or address', async ({ page, context }) => {
    await page.goto('/live')
    await signIn(page, 'owner@example.com')
    await expect(page).toHaveURL('/live')
    const cookies = await context.cookies()
    const readable = cookies
      .filter((cookie) => !cookie.httpOnly && cookie.domain === 'localhost')
      .map((cookie) => cookie.name)
      // What the device collector knows the browser again by, once the page is idle.
      .filter((name) => name !== 'browser_first_party')
    expect(readable.sort()).toEqual(['XSRF-TOKEN', 'signed_in'])
    const session = cookies.find((cookie) => cookie.name === '__Host-Http-sid')
    expect(session).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' })
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
    expect(stored).not.toContain(session?.value ?? 'no session')
    expect(stored).not.toMatch(/refresh_token|id_token|eyJ[A-Za-z0-9_-]{20}/)
  })
})
