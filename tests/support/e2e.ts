import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type BrowserContext, type Locator, type Page, type TestInfo } from 'playwright/test'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { describeProblem, forgiveLasting, isFatal, watchProblems, type PageProblem } from './problems.ts'
import { RESULTS } from './results.ts'

export { forgive, forgiveToTheEnd, VISITOR, type PageProblem } from './problems.ts'

/** Cookies and storage of the accounts that the set-up signs in. */
export const SIGNED_IN = { owner: `${RESULTS}/owner.json`, free: `${RESULTS}/free.json` } as const
export const NOBODY = { cookies: [], origins: [] }

/** Fills in and submits the sign-in form on the provider's page. */
export async function signIn(page: Page, email: string, password = 'porchlight'): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens the sign-out page with the portal as referrer, as a link in the portal does. */
export async function logOut(page: Page): Promise<void> {
  await page.goto('/user/logout', { referer: new URL('/', page.url()).href })
}

/** Presses Tab until the element has the focus, as a keyboard user does. */
export async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.waitFor()
  const isThere = () => place.evaluate((element) => element === document.activeElement)
  for (let pressed = 0; pressed < 80 && !(await isThere()); pressed += 1) await page.keyboard.press('Tab')
  await expect(place).toBeFocused()
}

interface Fixtures {
  /**
   * Problems that pages report. The test fails if any are left, so a test that provokes a problem removes it with
   * `forgive`.
   */
  problems: PageProblem[]
  /** Fault proxy in front of the portal. Only calls that a test routes with `throughProxy` go through the proxy. */
  faults: FaultProxy
}

/** Routes these calls of the page through the proxy; the page's URL and cookies stay the same. */
export async function throughProxy(on: Page | BrowserContext, proxy: FaultProxy, calls: string): Promise<void> {
  const origin = proxy.origin.replace('127.0.0.1', 'localhost')
  await on.route(calls, (route) => {
    const { pathname, search } = new URL(route.request().url())
    return route.continue({ url: origin + pathname + search })
  })
}

const fatalFile = ({ testId }: TestInfo): string => join(RESULTS, 'fatal', testId)

/** Fails the retry of a test whose first run had a fatal fault. */
export function refuseSecondTry(info: TestInfo): void {
  if (info.retry > 0 && existsSync(fatalFile(info)))
    throw new Error(`No second try after this fault:\n${readFileSync(fatalFile(info), 'utf8')}`)
}

export function forbidSecondTry(info: TestInfo, why: string): void {
  mkdirSync(join(RESULTS, 'fatal'), { recursive: true })
  writeFileSync(fatalFile(info), why)
}

/**
 * Playwright test that fails if any of its pages has a console error, page error, CSP violation or failed same-origin
 * request.
 */
export const test = base.extend<Fixtures>({
  problems: [
    async ({ context, browser, baseURL }, use, info) => {
      refuseSecondTry(info)
      const problems: PageProblem[] = []
      const watch = (opened: BrowserContext) => watchProblems(opened, baseURL ?? '', problems)
      watch(context)
      browser.on('context', watch)
      await use(problems)
      browser.off('context', watch)
      forgiveLasting(problems)
      const fatal = problems.filter(isFatal)
      if (fatal.length > 0) forbidSecondTry(info, fatal.map(describeProblem).join('\n'))
      expect(problems.map(describeProblem)).toEqual([])
    },
    { auto: true },
  ],
  faults: async ({ baseURL }, provide) => {
    const proxy = await openFaultProxy()
    // For the browser, the proxy's port is another origin. The header makes the portal treat the request as one from
    // its own page.
    proxy.forwardTo(baseURL ?? '', { 'sec-fetch-site': 'same-origin' })
    await provide(proxy)
    await proxy.close()
  },
})

export { expect }
