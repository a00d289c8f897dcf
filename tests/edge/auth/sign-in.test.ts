import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PREFER_200_IF_SIGNED_OUT } from '../../../contract/wire/constants.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { startSignIn, completeSignInPage } from '../../support/sign-in-walk.ts'

let edge: EdgeDeployment

beforeAll(async () => {
  edge = await openEdge()
})
beforeEach(() => edge.proxy.clearFaults())
afterAll(() => edge.close())

const getRedirectLocation = (answer: Response) => {
  expect(answer.status).toBe(302)
  return answer.headers.get('location')
}
const parseCookieAttributes = (answer: Response) =>
  Object.fromEntries(
    answer.headers.getSetCookie().map((line) => {
      const [pair = '', ...rest] = line.split('; ')
      return [pair.split('=')[0], rest]
    }),
  )

describe('sign-in', () => {
  test('AUTH-23 goes through the authorization, token and user info endpoints', async () => {
    const visitor = edge.visitor()
    expect(getRedirectLocation(await signInThroughEdge(visitor, '/events?x=1'))).toBe(
      `/user/callback?redirect_uri=${encodeURIComponent(`${edge.portalOrigin}/events?x=1`)}`,
    )
    const paths = edge.proxy.requests.map(({ path }) => path.split('?')[0])
    for (const path of ['/oauth/authorize', '/oauth/token', '/oauth/userinfo']) expect(paths).toContain(path)
    const me = await visitor.get('/api/auth/me')
    expect(await me.json()).toMatchObject({ code: 200, user_account: 'owner@example.com' })
  })

  test('sends state and device session unchanged, and does not send the verifier', async () => {
    const visitor = edge.visitor()
    const url = await startSignIn(visitor, '/live?a=1&b=%2F')
    expect(url.searchParams.get('state')).toBe('/live?a=1&b=%2F')
    expect(url.searchParams.get('kount_session_id')).toBe('test-device')
    expect(url.searchParams.get('code_challenge')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(url.searchParams.has('code_verifier')).toBe(false)
  })

  test('sets cookies that no script and no other site can use, except the two readable ones', async () => {
    const visitor = edge.visitor()
    const url = await startSignIn(visitor, '/live')
    const again = await visitor.post('/api/auth/authorize', { state: '/live', kount_session_id: 'k' })
    const [pending = ''] = Object.keys(parseCookieAttributes(again)).filter((name) => name.startsWith('tx-'))
    expect(parseCookieAttributes(again)[pending]).toEqual(['Max-Age=600', 'Path=/', 'HttpOnly', 'SameSite=Lax'])
    const callback = parseCookieAttributes(await visitor.navigate(await completeSignInPage(visitor, url)))
    const fortnight = 'Max-Age=1209600'
    expect(callback['sid']).toEqual([fortnight, 'Path=/', 'HttpOnly', 'SameSite=Strict'])
    expect(callback['signed_in']).toEqual([fortnight, 'Path=/', 'SameSite=Strict'])
    const me = parseCookieAttributes(await edge.visitor().get('/api/auth/me'))
    expect(me['XSRF-TOKEN']).toEqual(['Path=/', 'SameSite=Strict'])
  })

  test('from the login page has an empty state and leaves the landing page to the callback page', async () => {
    const visitor = edge.visitor()
    const url = await startSignIn(visitor, '')
    expect(url.searchParams.get('state')).toBe('')
    expect(getRedirectLocation(await visitor.navigate(await completeSignInPage(visitor, url)))).toBe('/user/callback')
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
  })

  test('returns 200 for a missing session to a page that opts in, and 401 to others', async () => {
    const visitor = edge.visitor()
    const response = await visitor.fetch('/api/auth/me', {
      headers: { 'sec-fetch-site': 'same-origin', prefer: PREFER_200_IF_SIGNED_OUT },
    })
    expect([response.status, await response.json()]).toEqual([200, { code: 401, msg: 'Log in to continue.' }])
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  test('creates a new session id every time', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    const first = visitor.sessionCookie
    await signInThroughEdge(visitor)
    expect(visitor.sessionCookie).not.toBe(first)
    expect(visitor.listPendingAuthorizations()).toEqual([])
  })

  test('works in several tabs that all start before the first one finishes', async () => {
    const visitor = edge.visitor()
    const paths = ['/live', '/events', '/account/billing', '/account/services']
    const urls = await Promise.all(paths.map((path) => startSignIn(visitor, path)))
    for (const [index, url] of urls.entries()) {
      const expected = `/user/callback?${new URLSearchParams({ redirect_uri: edge.portalOrigin + paths[index] }).toString()}`
      expect(getRedirectLocation(await visitor.navigate(await completeSignInPage(visitor, url)))).toBe(expected)
    }
    expect(visitor.listPendingAuthorizations()).toEqual([])
  })

  test('keeps at most four abandoned authorization requests', async () => {
    const visitor = edge.visitor()
    for (let attempt = 0; attempt < 10; attempt++) await startSignIn(visitor, `/live?${attempt}`)
    expect(visitor.listPendingAuthorizations()).toHaveLength(4)
  })

  test('works in two tabs that requested the same page, in either order', async () => {
    const visitor = edge.visitor()
    const urls = [await startSignIn(visitor, '/live'), await startSignIn(visitor, '/live')]
    for (const url of urls) {
      expect(getRedirectLocation(await visitor.navigate(await completeSignInPage(visitor, url)))).toMatch(
        /^\/user\/callback\?/,
      )
    }
  })

  test('works without JavaScript as a form that redirects to the provider', async () => {
    const visitor = edge.visitor()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: edge.portalOrigin,
      'sec-fetch-site': 'same-origin',
    }
    const answer = await visitor.fetch('/api/auth/authorize', { method: 'POST', body: 'state=', headers })
    expect(answer.status).toBe(303)
    const url = new URL(answer.headers.get('location') ?? '')
    expect(url.searchParams.get('kount_session_id')).toMatch(/^[A-Za-z0-9_-]{32}$/)
    expect(getRedirectLocation(await visitor.navigate(await completeSignInPage(visitor, url)))).toBe('/user/callback')
    const formResponse = await visitor.fetch('/api/auth/authorize', {
      method: 'POST',
      body: 'state=&kount_session_id=device_1',
      headers,
    })
    const deviceUrl = new URL(formResponse.headers.get('location') ?? '')
    expect(deviceUrl.searchParams.get('kount_session_id')).toBe('device_1')
  })
})

describe('unsolicited callback', () => {
  const errorPath = '/user/redirect?error=invalid_request'

  test('opens no session', async () => {
    const visitor = edge.visitor()
    const answer = await visitor.navigate('/api/auth/callback?code=abc&state=%2Flive')
    expect(getRedirectLocation(answer)).toBe(errorPath)
    expect(answer.headers.getSetCookie().join()).not.toContain('sid')
  })

  test('opens no session in a browser other than the one that started the sign-in', async () => {
    const [victim, attacker] = [edge.visitor(), edge.visitor()]
    await startSignIn(victim, '/live')
    const callback = await completeSignInPage(attacker, await startSignIn(attacker, '/live'))
    expect(getRedirectLocation(await victim.navigate(callback))).toBe('/user/redirect?error=invalid_grant')
    expect((await victim.get('/api/auth/me')).status).toBe(401)
  })

  test('with a changed state opens no session', async () => {
    const visitor = edge.visitor()
    const callback = new URL(await completeSignInPage(visitor, await startSignIn(visitor, '/live')))
    callback.searchParams.set('state', '/account/billing')
    expect(getRedirectLocation(await visitor.navigate(callback.href))).toBe(errorPath)
  })

  test('cannot be replayed', async () => {
    const visitor = edge.visitor()
    const callback = await completeSignInPage(visitor, await startSignIn(visitor, '/live'))
    await visitor.navigate(callback)
    expect(getRedirectLocation(await visitor.navigate(callback))).toBe(errorPath)
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
  })
})

describe('failed sign-in', () => {
  test.each([
    ['access_denied', 'access_denied'],
    ['<script>', 'server_error'],
  ])('with the provider error %s lands on a page with the code %s', async (error, code) => {
    const visitor = edge.visitor()
    await startSignIn(visitor, '/live')
    const answer = await visitor.navigate(
      `/api/auth/callback?${new URLSearchParams({ error, state: '/live' }).toString()}`,
    )
    expect(getRedirectLocation(answer)).toBe(`/user/redirect?error=${code}`)
    expect(visitor.listPendingAuthorizations()).toEqual([])
  })

  test.each([
    ['is broken', { kind: 'answer', status: 500, body: 'oops', type: 'text/plain' }],
    ['returns invalid JSON', { kind: 'answer', status: 200, body: '<html>' }],
    ['breaks the connection', { kind: 'reset' }],
  ] as const)('because the token endpoint %s lands on a page with the reason', async (_, fault) => {
    const visitor = edge.visitor()
    const callback = await completeSignInPage(visitor, await startSignIn(visitor, '/live'))
    edge.proxy.fail('/oauth/token', fault)
    expect(getRedirectLocation(await visitor.navigate(callback))).toBe('/user/redirect?error=temporarily_unavailable')
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  test.each([
    '//evil.test',
    'https://evil.test/',
    '/\\evil.test',
    'live',
    '/user/login',
    '/%75ser/callback',
    '/live/../user/logout',
  ])('OPEN-135 does not start for the state %s', async (state) => {
    const visitor = edge.visitor()
    await visitor.get('/api/auth/me')
    const answer = await visitor.post('/api/auth/authorize', { state, kount_session_id: 'k' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 400 })
  })
})

describe('sign-out', () => {
  test('ends the session, its tokens and the single sign-on behind them', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    const sid = visitor.sessionCookie ?? ''
    edge.proxy.clearFaults()
    const answer = await visitor.post('/api/auth/logout')
    expect(await answer.json()).toEqual({ code: 200 })
    expect([visitor.sessionCookie, visitor.getCookie('signed_in')]).toEqual([undefined, undefined])
    expect(edge.proxy.count('/oauth/revocation')).toBe(1)

    visitor.sessionCookie = sid
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
    const url = await startSignIn(visitor, '/live')
    let page = await visitor.navigate(url.href)
    page = await visitor.navigate(new URL(page.headers.get('location') ?? '', url).href)
    expect(await page.text()).toContain('type="password"')
  })

  test('works without a session and while the provider is down, and notifies the provider later', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    edge.proxy.fail('/', { kind: 'reset' })
    expect((await visitor.post('/api/auth/logout')).status).toBe(200)
    expect((await visitor.post('/api/auth/logout')).status).toBe(200)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
    expect(edge.proxy.count('/api/v2/user/logout')).toBe(1)

    edge.proxy.clearFaults()
    await expect
      .poll(() => edge.proxy.count('/oauth/revocation'), { timeout: scaleTimeout(20_000), interval: 200 })
      .toBe(1)
    expect(edge.proxy.count('/api/v2/user/logout')).toBe(1)
  })
})

test('a session cookie with a forged tag is not accepted', async () => {
  const visitor = edge.visitor()
  await signInThroughEdge(visitor)
  const [id = ''] = (visitor.sessionCookie ?? '').split('.')
  visitor.sessionCookie = `${id}.${'A'.repeat(43)}`
  const answer = await visitor.get('/api/auth/me')
  expect(answer.status).toBe(401)
  expect(visitor.sessionCookie).toBeUndefined()
})
