import type { Locator, Page } from 'playwright/test'
import {
  expect,
  ignoreProblemsUntilEnd,
  SIGNED_IN_STATES,
  test,
  routeThroughProxy,
  type PageProblem,
} from '../support/e2e.ts'
import type { Fault } from '../support/fault-proxy.ts'
import { scaleTimeout } from '../support/machine.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

function ignoreProblemsOfFault(problems: PageProblem[], calls: RegExp, fault: Fault): void {
  if (fault.kind === 'answer' && fault.status >= 400)
    return ignoreProblemsUntilEnd(problems, { status: fault.status, path: calls })
  ignoreProblemsUntilEnd(problems, { network: /net::ERR_/, path: calls })
}
const PROVIDER_CALLS = /^\/api\/p\//
const CURRENT_USER_CALL = /^\/api\/auth\/me$/

const INJECTED_MARKUP = '<img src=x onerror="document.title=1">'
const createAnswerFault = (status: number, body: string, type = 'application/json'): Fault => ({
  kind: 'answer',
  status,
  body,
  type,
})
const FAULTS: Record<string, Fault> = {
  'a 500': createAnswerFault(500, JSON.stringify({ code: 500, msg: INJECTED_MARKUP })),
  'a 504': createAnswerFault(504, JSON.stringify({ code: 504, msg: '' })),
  'a body that breaks off': { kind: 'cut' },
  'garbage in place of JSON': createAnswerFault(200, '{"code":200,"data":[[['),
  'another shape than expected': createAnswerFault(200, '{"code":200,"data":{"surprise":1}}'),
  'a page in place of data': createAnswerFault(200, '<!doctype html><h1>Gateway</h1>', 'text/html'),
  'a connection that breaks': { kind: 'reset' },
}

/**
 * Faults that every test run covers. An entry with a path covers only the page at that path. Tests of other faults have
 * the tag `@all`, because the client handles all faults alike.
 */
const FAULTS_OF_EVERY_RUN = ['a 500', 'garbage in place of JSON /events', 'a connection that breaks /account/services']
const selectTag = (...names: readonly string[]) =>
  names.some((name) => FAULTS_OF_EVERY_RUN.includes(name)) ? [] : ['@all']

/** Pages that show data: path, locator of the retry button beside a failure message, locator of the loaded content. */
const FAULT_PAGES: [path: string, trouble: (page: Page) => Locator, content: (page: Page) => Locator][] = [
  [
    // The cameras of the last visit remain; each tile shows why it does not play and retries automatically.
    '/live',
    (page) =>
      page
        .getByRole('status')
        .filter({ hasText: /^Can’t reach Porchlight/ })
        .getByRole('button', { name: 'Try again' }),
    (page) => page.getByText(/[1-6] of 6 live/),
  ],
  [
    '/events',
    (page) =>
      page
        .getByRole('alert')
        .filter({ hasText: /[A-Z][^.]{15,}\./ })
        .getByRole('button', { name: 'Try again' }),
    (page) => page.getByRole('main').getByRole('listitem'),
  ],
  [
    '/account/services',
    (page) =>
      page
        .getByRole('alert')
        .filter({ hasText: /[A-Z][^.]{15,}\./ })
        .getByRole('button', { name: 'Try again' }),
    (page) => page.getByRole('heading', { name: 'Unlimited Cameras', exact: true }),
  ],
]

for (const [name, fault] of Object.entries(FAULTS))
  for (const [path, retryButton, content] of FAULT_PAGES)
    test(
      `${name} from every call: ${path} shows the failure and recovers`,
      { tag: selectTag(name, `${name} ${path}`) },
      async ({ page, faults, problems }) => {
        ignoreProblemsOfFault(problems, PROVIDER_CALLS, fault)
        await routeThroughProxy(page, faults, '**/api/p/**')
        faults.fail('/api/p/', fault)
        await page.goto(path)
        await expect(retryButton(page).first()).toBeVisible()
        expect(new URL(page.url()).pathname).toBe(path)
        await expect(page).not.toHaveTitle('1')
        faults.clearFaults()
        // A page that retries automatically may recover before the test can press the retry button.
        await expect(async () => {
          if (await content(page).first().isVisible()) return
          await retryButton(page).first().click({ timeout: 2000 })
        }).toPass()
        await expect(content(page).first()).toBeVisible()
      },
    )

