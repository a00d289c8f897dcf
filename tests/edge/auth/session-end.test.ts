import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openEdge, signIn, type EdgeStage } from '../../support/edge.ts'
import { scaled } from '../../support/machine.ts'
import { startSignIn, walkSignInPage } from '../../support/sign-in-walk.ts'
import type { Visitor } from '../../support/visitor.ts'
import { patience } from '../../support/patience.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'

/** Idle timeout: below the 30 days of production, but longer than any pause between requests on a busy machine. */
const IDLE_MS = 15_000
let edge: EdgeStage

beforeAll(async () => {
  edge = await openEdge({ SESSION_IDLE_MS: String(IDLE_MS) })
})
beforeEach(() => edge.proxy.heal())
afterAll(() => edge.close())

const me = async (visitor: Visitor) => (await visitor.get('/api/auth/me')).status
const sid = (visitor: Visitor) => visitor.cookie('__Host-Http-sid') ?? ''
function holding(cookie: string): Visitor {
  const visitor = edge.visitor()
  visitor.setCookie('__Host-Http-sid', cookie)
  return visitor
}
const revocations = () => edge.proxy.count('/oauth/revocation')
const logouts = () => edge.proxy.count('/api/v2/user/logout')

describe('a second sign-in in the same browser', () => {
  test('ends the first session and its tokens, but not the single sign-on that both share', async () => {
    const visitor = edge.visitor()
    await signIn(visitor)
    const first = sid(visitor)
    await signIn(visitor)
    expect(await me(holding(first))).toBe(401)
    expect(await me(visitor)).toBe(200)
    await expect.poll(revocations, patience).toBe(1)
    expect(logouts()).toBe(0)
    const silent = await walkSignInPage(visitor, await startSignIn(visitor, '/live'), 'nobody@example.com')
    expect(new URL(silent).searchParams.has('code')).toBe(true)
  })

  test('with another account ends everything of the first account', async () => {
    const visitor = edge.visitor()
    await signIn(visitor)
    const first = sid(visitor)
    visitor.cookies.delete(edge.proxy.origin)
    await signIn(visitor, '/live', 'free@example.com')
    expect(await me(holding(first))).toBe(401)
    expect(await (await visitor.get('/api/auth/me')).json()).toMatchObject({ user_account: 'free@example.com' })
    await expect.poll(logouts, patience).toBe(1)
  })

  test('that started in another tab before the first finished ends the first session too', async () => {
    const visitor = edge.visitor()
    const [firstUrl, two] = [await startSignIn(visitor, '/live'), await startSignIn(visitor, '/events')]
    await visitor.navigate(await walkSignInPage(visitor, firstUrl))
    const first = sid(visitor)
    await visitor.navigate(await walkSignInPage(visitor, two))
    expect(sid(visitor)).not.toBe(first)
    expect([await me(holding(first)), await me(visitor)]).toEqual([401, 200])
  })

  test('that fails leaves the first session alone', async () => {
    const visitor = edge.visitor()
    await signIn(visitor)
    await startSignIn(visitor, '/live')
    await visitor.navigate('/api/auth/callback?error=access_denied&state=%2Flive')
    expect(await me(visitor)).toBe(200)
  })

  test('notifies the provider once it is reachable, and no request waits for that', async () => {
    const visitor = edge.visitor()
    await signIn(visitor)
    edge.proxy.fail('/oauth/revocation', { kind: 'reset' }, 1)
    await signIn(visitor)
    expect(await me(visitor)).toBe(200)
    await expect.poll(revocations, { timeout: scaled(20_000), interval: 200 }).toBe(2)
  })
})

test('an unused session ends after the idle timeout, and a used session continues', async () => {
  const [used, left] = [edge.visitor(), edge.visitor()]
  await signIn(used)
  await signIn(left)
  const until = Date.now() + IDLE_MS * 1.5
  const pollUsed = async () => [await me(used), Date.now() > until]
  await expect.poll(pollUsed, { timeout: IDLE_MS * 3, interval: 1000 }).toEqual([200, true])
  expect(await me(left)).toBe(401)
  expect(await me(used)).toBe(200)
})

test('the provider is notified after every sign-in, and the sign-in does not wait for the response', async () => {
  const visitor = edge.visitor()
  edge.proxy.fail('/api/v2/user/status', { kind: 'hang' })
  expect((await signIn(visitor)).status).toBe(302)
  await expect.poll(() => edge.proxy.count('/api/v2/user/status'), patience).toBe(1)
  const statusCall = edge.proxy.seen.find(({ path }) => path === '/api/v2/user/status')
  expect([statusCall?.method, JSON.parse(statusCall?.body ?? '')]).toEqual(['POST', { source: 'login' }])
  expect(await me(visitor)).toBe(200)
})

test('sign-ins from one address are rate limited: 429 with Retry-After and the catalog text', async () => {
  const visitor = edge.visitor()
  await visitor.get('/api/auth/me')
  const start = () => visitor.post('/api/auth/authorize', { state: '/live', kount_session_id: 'k' })
  let answer = await start()
  for (let n = 0; n < 250 && answer.status === 200; n++) answer = await start()
  expect([answer.status, await answer.json()]).toEqual([429, { code: 429, msg: findCatalogEntry('429')?.text }])
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await me(visitor)).toBe(401)

  // Without JavaScript, the browser displays the response to the form, so the response must be a page.
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const form = { method: 'POST', body: 'state=', headers: { ...headers, origin: edge.portal } }
  const page = await visitor.fetch('/api/auth/authorize', form)
  expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
  expect(page.headers.get('retry-after')).toBe('60')
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-[\w+/]{43}='/)
  const html = await page.text()
  expect(html).toContain(findCatalogEntry('429')?.text)
  expect(html).toContain('href="/user/login"')
})
