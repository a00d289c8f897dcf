import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REVENUE_PATH } from '../../../contract/telemetry/visits.ts'
import type { Settings } from '../../../functions/lib/settings.ts'
import { provider } from '../../../functions/lib/auth/oidc-client.ts'
import { openEdge, signIn, type EdgeStage } from '../../support/edge.ts'
import {
  deriveAccountId,
  EMAIL,
  openForeignIssuer,
  RESOURCE,
  walkForeignPages,
  type ForeignIssuer,
  type Habits,
} from '../../support/foreign-issuer.ts'
import { hashEmail, sendVisit, TOKEN } from '../../support/revenue.ts'
import type { Visitor } from '../../support/visitor.ts'
import { MINUTE_MS } from '../../../contract/time-units.ts'

interface Me {
  readonly user_account: string
  readonly user_id: string
  readonly web_app_token: string
  readonly ends: number
}
const DISCOVERY = '/.well-known/openid-configuration'
const HOUR_S = 3600
const me = async (visitor: Visitor) => (await (await visitor.get('/api/auth/me')).json()) as Me
const now = () => Math.floor(Date.now() / 1000)
const decodeClaims = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>

/** Opens a portal with a foreign issuer for the tests of one group. */
function company(habits: Habits, more: Record<string, string> = {}) {
  const it = {} as { issuer: ForeignIssuer; edge: EdgeStage; visitor: Visitor }
  beforeAll(async () => {
    it.edge = await openEdge(async (env) => {
      it.issuer = await openForeignIssuer(env.PORTAL_ORIGIN, habits)
      return { ...it.issuer.settings, ...more }
    })
  })
  beforeEach(() => {
    it.issuer.spoil(null)
    it.issuer.seen.length = 0
    it.edge.proxy.heal()
    it.visitor = it.edge.visitor()
  })
  afterAll(async () => {
    await it.edge.close()
    await it.issuer.close()
  })
  return it
}

describe('issuer that requires consent for a refresh token', () => {
  const it = company({ kind: 'strict' })

  test('limits the session to the access token’s lifetime, and a refresh leaves both unchanged', async () => {
    await walkForeignPages(it.visitor)
    const { ends, web_app_token: generation } = await me(it.visitor)
    expect(ends - now()).toBeGreaterThan(0)
    expect(ends - now()).toBeLessThanOrEqual(HOUR_S)
    const answer = await it.visitor.post('/api/auth/refresh', { generation })
    expect([answer.status, await answer.json()]).toEqual([200, { code: 200, access_token: generation }])
    expect(await me(it.visitor)).toMatchObject({ ends, web_app_token: generation })
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('__Host-Http-sid='))
    expect(Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1])).toBeLessThanOrEqual(HOUR_S)
  })
})

describe('the same issuer with OIDC_PROMPT and OIDC_RESOURCE set', () => {
  const it = company({ kind: 'strict' }, { OIDC_PROMPT: 'consent', OIDC_RESOURCE: RESOURCE })

  test('gives a session that can be refreshed, and access tokens for that resource', async () => {
    await walkForeignPages(it.visitor)
    const { ends, web_app_token: generation } = await me(it.visitor)
    expect(ends - now()).toBeGreaterThan(29 * 24 * HOUR_S)
    expect((await it.visitor.post('/api/auth/refresh', { generation })).status).toBe(200)
    expect((await me(it.visitor)).web_app_token).not.toBe(generation)
    await it.visitor.get('/api/p/new-device/app/v4/home')
    const sent = it.edge.proxy.seen.find(({ path }) => path.startsWith('/app/v4/home'))?.headers['access_token']
    expect(decodeClaims(String(sent))).toMatchObject({ aud: RESOURCE })
  })
})

