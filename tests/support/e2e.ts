import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type BrowserContext, type Locator, type Page, type TestInfo } from 'playwright/test'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { describeProblem, forgiveLasting, isFatal, watchProblems, type PageProblem } from './problems.ts'
import { RESULTS } from './results.ts'

export { forgive, forgiveToTheEnd, VISITOR, type PageProblem } from './problems.ts'

/** Cookies and storage of the accounts that the set-up signs in. */
export const SIGNED_IN = { owner: `${RESULTS}/owner.json`, free: `${RESULTS}/free.json` } as const
/** A browser in which nobody is signed in. */
export const NOBODY = { cookies: [], origins: [] }

/** Types the password on the provider's page and waits until the portal has redirected the browser. */
export async function signIn(page: Page, email: string, password = 'porchlight'): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens the log-out page as a link of the portal does. */
export async function logOut(page: Page): Promise<void> {
  await page.goto('/user/logout', { referer: new URL('/', page.url()).href })
}

/** Presses Tab until the focus is there, as somebody does who has no mouse. */
export async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.waitFor()
  const isThere = () => place.evaluate((element) => element === document.activeElement)
  for (let pressed = 0; pressed < 80 && !(await isThere()); pressed += 1) await page.keyboard.press('Tab')
  await expect(place).toBeFocused()
}

interface Fixtures {
  /** Faults that pages report; a test that provokes one forgives it by status and path. */
  problems: PageProblem[]
  /** A proxy in front of the portal that tests can break; only what `throughProxy` names passes it. */
  faults: FaultProxy
}

/** These calls of the page pass the proxy; its address and its cookies stay what they are. */
export async function throughProxy(on: Page | BrowserContext, proxy: FaultProxy, calls: string): Promise<void> {
  const origin = proxy.origin.replace('127.0.0.1', 'localhost')
  await on.route(calls, (route) => {
    const { pathname, search } = new URL(route.request().url())
    return route.continue({ url: origin + pathname + search })
  })
}

/** File that forbids a second try. */
const fatalFile = ({ testId }: TestInfo): string => join(RESULTS, 'fatal', testId)

/** Fails the second try of a test whose first try had a fatal fault. */
export function refuseSecondTry(info: TestInfo): void {
  if (info.retry > 0 && existsSync(fatalFile(info)))
    throw new Error(`No second try after this fault:\n${readFileSync(fatalFile(info), 'utf8')}`)
}

/** Forbids a second try of this test. */
export function forbidSecondTry(info: TestInfo, why: string): void {
  mkdirSync(join(RESULTS, 'fatal'), { recursive: true })
  writeFileSync(fatalFile(info), why)
}

/** Every console error, page error, CSP violation and failed same-origin request of any page of the test fails it. */
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
    // The browser sees that a request goes to another port; the portal is to see a request of its own page.
    proxy.forwardTo(baseURL ?? '', { 'sec-fetch-site': 'same-origin' })
    await provide(proxy)
    await proxy.close()
  },
})

export { expect }
