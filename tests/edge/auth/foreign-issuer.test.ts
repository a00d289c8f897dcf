import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import {
  deriveAccountId,
  FOREIGN_EMAIL,
  signInThroughForeignIssuer,
  openForeignIssuer,
  FOREIGN_SUBJECT,
  type ForeignIssuer,
} from '../../support/foreign-issuer.ts'
import type { Visitor } from '../../support/visitor.ts'

let issuer: ForeignIssuer
let edge: EdgeDeployment
let visitor: Visitor

beforeAll(async () => {
  edge = await openEdge(async (env) => {
    issuer = await openForeignIssuer(env.PORTAL_ORIGIN)
    return issuer.settings
  })
})
afterAll(async () => {
  await edge.close()
  await issuer.close()
})
beforeEach(async () => {
  visitor = edge.visitor()
  issuer.requestedPaths.length = 0
  edge.proxy.clearFaults()
})

const signIn = (state = '/live') => signInThroughForeignIssuer(visitor, state)
const fetchCurrentUser = async () => (await (await visitor.get('/api/auth/me')).json()) as Record<string, string>
const refresh = async () => {
  const { web_app_token: generation } = await fetchCurrentUser()
  return visitor.post('/api/auth/refresh', { generation })
}

describe('any other OpenID Connect provider', () => {
  test('signs a user in on its own pages, for its own client and scope', async () => {
    const answer = await signIn('/events?x=1')
    expect(answer.headers.get('location')).toBe(
      `/user/callback?redirect_uri=${encodeURIComponent(`${edge.portalOrigin}/events?x=1`)}`,
    )
    for (const path of ['/auth', '/token', '/me']) expect(issuer.requestedPaths).toContain(path)
    expect(await fetchCurrentUser()).toMatchObject({
      user_account: FOREIGN_EMAIL,
      user_id: deriveAccountId(issuer.issuer, FOREIGN_SUBJECT),
    })
  })

  test('also signs a user in from the login page, with an empty state', async () => {
    expect((await signIn('')).headers.get('location')).toBe('/user/callback')
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
  })

  test('rotates its refresh token on every refresh, and the session continues', async () => {
    await signIn()
    const before = issuer.refreshTokens.length
    for (let n = 0; n < 3; n++) expect((await refresh()).status).toBe(200)
    const fresh = issuer.refreshTokens.slice(before - 1)
    expect(new Set(fresh).size).toBe(4)
    expect((await fetchCurrentUser())['user_account']).toBe(FOREIGN_EMAIL)
  })

  test('ends the session when it sees a refresh token used twice', async () => {
    await signIn()
    const stolen = issuer.refreshTokens.at(-1) ?? ''
    expect((await refresh()).status).toBe(200)
    expect((await issuer.refresh(stolen)).status).toBe(400)
    const answer = await refresh()
    expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ code: 401 })])
    expect(visitor.getCookie('signed_in')).toBeUndefined()
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  test('is notified of a sign-out and ends its own session at the URL in the response', async () => {
    await signIn()
    const token = issuer.refreshTokens.at(-1) ?? ''
    const { code, url = '' } = (await (await visitor.post('/api/auth/logout')).json()) as { code: number; url?: string }
    expect(code).toBe(200)
    expect(new URL(url).origin + new URL(url).pathname).toBe(`${issuer.issuer}/session/end`)
    expect(new URL(url).searchParams.get('post_logout_redirect_uri')).toBe(`${edge.portalOrigin}/`)
    expect(new URL(url).searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect((await issuer.refresh(token)).status).toBe(400)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
    expect((await visitor.navigate(url)).status).toBe(200)
  })

  test('gives its users no media of a provider that does not know them, whatever their names', async () => {
    await signIn()
    for (const path of ['/m/last/CAM1', '/m/clip/evt_1']) expect((await visitor.get(path)).status).toBe(403)
    expect(edge.proxy.requests).toEqual([])
  })

  test('allows one user fifty sessions: the next sign-in ends the least recently used one', async () => {
    await signIn()
    await visitor.post('/api/auth/sessions/end', { others: true })
    const [first, second] = [visitor, edge.visitor()]
    for (let n = 1; n < 50; n++) await signInThroughForeignIssuer(n === 1 ? second : edge.visitor())
    const fetchSessionStatuses = async () => [
      (await first.get('/api/auth/me')).status,
      (await second.get('/api/auth/me')).status,
    ]
    expect(await fetchSessionStatuses()).toEqual([200, 200])
    await signInThroughForeignIssuer(edge.visitor())
    expect(await fetchSessionStatuses()).toEqual([401, 200])
    const { sessions } = (await (await second.get('/api/auth/sessions')).json()) as { sessions: unknown[] }
    expect(sessions).toHaveLength(50)
  })

  test('receives no user calls, and its tokens never go to a provider that does not know them', async () => {
    await signIn()
    await visitor.post('/api/auth/logout')
    expect(edge.proxy.requests.filter(({ path }) => path.startsWith('/api/v2/user/'))).toEqual([])
  })
})
