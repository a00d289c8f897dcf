import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SESSION_COOKIE, toCookieName } from '../../../contract/wire/cookies.ts'
import { REVENUE_PATH } from '../../../contract/telemetry/visits.ts'
import type { Settings } from '../../../functions/lib/settings.ts'
import { getIssuerConfiguration } from '../../../functions/lib/auth/oidc-client.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import {
  deriveAccountId,
  FOREIGN_EMAIL,
  openForeignIssuer,
  TOKEN_RESOURCE,
  signInThroughForeignIssuer,
  type ForeignIssuer,
  type ForeignIssuerOptions,
} from '../../support/foreign-issuer.ts'
import { hashEmail, sendVisit, TEST_REVENUE_TOKEN } from '../../support/revenue.ts'
import type { Visitor } from '../../support/visitor.ts'
import { MINUTE_MS } from '../../../contract/time-units.ts'

interface CurrentUser {
  readonly user_account: string
  readonly user_id: string
  readonly web_app_token: string
  readonly ends: number
}
const DISCOVERY_PATH = '/.well-known/openid-configuration'
const HOUR_S = 3600
const fetchCurrentUser = async (visitor: Visitor) => (await (await visitor.get('/api/auth/me')).json()) as CurrentUser
const getNowS = () => Math.floor(Date.now() / 1000)
const decodeClaims = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>

function openPortalForGroup(issuerOptions: ForeignIssuerOptions, extraSettings: Record<string, string> = {}) {
  const portal = {} as { issuer: ForeignIssuer; edge: EdgeDeployment; visitor: Visitor }
  beforeAll(async () => {
    portal.edge = await openEdge(async (env) => {
      portal.issuer = await openForeignIssuer(env.PORTAL_ORIGIN, issuerOptions)
      return { ...portal.issuer.settings, ...extraSettings }
    })
  })
  beforeEach(() => {
    portal.issuer.breakResponses(null)
    portal.issuer.requestedPaths.length = 0
    portal.edge.proxy.clearFaults()
    portal.visitor = portal.edge.visitor()
  })
  afterAll(async () => {
    await portal.edge.close()
    await portal.issuer.close()
  })
  return portal
}