describe('issuer without userinfo and end-session endpoints', () => {
  const it = company({ kind: 'bare' }, { REVENUE_TOKEN: TOKEN })

  test('signs people in by the claims of its ID token', async () => {
    expect((await walkForeignPages(it.visitor)).headers.get('location')).toMatch(/^\/user\/callback/)
    expect((await me(it.visitor)).user_account).toBe('ann@company.example')
    expect(it.issuer.seen).not.toContain('/me')
  })

  test('OPEN-181 counts no visit of an email address that it does not mark as verified', async () => {
    await walkForeignPages(it.visitor)
    expect((await sendVisit(it.visitor, { token: TOKEN, person: hashEmail(EMAIL) })).status).toBe(204)
    await it.visitor.get('/api/p/new-device/app/v4/home')
    const paths = it.edge.proxy.seen.map(({ path }) => path)
    expect([paths.includes(REVENUE_PATH), paths.some((path) => path.startsWith('/app/v4/home'))]).toEqual([false, true])
  })

  test('is notified of a sign-out, and the visitor learns that the issuer’s session remains', async () => {
    await walkForeignPages(it.visitor)
    const answer = await it.visitor.post('/api/auth/logout')
    expect(await answer.json()).toEqual({ code: 200, url: '/user/redirect?error=still_known' })
    expect((await it.issuer.refresh(it.issuer.refreshTokens.at(-1) ?? '')).status).toBe(400)
    expect(await (await it.visitor.post('/api/auth/logout')).json()).toEqual({ code: 200 })
  })
})

describe('sign-in that fails after receiving its tokens', () => {
  const it = company({})

  test('revokes the tokens', async () => {
    it.issuer.spoil('/me', 'broken')
    const answer = await walkForeignPages(it.visitor)
    expect(answer.headers.get('location')).toBe('/user/redirect?error=temporarily_unavailable')
    expect(it.issuer.seen).toContain('/token/revocation')
    expect((await it.issuer.refresh(it.issuer.refreshTokens.at(-1) ?? '')).status).toBe(400)
  })
})

describe('discovery', () => {
  const it = company({})
  const settings = () => ({ ...it.edge.stage.env, ...it.issuer.settings }) as unknown as Settings
  const countDiscoveries = () => it.issuer.seen.filter((path) => path === DISCOVERY).length

  test('is repeated after an hour and falls back to the cached document on failure', async () => {
    const first = await provider(settings(), 0)
    expect(await provider(settings(), 60 * MINUTE_MS - 1)).toBe(first)
    expect(countDiscoveries()).toBe(1)
    it.issuer.spoil(DISCOVERY, 'broken')
    expect(await provider(settings(), 60 * MINUTE_MS)).toBe(first)
    expect(await provider(settings(), 61 * MINUTE_MS - 1)).toBe(first)
    expect(countDiscoveries()).toBe(2)
    it.issuer.spoil(null)
    const second = await provider(settings(), 61 * MINUTE_MS)
    expect(second).not.toBe(first)
    expect(await provider(settings(), 121 * MINUTE_MS - 1)).toBe(second)
    expect(countDiscoveries()).toBe(3)
  })
})

describe('foreign account that claims to be one of ours', () => {
  /** User id of the demo owner, which is the same in every test deployment. */
  let owner = ''
  let own: EdgeStage
  let issuer: ForeignIssuer | undefined
  beforeAll(async () => {
    own = await openEdge()
    const visitor = own.visitor()
    await signIn(visitor)
    owner = (await me(visitor)).user_id
  })
  afterAll(async () => {
    await own.close()
    await issuer?.close()
  })

  test('is a separate account and gets no signed image URL', async () => {
    const edge = await openEdge(async (env) => {
      const person = { sub: owner, user_id: owner, email: 'owner@example.com' }
      issuer = await openForeignIssuer(env.PORTAL_ORIGIN, { person })
      return issuer.settings
    })
    const visitor = edge.visitor()
    await walkForeignPages(visitor)
    expect((await me(visitor)).user_id).toBe(deriveAccountId(issuer?.issuer ?? '', owner))
    const answer = await visitor.get('/m/last/cam_0123456789abcdef')
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
    await edge.close()
  })
})
