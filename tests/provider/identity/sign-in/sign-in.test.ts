import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import { SUPPORT_ADDRESS } from '../../../../contract/brand.ts'
import {
  startFlow,
  getCallbackUrl,
  exchangeCode,
  resolveRedirects,
  submitSignIn,
  type Tokens,
} from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { Visitor } from '../../../support/visitor.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
})
afterAll(() => deployment.close())

const createVisitor = () => new Visitor(deployment.env.PORTAL_ORIGIN)

describe('authorization code flow', () => {
  test('starts on a page with links to help and to the privacy page', async () => {
    const { answer } = await resolveRedirects(createVisitor(), deployment.env, startFlow(deployment.env).url)
    const html = await answer?.text()
    expect(html).toContain(`<a href="mailto:${SUPPORT_ADDRESS}">Help</a>`)
    expect(html).toContain(`<a href="${deployment.env.PORTAL_ORIGIN}/privacy">Privacy</a>`)
  })

  test('CALL-19 CALL-20 CALL-21 authorize, token and userinfo sign a person in and return the email', async () => {
    const { env } = deployment
    const flow = startFlow(env, { state: '/events?x=1', nonce: 'n-1' })
    const callback = await getCallbackUrl(createVisitor(), env, flow)
    expect(callback.origin + callback.pathname).toBe(`${env.PORTAL_ORIGIN}/api/auth/callback`)
    expect(callback.searchParams.get('state')).toBe('/events?x=1')

    const answer = await exchangeCode(env, callback, flow.verifier)
    const tokens = (await answer.json()) as Tokens & { scope: string }
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(tokens.expires_in).toBe(3600)
    expect(tokens.scope).toBe('authcode-read openid email native')
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString()) as object
    expect(claims).toMatchObject({
      iss: env.PROVIDER_ORIGIN,
      email: 'owner@example.com',
      nonce: 'n-1',
      aud: env.OIDC_CLIENT_ID,
    })

    const userinfo = await fetch(`${env.PROVIDER_ORIGIN}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(await userinfo.json()).toMatchObject({ email: 'owner@example.com' })
  })

  test('publishes every endpoint at its own public origin, regardless of the request host', async () => {
    const { env } = deployment
    const answer = await fetch(`${env.PROVIDER_ORIGIN}/.well-known/openid-configuration`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    const document = (await answer.json()) as Record<string, unknown>
    const addresses = Object.values(document).filter((value) => typeof value === 'string' && value.includes('://'))
    expect(addresses).toHaveLength(6)
    for (const address of addresses) expect(address).toMatch(new RegExp(`^${env.PROVIDER_ORIGIN}`))
  })

  test('returns an empty state unchanged', async () => {
    const callback = await getCallbackUrl(createVisitor(), deployment.env, startFlow(deployment.env, { state: '' }))
    expect(callback.searchParams.get('state')).toBe('')
    expect(callback.searchParams.has('code')).toBe(true)
  })

  test.each([
    ['without a challenge', { code_challenge: '', code_challenge_method: '' }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
  ])('sends a client %s back with invalid_request', async (_, change) => {
    const { url: pageUrl } = await resolveRedirects(
      createVisitor(),
      deployment.env,
      startFlow(deployment.env, change).url,
    )
    expect(pageUrl.searchParams.get('error')).toBe('invalid_request')
  })

  test.each([
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/api/auth/callback' }],
    ['an unknown client', { client_id: 'somebody' }],
  ])('shows a page without a redirect for %s', async (_, change) => {
    const { url: pageUrl, answer } = await resolveRedirects(
      createVisitor(),
      deployment.env,
      startFlow(deployment.env, change).url,
    )
    expect(pageUrl.origin).toBe(deployment.env.PROVIDER_ORIGIN)
    expect(answer?.status).toBe(400)
    expect(await answer?.text()).toContain('role="alert"')
  })

  test('rejects a code with another verifier, or without the client secret', async () => {
    const { env } = deployment
    const callback = await getCallbackUrl(createVisitor(), env, startFlow(env))
    const wrong = await exchangeCode(env, callback, startFlow(env).verifier)
    expect([wrong.status, ((await wrong.json()) as { error: string }).error]).toEqual([400, 'invalid_grant'])
    const anonymous = await exchangeCode({ ...env, OIDC_CLIENT_SECRET: 'no' }, callback, 'x')
    expect(anonymous.status).toBe(401)
  })
})

describe('sign-in page', () => {
  const openSignInPage = async (at = createVisitor()) => ({
    person: at,
    ...(await resolveRedirects(at, deployment.env, startFlow(deployment.env).url)),
  })
  const parseAlertText = (html: string) => /role="alert">(?:<svg[^]*?<\/svg>)?(?:<span>)?([^<]*)</.exec(html)?.[1]

  test('lets its form target only itself and the portal, and runs only the show-password script', async () => {
    const { answer } = await openSignInPage()
    const policy = answer?.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`form-action 'self' ${deployment.env.PORTAL_ORIGIN};`)
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`script-src ${deployment.env.PROVIDER_ORIGIN}/assets/show-password.js;`)
    const style = /<style>([^]*)<\/style>/.exec((await answer?.text()) ?? '')?.[1] ?? ''
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`)
    expect(answer?.headers.get('cache-control')).toBe('no-store')
  })

  test('shows the same message for a wrong password and an unknown address, and keeps the input as text', async () => {
    const { person, url: at } = await openSignInPage()
    const wrong = await (await submitSignIn(person, at, 'owner@example.com', 'wrong')).text()
    const unknown = await (await submitSignIn(person, at, '"><b>x@example.com', 'wrong')).text()
    expect(parseAlertText(wrong)).toMatch(/^Wrong email or password/)
    expect(parseAlertText(unknown)).toBe(parseAlertText(wrong))
    expect(wrong).toContain('value="owner@example.com"')
    expect(unknown).not.toContain('<b>')
  })

  test('rejects a form that another site sent', async () => {
    const { person, url: at } = await openSignInPage()
    const answer = await person.fetch(at.href, {
      method: 'POST',
      body: 'email=owner%40example.com&password=porchlight',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(answer.headers.get('location')).toBeNull()
  })

  test('uses the last of two sign-ins in one browser, regardless of the account', async () => {
    const { env } = deployment
    const [early, other] = [await openSignInPage(), createVisitor()]
    const late = startFlow(env)
    const { url: at } = await resolveRedirects(other, env, late.url)
    const first = await submitSignIn(early.person, early.url, 'owner@example.com', 'porchlight')
    await resolveRedirects(early.person, env, new URL(first.headers.get('location') ?? ''))
    for (const name of ['sso', 'sso.sig'])
      other.setCookie(name, early.person.getCookie(name, env.PROVIDER_ORIGIN) ?? '', env.PROVIDER_ORIGIN)

    const answer = await submitSignIn(other, at, 'free@example.com', 'porchlight')
    const callback = (await resolveRedirects(other, env, new URL(answer.headers.get('location') ?? ''))).url
    const tokens = (await (await exchangeCode(env, callback, late.verifier)).json()) as Tokens
    expect(JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      email: 'free@example.com',
    })
  })

  test('explains an expired authorization request instead of failing', async () => {
    const { url: pageUrl } = await openSignInPage()
    const answer = await createVisitor().navigate(pageUrl.href)
    expect(answer.status).toBe(400)
    expect(parseAlertText(await answer.text())).toMatch(/expired/)
  })

  test('rejects any password after ten wrong ones, states the wait, and accepts it afterward', async () => {
    const { person, url: at } = await openSignInPage()
    for (let n = 0; n < 10; n++) await submitSignIn(person, at, 'free@example.com', `wrong ${n}`)
    const eleventh = await submitSignIn(person, at, 'free@example.com', 'porchlight')
    expect(eleventh.status).toBe(429)
    expect(eleventh.headers.get('location')).toBeNull()
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(parseAlertText(await eleventh.text())).toMatch(/\b\d minutes\b/)

    for (const name of ['pair:127.0.0.1 free@example.com', 'ip:127.0.0.1']) {
      const counter = await deployment.provider.getWorker().getDurableObjectStorage('GUARDS', { name })
      await counter.exec('UPDATE attempts SET until = ?', Date.now())
    }
    const later = await submitSignIn(person, at, 'free@example.com', 'porchlight')
    expect(later.headers.get('location')).toContain('/oauth/authorize/')
  })

  test('counts failures only, so a person may sign in as often as needed', async () => {
    for (let n = 0; n < 11; n++) {
      const callback = await getCallbackUrl(createVisitor(), deployment.env, startFlow(deployment.env))
      expect(callback.searchParams.has('code')).toBe(true)
    }
  })

  test('counts from zero after the counters are deleted, and reports when they are unusable', async () => {
    const { person, url: at } = await openSignInPage()
    const counter = await deployment.provider.getWorker().getDurableObjectStorage('GUARDS', { name: 'ip:127.0.0.1' })
    await counter.exec('DROP TABLE attempts')
    expect(parseAlertText(await (await submitSignIn(person, at, 'owner@example.com', 'wrong')).text())).toMatch(
      /^Wrong email or password/,
    )

    await counter.exec('ALTER TABLE attempts RENAME COLUMN until TO broken')
    const failed = await submitSignIn(person, at, 'owner@example.com', 'porchlight')
    expect(failed.status).toBe(500)
    expect(parseAlertText(await failed.text())).toMatch(/try again later/i)
    const call = await fetch(`${deployment.env.PROVIDER_ORIGIN}${userLogin.path}?source=test`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.com', password: 'porchlight' }),
    })
    expect([call.status, await call.json()]).toEqual([
      500,
      { code: 500, msg: expect.stringMatching(/try again later/i) },
    ])
    await counter.exec('DROP TABLE attempts')
  })
})
