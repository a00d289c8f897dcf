import { test as base, expect, type Page } from 'playwright/test'

/** Where the set-up leaves each account's cookies and storage. */
export const SIGNED_IN = { owner: 'test-results/owner.json', free: 'test-results/free.json' } as const

/** Signs in on the provider's own page; ends where the portal sends the person. */
export async function signIn(page: Page, email: string, password = 'porchlight'): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

interface Fixtures {
  /** What went wrong behind the page's back; a test that provokes a failure empties it. */
  problems: string[]
}

/** Every console error, page error, CSP violation and failed same-origin request fails the test. */
export const test = base.extend<Fixtures>({
  problems: [
    async ({ page, baseURL }, use) => {
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`))
      page.on('pageerror', (error) => problems.push(`page: ${error.message}`))
      page.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? ''
        // A navigation that leaves a page ends what that page was still loading.
        if (request.url().startsWith(baseURL ?? '') && reason !== 'net::ERR_ABORTED')
          problems.push(`request: ${request.url()} ${reason}`)
      })
      await use(problems)
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