for (const [name, fault] of Object.entries(FAULTS).filter(([kind]) => !/shape|garbage|page/.test(kind))) {
  test(
    `OPEN-163 ${name} from the current-user call: the page shows the failure and recovers automatically`,
    { tag: '@all' },
    async ({ page, faults, problems }) => {
      ignoreProblemsOfFault(problems, CURRENT_USER_CALL, fault)
      await routeThroughProxy(page, faults, '**/api/auth/me')
      faults.fail('/api/auth/me', fault)
      await page.goto('/account/billing')
      await expect(page.getByRole('heading', { name: /^Can’t reach/ })).toBeVisible()
      await expect(page.getByText('loading...')).toBeHidden()
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      // The sign-in state is unknown, so the page shows no "Log in" link.
      await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toHaveCount(0)
      faults.clearFaults()
      await expect(page.getByRole('heading', { name: 'Invoices', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    },
  )
}

test('OPEN-163 a page whose script fails to load shows the failure, and Try again recovers', async ({
  page,
  problems,
}) => {
  ignoreProblemsUntilEnd(
    problems,
    { network: /ERR_FAILED/, path: /^\/_astro\/Events\..*\.js/ },
    { console: /^\[astro-island\] Error hydrating \/_astro\/Events\./ },
  )
  await page.route('**/_astro/Events.*.js*', (route) => route.abort())
  await page.goto('/events')
  await expect(page.getByRole('heading', { name: /^Can’t reach/ })).toBeVisible()
  await expect(page.locator('#content')).toBeHidden()
  await page.unroute('**/_astro/Events.*.js*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
})

test('OPEN-163 without a response and without its scripts, the page still shows an error message', async ({
  page,
  faults,
  problems,
}) => {
  const scripts = /^\/_astro\/(sign-in|retry-current-user|record-requests)\./
  ignoreProblemsUntilEnd(
    problems,
    { network: /net::ERR_/, path: CURRENT_USER_CALL },
    { network: /ERR_FAILED/, path: scripts },
  )
  await routeThroughProxy(page, faults, '**/api/auth/me')
  faults.fail('/api/auth/me', { kind: 'reset' })
  await page.route(
    (url) => scripts.test(url.pathname),
    (route) => route.abort(),
  )
  await page.goto('/account/billing')
  await expect(page.getByRole('heading', { name: /^Can’t reach/ })).toBeVisible()
  await expect(page.getByText('loading...')).toBeHidden()
})

test('a slow response shows a loading state, then the content', { tag: '@all' }, async ({ page }) => {
  for (const [path, , content] of FAULT_PAGES.slice(1)) {
    const seen = Promise.withResolvers<undefined>()
    await page.route('**/api/p/**', async (route) => {
      await seen.promise
      await route.continue()
    })
    await page.goto(path)
    await expect(page.locator('#content').locator('.skeleton, [aria-busy=true]').first(), path).toBeVisible()
    seen.resolve(undefined)
    await expect(content(page).first(), path).toBeVisible()
    await page.unroute('**/api/p/**')
  }
})

/** Shortens request timeouts tenfold: 30 s become 3 s. */
function shortenTimeouts(): void {
  const createTimeout = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) => createTimeout(ms / 10)
}

test(
  'calls without a response end in an error on every page, not an endless wait',
  { tag: '@all' },
  async ({ context, faults, problems }) => {
    test.slow()
    ignoreProblemsUntilEnd(problems, { network: /net::ERR_/, path: PROVIDER_CALLS })
    faults.fail('/api/p/', { kind: 'hang' })
    await context.addInitScript(shortenTimeouts)
    for (const [path, retryButton] of FAULT_PAGES) {
      const page = await context.newPage()
      await routeThroughProxy(page, faults, '**/api/p/**')
      await page.goto(path)
      await expect(retryButton(page).first(), path).toBeVisible({ timeout: scaleTimeout(27_000) })
    }
  },
)

test('server text that contains markup is shown as plain text', async ({ page }) => {
  await page.addInitScript(
    (text) => window === top && sessionStorage.setItem('next_toast', `error ${text}`),
    INJECTED_MARKUP,
  )
  await page.goto('/account/billing', { waitUntil: 'commit' })
  await expect(page.getByRole('alert').filter({ hasText: INJECTED_MARKUP })).toBeVisible()
  await expect(page).toHaveTitle('Web Portal')
})
