import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { startSignIn, completeSignInPage } from '../../support/sign-in-walk.ts'
import type { Visitor } from '../../support/visitor.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { TIME_ZONE_COOKIE } from '../../../contract/wire/constants.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'

/** Idle timeout: below the 30 days of production, but longer than any pause between requests on a busy machine. */
const IDLE_TIMEOUT_MS = 15_000
let edge: EdgeDeployment

beforeAll(async () => {
  edge = await openEdge({ SESSION_IDLE_MS: String(IDLE_TIMEOUT_MS) })
})
beforeEach(() => edge.proxy.clearFaults())
afterAll(() => edge.close())

const fetchMeStatus = async (visitor: Visitor) => (await visitor.get('/api/auth/me')).status
const getSessionCookie = (visitor: Visitor) => visitor.sessionCookie ?? ''
function openVisitorWithCookie(cookie: string): Visitor {
  const visitor = edge.visitor()
  visitor.sessionCookie = cookie
  return visitor
}
const countRevocations = () => edge.proxy.count('/oauth/revocation')
const countLogouts = () => edge.proxy.count('/api/v2/user/logout')

describe('a second sign-in in the same browser', () => {
  test('ends the first session and its tokens, but not the single sign-on that both share', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    const first = getSessionCookie(visitor)
    await signInThroughEdge(visitor)
    expect(await fetchMeStatus(openVisitorWithCookie(first))).toBe(401)
    expect(await fetchMeStatus(visitor)).toBe(200)
    await expect.poll(countRevocations, WAIT_OPTIONS).toBe(1)
    expect(countLogouts()).toBe(0)
    const silent = await completeSignInPage(visitor, await startSignIn(visitor, '/live'), 'nobody@example.com')
    expect(new URL(silent).searchParams.has('code')).toBe(true)
  })

  test('with another account ends everything of the first account', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    const first = getSessionCookie(visitor)
    visitor.cookies.delete(edge.proxy.origin)
    await signInThroughEdge(visitor, '/live', 'free@example.com')
    expect(await fetchMeStatus(openVisitorWithCookie(first))).toBe(401)
    expect(await (await visitor.get('/api/auth/me')).json()).toMatchObject({ user_account: 'free@example.com' })
    await expect.poll(countLogouts, WAIT_OPTIONS).toBe(1)
  })

  test('that started in another tab before the first finished ends the first session too', async () => {
    const visitor = edge.visitor()
    const [firstUrl, secondUrl] = [await startSignIn(visitor, '/live'), await startSignIn(visitor, '/events')]
    await visitor.navigate(await completeSignInPage(visitor, firstUrl))
    const first = getSessionCookie(visitor)
    await visitor.navigate(await completeSignInPage(visitor, secondUrl))
    expect(getSessionCookie(visitor)).not.toBe(first)
    expect([await fetchMeStatus(openVisitorWithCookie(first)), await fetchMeStatus(visitor)]).toEqual([401, 200])
  })

  test('that fails leaves the first session alone', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    await startSignIn(visitor, '/live')
    await visitor.navigate('/api/auth/callback?error=access_denied&state=%2Flive')
    expect(await fetchMeStatus(visitor)).toBe(200)
  })

  test('notifies the provider once it is reachable, and no request waits for that', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    edge.proxy.fail('/oauth/revocation', { kind: 'reset' }, 1)
    await signInThroughEdge(visitor)
    expect(await fetchMeStatus(visitor)).toBe(200)
    await expect.poll(countRevocations, { timeout: scaleTimeout(20_000), interval: 200 }).toBe(2)
  })
})

test('an unused session ends after the idle timeout, and a used session continues', async () => {
  const [used, unused] = [edge.visitor(), edge.visitor()]
  await signInThroughEdge(used)
  await signInThroughEdge(unused)
  const until = Date.now() + IDLE_TIMEOUT_MS * 1.5
  const pollUsed = async () => [await fetchMeStatus(used), Date.now() > until]
  await expect.poll(pollUsed, { timeout: IDLE_TIMEOUT_MS * 3, interval: 1000 }).toEqual([200, true])
  expect(await fetchMeStatus(unused)).toBe(401)
  expect(await fetchMeStatus(used)).toBe(200)
})

test('the provider is notified after every sign-in, and the sign-in does not wait for the response', async () => {
  const visitor = edge.visitor()
  edge.proxy.fail('/api/v2/user/status', { kind: 'hang' })
  expect((await signInThroughEdge(visitor)).status).toBe(302)
  await expect.poll(() => edge.proxy.count('/api/v2/user/status'), WAIT_OPTIONS).toBe(1)
  const statusCall = edge.proxy.requests.find(({ path }) => path === '/api/v2/user/status')
  expect([statusCall?.method, JSON.parse(statusCall?.body ?? '')]).toEqual(['POST', { source: 'login' }])
  expect(await fetchMeStatus(visitor)).toBe(200)
})

test.each([
  ['Europe/Berlin', { source: 'login', time_zone: 'Europe/Berlin' }],
  ['<script>', { source: 'login' }],
])('OPEN-168 the provider learns the time zone of the browser that signs in: %s', async (zone, body) => {
  const visitor = edge.visitor()
  visitor.setCookie(TIME_ZONE_COOKIE, zone)
  await signInThroughEdge(visitor)
  const findCalls = () => edge.proxy.requests.filter(({ path }) => path === '/api/v2/user/status')
  await expect.poll(() => findCalls().length, WAIT_OPTIONS).toBe(1)
  expect(JSON.parse(findCalls()[0]?.body ?? '')).toEqual(body)
})

test('sign-ins from one address are rate limited: 429 with Retry-After and the catalog text', async () => {
  const visitor = edge.visitor()
  await visitor.get('/api/auth/me')
  const start = () => visitor.post('/api/auth/authorize', { state: '/live', kount_session_id: 'k' })
  let answer = await start()
  for (let n = 0; n < 250 && answer.status === 200; n++) answer = await start()
  expect([answer.status, await answer.json()]).toEqual([429, { code: 429, msg: findCatalogEntry('429')?.text }])
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await fetchMeStatus(visitor)).toBe(401)

  // Without JavaScript, the browser displays the response to the form, so the response must be a page.
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const form = { method: 'POST', body: 'state=', headers: { ...headers, origin: edge.portalOrigin } }
  const page = await visitor.fetch('/api/auth/authorize', form)
  expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8'])
  expect(page.headers.get('retry-after')).toBe('60')
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-[\w+/]{43}='/)
  const html = await page.text()
  expect(html).toContain(findCatalogEntry('429')?.text)
  expect(html).toContain('href="/user/login"')
})