describe('issuer that requires consent for a refresh token', () => {
  const portal = openPortalForGroup({ kind: 'strict' })

  test('limits the session to the access token’s lifetime, and a refresh leaves both unchanged', async () => {
    await signInThroughForeignIssuer(portal.visitor)
    const { ends, web_app_token: generation } = await fetchCurrentUser(portal.visitor)
    expect(ends - getNowS()).toBeGreaterThan(0)
    expect(ends - getNowS()).toBeLessThanOrEqual(HOUR_S)
    const answer = await portal.visitor.post('/api/auth/refresh', { generation })
    expect([answer.status, await answer.json()]).toEqual([200, { code: 200, access_token: generation }])
    expect(await fetchCurrentUser(portal.visitor)).toMatchObject({ ends, web_app_token: generation })
    const name = toCookieName(SESSION_COOKIE, portal.edge.portalOrigin)
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=`))
    expect(Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1])).toBeLessThanOrEqual(HOUR_S)
  })
})

describe('the same issuer with OIDC_PROMPT and OIDC_RESOURCE set', () => {
  const portal = openPortalForGroup({ kind: 'strict' }, { OIDC_PROMPT: 'consent', OIDC_RESOURCE: TOKEN_RESOURCE })

  test('gives a session that can be refreshed, and access tokens for that resource', async () => {
    await signInThroughForeignIssuer(portal.visitor)
    const { ends, web_app_token: generation } = await fetchCurrentUser(portal.visitor)
    expect(ends - getNowS()).toBeGreaterThan(29 * 24 * HOUR_S)
    expect((await portal.visitor.post('/api/auth/refresh', { generation })).status).toBe(200)
    expect((await fetchCurrentUser(portal.visitor)).web_app_token).not.toBe(generation)
    await portal.visitor.get('/api/p/new-device/app/v4/home')
    const sent = portal.edge.proxy.requests.find(({ path }) => path.startsWith('/app/v4/home'))?.headers['access_token']
    expect(decodeClaims(String(sent))).toMatchObject({ aud: TOKEN_RESOURCE })
  })
})

describe('issuer without userinfo and end-session endpoints', () => {
  const portal = openPortalForGroup({ kind: 'bare' }, { REVENUE_TOKEN: TEST_REVENUE_TOKEN })

  test('signs people in by the claims of its ID token', async () => {
    expect((await signInThroughForeignIssuer(portal.visitor)).headers.get('location')).toMatch(/^\/user\/callback/)
    expect((await fetchCurrentUser(portal.visitor)).user_account).toBe('ann@company.example')
    expect(portal.issuer.requestedPaths).not.toContain('/me')
  })

  test('OPEN-181 counts no visit of an email address that it does not mark as verified', async () => {
    await signInThroughForeignIssuer(portal.visitor)
    expect(
      (await sendVisit(portal.visitor, { token: TEST_REVENUE_TOKEN, person: hashEmail(FOREIGN_EMAIL) })).status,
    ).toBe(204)
    await portal.visitor.get('/api/p/new-device/app/v4/home')
    const paths = portal.edge.proxy.requests.map(({ path }) => path)
    expect([paths.includes(REVENUE_PATH), paths.some((path) => path.startsWith('/app/v4/home'))]).toEqual([false, true])
  })

  test('is notified of a sign-out, and the visitor learns that the issuer’s session remains', async () => {
    await signInThroughForeignIssuer(portal.visitor)
    const answer = await portal.visitor.post('/api/auth/logout')
    expect(await answer.json()).toEqual({ code: 200, url: '/user/redirect?error=still_known' })
    expect((await portal.issuer.refresh(portal.issuer.refreshTokens.at(-1) ?? '')).status).toBe(400)
    expect(await (await portal.visitor.post('/api/auth/logout')).json()).toEqual({ code: 200 })
  })
})

describe('sign-in that fails after receiving its tokens', () => {
  const portal = openPortalForGroup({})

  test('revokes the tokens', async () => {
    portal.issuer.breakResponses('/me', 'broken')
    const answer = await signInThroughForeignIssuer(portal.visitor)
    expect(answer.headers.get('location')).toBe('/user/redirect?error=temporarily_unavailable')
    expect(portal.issuer.requestedPaths).toContain('/token/revocation')
    expect((await portal.issuer.refresh(portal.issuer.refreshTokens.at(-1) ?? '')).status).toBe(400)
  })
})

describe('discovery', () => {
  const portal = openPortalForGroup({})
  const settings = () => ({ ...portal.edge.deployment.env, ...portal.issuer.settings }) as unknown as Settings
  const countDiscoveries = () => portal.issuer.requestedPaths.filter((path) => path === DISCOVERY_PATH).length

  test('is repeated after an hour and falls back to the cached document on failure', async () => {
    const first = await getIssuerConfiguration(settings(), 0)
    expect(await getIssuerConfiguration(settings(), 60 * MINUTE_MS - 1)).toBe(first)
    expect(countDiscoveries()).toBe(1)
    portal.issuer.breakResponses(DISCOVERY_PATH, 'broken')
    expect(await getIssuerConfiguration(settings(), 60 * MINUTE_MS)).toBe(first)
    expect(await getIssuerConfiguration(settings(), 61 * MINUTE_MS - 1)).toBe(first)
    expect(countDiscoveries()).toBe(2)
    portal.issuer.breakResponses(null)
    const second = await getIssuerConfiguration(settings(), 61 * MINUTE_MS)
    expect(second).not.toBe(first)
    expect(await getIssuerConfiguration(settings(), 121 * MINUTE_MS - 1)).toBe(second)
    expect(countDiscoveries()).toBe(3)
  })
})

describe('foreign account that claims to be one of ours', () => {
  /** User id of the demo owner, which is the same in every test deployment. */
  let ownerId = ''
  let ownEdge: EdgeDeployment
  let issuer: ForeignIssuer | undefined
  beforeAll(async () => {
    ownEdge = await openEdge()
    const visitor = ownEdge.visitor()
    await signInThroughEdge(visitor)
    ownerId = (await fetchCurrentUser(visitor)).user_id
  })
  afterAll(async () => {
    await ownEdge.close()
    await issuer?.close()
  })

  test('is a separate account and gets no signed image URL', async () => {
    const edge = await openEdge(async (env) => {
      const person = { sub: ownerId, user_id: ownerId, email: 'owner@example.com' }
      issuer = await openForeignIssuer(env.PORTAL_ORIGIN, { accountClaims: person })
      return issuer.settings
    })
    const visitor = edge.visitor()
    await signInThroughForeignIssuer(visitor)
    expect((await fetchCurrentUser(visitor)).user_id).toBe(deriveAccountId(issuer?.issuer ?? '', ownerId))
    const answer = await visitor.get('/m/last/cam_0123456789abcdef')
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
    await edge.close()
  })
})
