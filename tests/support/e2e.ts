import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type BrowserContext, type Locator, type Page, type TestInfo } from 'playwright/test'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { describeProblem, removeIgnoredProblems, isFatal, watchProblems, type PageProblem } from './problems.ts'
import { RESULTS_FOLDER } from './results.ts'

export { removeExpectedProblems, ignoreProblemsUntilEnd, SIGNED_OUT_401, type PageProblem } from './problems.ts'

/** Files with cookies and storage of the accounts that the setup signs in. */
export const SIGNED_IN_STATES = { owner: `${RESULTS_FOLDER}/owner.json`, free: `${RESULTS_FOLDER}/free.json` } as const
export const SIGNED_OUT_STATE = { cookies: [], origins: [] }

/** Clears the data that this browser stores before each document, so that each visit is the first one. */
export const clearStoredData = (page: Page): Promise<unknown> => page.addInitScript(() => localStorage.clear())

/** Fills in and submits the sign-in form on the provider's page. */
export async function signIn(page: Page, email: string, password = 'porchlight'): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Opens the sign-out page with the portal as referrer, as a link in the portal does. */
export async function signOut(page: Page): Promise<void> {
  await page.goto('/user/logout', { referer: new URL('/', page.url()).href })
}

/** Presses Tab until the element has the focus, as a keyboard user does. Fails if 80 presses are not enough. */
export async function pressTabUntilFocused(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const isFocused = () => target.evaluate((element) => element === document.activeElement)
  for (let pressed = 0; pressed < 80 && !(await isFocused()); pressed += 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
}

interface Fixtures {
  /**
   * Problems that pages report. The test fails if any problem remains at the end, so `removeExpectedProblems` must
   * remove the problems that the test provokes.
   */
  problems: PageProblem[]
  /**
   * Fault proxy in front of the portal. Only requests that a test routes with `routeThroughProxy` go through the proxy.
   */
  faults: FaultProxy
}

/**
 * Routes the requests that match the glob `calls` through the proxy. The URL and the cookies of the page stay the same.
 */
export async function routeThroughProxy(
  pageOrContext: Page | BrowserContext,
  proxy: FaultProxy,
  calls: string,
): Promise<void> {
  const origin = proxy.origin.replace('127.0.0.1', 'localhost')
  await pageOrContext.route(calls, (route) => {
    const { pathname, search } = new URL(route.request().url())
    return route.continue({ url: origin + pathname + search })
  })
}

/** Holds the responses to requests that match a pattern until the returned function is called. */
export async function holdResponses(page: Page, pattern: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const fatalFaultPath = ({ testId }: TestInfo): string => join(RESULTS_FOLDER, 'fatal', testId)

/** Fails the retry of a test whose first run had a fatal fault. */
export function rejectRetryAfterFatalFault(info: TestInfo): void {
  if (info.retry > 0 && existsSync(fatalFaultPath(info)))
    throw new Error(`No second try after this fault:\n${readFileSync(fatalFaultPath(info), 'utf8')}`)
}

export function recordFatalFault(info: TestInfo, reason: string): void {
  mkdirSync(join(RESULTS_FOLDER, 'fatal'), { recursive: true })
  writeFileSync(fatalFaultPath(info), reason)
}

/**
 * Playwright test that fails if any of its pages has a console error, page error, CSP violation or failed same-origin
 * request that the test has not removed from `problems`.
 */
export const test = base.extend<Fixtures>({
  problems: [
    async ({ context, browser, baseURL }, use, info) => {
      rejectRetryAfterFatalFault(info)
      const problems: PageProblem[] = []
      const watch = (opened: BrowserContext) => watchProblems(opened, baseURL ?? '', problems)
      watch(context)
      browser.on('context', watch)
      await use(problems)
      browser.off('context', watch)
      removeIgnoredProblems(problems)
      const fatal = problems.filter(isFatal)
      if (fatal.length > 0) recordFatalFault(info, fatal.map(describeProblem).join('\n'))
      expect(problems.map(describeProblem)).toEqual([])
    },
    { auto: true },
  ],
  faults: async ({ baseURL }, provide) => {
    const proxy = await openFaultProxy()
    // The proxy has a different origin than the portal. The header makes the portal treat the requests as same-origin.
    proxy.forwardTo(baseURL ?? '', { 'sec-fetch-site': 'same-origin' })
    await provide(proxy)
    await proxy.close()
  },
})

export { expect }
