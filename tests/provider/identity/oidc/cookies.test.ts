import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { startFlow, submitSignIn } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { Visitor } from '../../../support/visitor.ts'

const SECURE_ORIGIN = 'https://id.example'
let httpDeployment: TestDeployment
let httpsDeployment: TestDeployment
beforeAll(async () => {
  ;[httpDeployment, httpsDeployment] = await Promise.all([
    openTestDeployment(),
    openTestDeployment({ change: () => ({ PROVIDER_ORIGIN: SECURE_ORIGIN, OIDC_ISSUER: SECURE_ORIGIN }) }),
  ])
  await Promise.all([seed(httpDeployment), seed(httpsDeployment)])
})
afterAll(() => Promise.all([httpDeployment.close(), httpsDeployment.close()]))

const seed = (deployment: TestDeployment) =>
  fetch(`${deployment.provider.origin}/admin/v1/seed`, {
    method: 'POST',
    headers: { authorization: `Admin ${deployment.env.ADMIN_KEY}` },
  })

interface Cookie {
  readonly name: string
  readonly value: string
  readonly attributes: readonly string[]
}

async function collectCookies({ env, provider }: TestDeployment): Promise<Cookie[]> {
  const visitor = new Visitor(env.PORTAL_ORIGIN)
  const toLocalUrl = (href: string) => {
    const url = new URL(href, provider.origin)
    return new URL(url.pathname + url.search, provider.origin).href
  }
  const answers: Response[] = []
  const resolveRedirect = async (request: Promise<Response>) => {
    const answer = await request
    answers.push(answer)
    return toLocalUrl(answer.headers.get('location') ?? '/')
  }
  const page = await resolveRedirect(visitor.navigate(toLocalUrl(startFlow(env).url.href)))
  const form = {
    method: 'POST',
    body: new URLSearchParams({ email: 'owner@example.com', password: DEMO_PASSWORD }).toString(),
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: env.PROVIDER_ORIGIN }
  await resolveRedirect(visitor.navigate(await resolveRedirect(visitor.fetch(page, { ...form, headers }))))
  await resolveRedirect(
    new Visitor(env.PORTAL_ORIGIN).fetch(`${provider.origin}${userLogin.path}?source=web`, {
      method: 'POST',
      body: JSON.stringify({ email: 'owner@example.com', password: DEMO_PASSWORD }),
      headers: { 'content-type': 'application/json' },
    }),
  )
  return answers.flatMap((answer) =>
    answer.headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ')
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes }
    }),
  )
}
const collectNames = (cookies: readonly Cookie[]) =>
  new Set(cookies.map(({ name }) => name.replace(/(known)_[0-9a-f]{16}/, '$1').replace(/\.sig$/, '')))

test('on HTTPS every cookie has a __Host- or __Secure- prefix and the attributes it requires', async () => {
  const cookies = await collectCookies(httpsDeployment)
  expect(collectNames(cookies)).toEqual(
    new Set(['__Host-sso', '__Host-known', '__Secure-sign_in', '__Secure-sign_in_resume']),
  )
  for (const { name, attributes } of cookies) {
    expect([name, attributes]).toEqual([name, expect.arrayContaining(['secure', 'httponly']) as string[]])
    const isHost = name.startsWith('__Host-')
    expect([name, attributes.includes('path=/')]).toEqual([name, isHost])
    expect(attributes.some((attribute) => attribute.startsWith('domain'))).toBe(false)
  }
})

test('on local plain HTTP, which supports no prefix, cookie names have none', async () => {
  expect(collectNames(await collectCookies(httpDeployment))).toEqual(
    new Set(['sso', 'known', 'sign_in', 'sign_in_resume']),
  )
})

test('every cookie is signed with HMAC-SHA-256, and other signatures are rejected', async () => {
  const setCookies = (await collectCookies(httpDeployment)).filter(({ value }) => value !== '')
  const isSignature = ({ name }: Cookie) => name.endsWith('.sig')
  const values = setCookies.filter((cookie) => !isSignature(cookie))
  const signCookie = ({ name, value }: Cookie) =>
    createHmac('sha256', httpDeployment.env.PROVIDER_COOKIE_KEY).update(`${name}=${value}`).digest('base64url')
  const signatures = setCookies.filter(isSignature).map(({ name, value }) => `${name} ${value}`)
  expect(collectNames(values).size).toBe(4)
  expect(signatures).toEqual(expect.arrayContaining(values.map((cookie) => `${cookie.name}.sig ${signCookie(cookie)}`)))

  const visitor = new Visitor(httpDeployment.env.PORTAL_ORIGIN)
  const origin = httpDeployment.env.PROVIDER_ORIGIN
  const page = new URL(
    (await visitor.navigate(startFlow(httpDeployment.env).url.href)).headers.get('location') ?? '',
    origin,
  )
  const sha1 = createHmac('sha1', httpDeployment.env.PROVIDER_COOKIE_KEY)
  const value = visitor.getCookie('sign_in', origin) ?? ''
  visitor.setCookie('sign_in.sig', sha1.update(`sign_in=${value}`).digest('base64url'), origin)
  expect((await submitSignIn(visitor, page, 'owner@example.com', DEMO_PASSWORD)).status).toBe(400)
})
