import { test as base, expect, type BrowserContext, type Locator, type Page } from 'playwright/test'
import { RESULTS } from './results.ts'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'

/** Where the set-up leaves each account's cookies and storage. */
export const SIGNED_IN = { owner: `${RESULTS}/owner.json`, free: `${RESULTS}/free.json` } as const

/** Signs in on the provider's own page; ends where the portal sends the person. */
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
  /** What went wrong behind the pages' backs; a test that provokes a failure leaves that one out. */
  problems: string[]
  /** A proxy in front of the portal that tests can break; only what `throughProxy` names passes it. */
  faults: FaultProxy
}

/** Leaves out the problems that a test provokes, by their status or the browser's word for them. */
export function forgive(problems: string[], provoked: RegExp): void {
  problems.splice(0, problems.length, ...problems.filter((problem) => !provoked.test(problem)))
}

/** What a test goes on provoking while it ends. */
const lasting = new WeakMap<string[], RegExp>()

/** The same for good: where something stays broken, pages ask it again at any moment until they are closed. */
export function forgiveToTheEnd(problems: string[], provoked: RegExp): void {
  forgive(problems, provoked)
  lasting.set(problems, provoked)
}

/** What Chromium says of a change of pages whose animation a further navigation or a resized window ends; reports leave it out too. */
const isEndedTransition = ({ name, message }: Error) =>
  ['AbortError', 'InvalidStateError'].includes(name) && /^Transition was (skipped|aborted)/.test(message)

/** These calls of the page pass the proxy; its address and its cookies stay what they are. */
export async function throughProxy(on: Page | BrowserContext, proxy: FaultProxy, calls: string): Promise<void> {
  const origin = proxy.origin.replace('127.0.0.1', 'localhost')
  await on.route(calls, (route) => {
    const { pathname, search } = new URL(route.request().url())
    return route.continue({ url: origin + pathname + search })
  })
}

/** Every console error, page error, CSP violation and failed same-origin request of any page of the test fails it. */
export const test = base.extend<Fixtures>({
  problems: [
    async ({ context, browser, baseURL }, use) => {
      const problems: string[] = []
      const watch = (one: BrowserContext) => {
        one.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`))
        one.on('weberror', (event) => {
          const error = event.error()
          if (!isEndedTransition(error)) problems.push(`page: ${error.message}`)
        })
        one.on('requestfailed', (request) => {
          const reason = request.failure()?.errorText ?? ''
          // A navigation that leaves a page ends what that page was still loading.
          if (request.url().startsWith(baseURL ?? '') && reason !== 'net::ERR_ABORTED')
            problems.push(`request: ${request.url()} ${reason}`)
        })
      }
      watch(context)
      browser.on('context', watch)
      await use(problems)
      browser.off('context', watch)
      const late = lasting.get(problems)
      if (late) forgive(problems, late)
      expect(problems).toEqual([])
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
