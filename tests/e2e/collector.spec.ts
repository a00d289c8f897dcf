import type { Page } from 'playwright/test'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/admin.ts'
import { collectorList } from '../../contract/fraud.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { expect, forgive, signIn, test } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'

const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS}/data/run.env`)
const COLLECTED = /\/(cs\/\w+|session\/\w+|logo\.htm|fin)(\?|$)/

/** Signs in on the provider's page, and is on the portal's page that follows. */
async function enter(page: Page): Promise<void> {
  await signIn(page, 'owner@example.com')
  await page.waitForURL(({ origin, pathname }) => origin !== PROVIDER_ORIGIN && !pathname.startsWith('/user/'))
  await expect(page.getByRole('main')).toBeVisible()
}

/** What the host keeps of a session. */
async function kept(id: string) {
  const answer = await fetch(PROVIDER_ORIGIN + ADMIN_PATHS.collector, {
    headers: { authorization: `Admin ${ADMIN_KEY}` },
  })
  return v.parse(collectorList, await answer.json()).data.sessions.find(({ session }) => session === id)
}

test('FRAUD-01 FRAUD-02 CALL-66 the session that a sign-in is asked for with is the collector’s, at its own host', async ({
  page,
  problems,
  baseURL,
}) => {
  const asked: URL[] = []
  page.on('request', (request) => void (COLLECTED.test(request.url()) && asked.push(new URL(request.url()))))
  const authorized = page.waitForRequest((request) => new URL(request.url()).searchParams.has('kount_session_id'))
  await page.goto('/user/login')
  const session = new URL((await authorized).url()).searchParams.get('kount_session_id') ?? ''
  await expect(page.getByLabel('E-mail')).toBeVisible()
  await expect.poll(() => kept(session)).toMatchObject({ previous: '', facts: null })

  await enter(page)
  // The frame has told what it found, and is gone.
  await expect.poll(async () => (await kept(session))?.facts).toMatchObject({ language: 'en-US', touch: false })
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(new Set(asked.map(({ origin }) => origin))).toEqual(new Set([PROVIDER_ORIGIN]))
  expect(PROVIDER_ORIGIN).not.toBe(new URL(baseURL ?? '').origin)
  expect(asked.map(({ pathname }) => pathname)).toContain('/cs/config')
  forgive(problems, /401/)
})

test('FRAUD-18 FRAUD-19 FRAUD-51 a hidden frame of one pixel begins once there is a value, and goes when it has told', async ({
  page,
  problems,
}) => {
  await page.addInitScript(() => {
    const seen = { begun: [] as unknown[], gone: 0 }
    Object.assign(window, { seen })
    new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        for (const node of addedNodes) {
          if (!(node instanceof HTMLIFrameElement)) continue
          const { src, width, height, hidden, tabIndex, sandbox } = node
          const value = localStorage.getItem('browser_first_party') ?? ''
          const isKept = value !== '' && document.cookie.includes(`browser_first_party=${value}`)
          seen.begun.push({ src, width, height, hidden, tabIndex, sandbox: sandbox.value, isKept })
        }
        for (const node of removedNodes) if (node instanceof HTMLIFrameElement) seen.gone += 1
      }
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/user/login')
  await enter(page)
  type Seen = { begun: { src: string }[]; gone: number }
  const seen = () => page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  await expect.poll(async () => (await seen()).gone).toBe(1)
  const { begun } = await seen()
  expect(begun).toHaveLength(1)
  expect(begun[0]).toMatchObject({
    ...{ width: '1', height: '1', hidden: true, tabIndex: -1, isKept: true },
    sandbox: 'allow-scripts allow-same-origin',
  })
  const { origin, pathname, searchParams } = new URL(begun[0]?.src ?? '')
  expect([origin, pathname, [...searchParams.keys()]]).toEqual([
    PROVIDER_ORIGIN,
    '/logo.htm',
    ['m', 's', 'sv', 'kddcgid'],
  ])
  forgive(problems, /401/)
})

test('FRAUD-36 CALL-65 the host hears by a beacon that a page was left', async ({ page, problems }) => {
  const authorized = page.waitForRequest((request) => new URL(request.url()).searchParams.has('kount_session_id'))
  await page.goto('/user/login')
  const session = new URL((await authorized).url()).searchParams.get('kount_session_id') ?? ''
  await enter(page)
  await expect.poll(async () => (await kept(session))?.facts).not.toBeNull()
  expect((await kept(session))?.ended_at).toBeNull()
  await page.goto('/')
  await expect.poll(async () => (await kept(session))?.ended_at).toEqual(expect.any(Number))
  forgive(problems, /401/)
})

test('a sign-in does not wait for a host that is not there, and the page says nothing of it', async ({
  page,
  problems,
}) => {
  await page.route(COLLECTED, (route) => route.abort('connectionrefused'))
  await page.goto('/user/login')
  await enter(page)
  const tried = page.waitForRequest((request) => request.url().includes('/cs/config'))
  await page.goto('/account')
  await tried
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The browser itself notes each request that it could not send.
  forgive(problems, /401|net::ERR_CONNECTION_REFUSED/)
})

for (const [rows, calls] of [
  ['CALL-59 CALL-60', ['GET /cs/config', 'GET /cs/generatecookie']],
  ['CALL-62 CALL-64', ['POST /session/*', 'GET /logo.htm']],
] as const)
  test(`${rows} a browser that is new asks the host by ${calls.join(', ')}, and is answered`, async ({
    page,
    problems,
  }) => {
    const answered: string[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (COLLECTED.test(response.url()) && response.ok())
        answered.push(`${response.request().method()} ${pathname.replace(/(\/session\/).*/, '$1*')}`)
    })
    await page.goto('/user/login')
    await enter(page)
    await expect.poll(() => answered).toEqual(expect.arrayContaining([...calls]))
    forgive(problems, /401/)
  })
