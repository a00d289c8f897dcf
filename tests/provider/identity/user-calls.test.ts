import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { santaRefresh, userLogin, userLogout, userMe, userStatus } from '../../../contract/auth/user-calls.ts'
import { hashToken } from '../../../provider/platform/crypto/token-hash.ts'
import type { Env } from '../../../provider/env.ts'
import { startFlow, resolveRedirects, sendCallAsEdge, signInAtProvider } from '../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { Visitor } from '../../support/visitor.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
})
afterAll(() => deployment.close())

const OWNER_CREDENTIALS = { email: 'owner@example.com', password: 'porchlight' }
const getDatabase = async () => ((await deployment.provider.getWorker().getEnv()) as Env).DB
const readStatusAndCode = async (answer: Response) => [answer.status, ((await answer.json()) as { code: unknown }).code]

describe('user/login', () => {
  let visitor: Visitor
  beforeEach(() => {
    visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
  })
  const login = (body: unknown, headers: Record<string, string> = {}, query = '?source=web') =>
    visitor.fetch(deployment.env.PROVIDER_ORIGIN + userLogin.path + query, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  test('CALL-01 accepts credentials, returns code and status, and signs the browser in at the provider', async () => {
    const answer = await login(OWNER_CREDENTIALS)
    expect([answer.status, await answer.json()]).toEqual([200, { code: 200, status: 'signed_in' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/httponly/i)
    const { url: pageUrl } = await resolveRedirects(visitor, deployment.env, startFlow(deployment.env).url)
    expect(pageUrl.searchParams.has('code')).toBe(true)
  })

  test('rejects a wrong password and an unknown address with the same response', async () => {
    const [wrong, unknown] = [
      await login({ ...OWNER_CREDENTIALS, password: 'x' }),
      await login({ email: 'nobody@example.com', password: 'x' }),
    ]
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(await wrong.json()).toEqual(await unknown.json())
    expect(wrong.headers.getSetCookie()).toEqual([])
  })

  test.each([
    ['without a source', OWNER_CREDENTIALS, {}, ''],
    ['with half of the credentials', { email: OWNER_CREDENTIALS.email }, {}, '?source=web'],
    ['with the content type of an HTML form', OWNER_CREDENTIALS, { 'content-type': 'text/plain' }, '?source=web'],
  ])('rejects a request %s with 400', async (_, body, headers, query) => {
    expect(await readStatusAndCode(await login(body, headers, query))).toEqual([400, 400])
  })

  test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])(
    'rejects another site (%j) with 403',
    async (headers) => {
      expect(await readStatusAndCode(await login(OWNER_CREDENTIALS, headers))).toEqual([403, 403])
    },
  )

  test('rejects any password after ten wrong ones, and states the wait', async () => {
    for (let n = 0; n < 10; n++) await login({ email: 'free@example.com', password: `wrong ${n}` })
    const answer = await login({ email: 'free@example.com', password: 'porchlight' })
    expect(await readStatusAndCode(answer)).toEqual([429, 429])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const counter = await deployment.provider.getWorker().getDurableObjectStorage('GUARDS', { name: 'ip:127.0.0.1' })
    await counter.exec('DELETE FROM attempts')
  })
})

describe('user/status', () => {
  test('CALL-03 with source login returns the status and records the sign-in', async () => {
    const { access_token: token } = await signInAtProvider(deployment.env)
    const begin = Date.now()
    const answer = await sendCallAsEdge(deployment.env, userStatus, token, { payload: { source: 'login' } })
    expect([answer.status, await answer.json()]).toEqual([200, { code: 200, status: 'active' }])
    const lastSignInAt = await (
      await getDatabase()
    )
      .prepare('SELECT last_sign_in_at FROM accounts WHERE email = ?')
      .bind('owner@example.com')
      .first<number>('last_sign_in_at')
    expect(lastSignInAt).toBeGreaterThanOrEqual(begin)
  })

  test('CALL-03 rejects any other source with 400', async () => {
    const { access_token: token } = await signInAtProvider(deployment.env)
    for (const payload of [{}, { source: 'app' }])
      expect(await readStatusAndCode(await sendCallAsEdge(deployment.env, userStatus, token, { payload }))).toEqual([
        400, 400,
      ])
  })
})

describe('santa/refresh', () => {
  const buildRefreshUrl = (query = '?tag=webview') => deployment.env.PROVIDER_ORIGIN + santaRefresh.path + query
  const refreshToken = (token: string, headers: Record<string, string> = {}, query?: string) =>
    new Visitor(deployment.env.PORTAL_ORIGIN).fetch(buildRefreshUrl(query), {
      headers: { authorization: token, ...headers },
    })
  const fetchUserMeStatus = async (token: string) => (await sendCallAsEdge(deployment.env, userMe, token)).status

  test('CALL-16 returns a fresh access_token and code 200 for the token alone, neither cached nor shared', async () => {
    const { access_token: token } = await signInAtProvider(deployment.env)
    const answer = await refreshToken(token, { 'sec-fetch-site': 'same-origin' })
    const { code, access_token: fresh } = (await answer.json()) as { code: number; access_token: string }
    expect([answer.status, code]).toEqual([200, 200])
    expect(fresh).not.toBe(token)
    expect(await fetchUserMeStatus(fresh)).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('CALL-16 rejects another site, another tag, and the cookie of a sign-in without the token', async () => {
    const visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
    const { access_token: token } = await signInAtProvider(deployment.env, 'owner@example.com', visitor)
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await readStatusAndCode(await refreshToken(token, { 'sec-fetch-site': site }))).toEqual([403, 403])
    expect(await readStatusAndCode(await refreshToken(token, {}, '?tag=other'))).toEqual([400, 400])
    expect(await readStatusAndCode(await refreshToken(token, {}, ''))).toEqual([400, 400])
    expect(await readStatusAndCode(await visitor.fetch(buildRefreshUrl()))).toEqual([401, 401])
  })

  test('grants no CORS preflight to a page of another origin', async () => {
    const answer = await fetch(buildRefreshUrl(), {
      method: 'OPTIONS',
      headers: { origin: deployment.env.PORTAL_ORIGIN, 'access-control-request-method': 'GET' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('stays within the grant: sign-out ends the new token too, and a refresh extends nothing', async () => {
    const { access_token: token } = await signInAtProvider(deployment.env)
    const { access_token: fresh } = (await (await refreshToken(token)).json()) as { access_token: string }
    const ends = await (
      await getDatabase()
    )
      .prepare(
        `SELECT t.expires_at <= g.expires_at AS ok FROM oidc t JOIN oidc g ON g.model = 'Grant' AND g.id = t.grant_id WHERE t.id = ?`,
      )
      .bind(hashToken(fresh))
      .first('ok')
    expect(ends).toBe(1)
    await sendCallAsEdge(deployment.env, userLogout, token)
    expect([await fetchUserMeStatus(token), await fetchUserMeStatus(fresh)]).toEqual([401, 401])
    expect(await readStatusAndCode(await refreshToken(fresh))).toEqual([401, 401])
  })
})
