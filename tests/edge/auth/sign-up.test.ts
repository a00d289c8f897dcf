import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { openForeignIssuer, type ForeignIssuer } from '../../support/foreign-issuer.ts'
import type { Visitor } from '../../support/visitor.ts'

const PLAN_PATH = '/account/products/unlimited?period=annual'
const ENTRY = `/api/auth/sign-up?${new URLSearchParams({ path: PLAN_PATH }).toString()}`

const getLocation = (answer: Response, base: string) => new URL(answer.headers.get('location') ?? '', base)
const fetchStatus = async (visitor: Visitor) => (await visitor.get('/api/auth/sign-up-status')).json()

describe('OPEN-164 the link to the form for a new account', () => {
  let edge: EdgeDeployment
  beforeAll(async () => {
    edge = await openEdge({ SIGN_UP: 'open' })
  })
  afterAll(() => edge.close())

  test('opens the form with the chosen plan, from any site and without a script', async () => {
    const visitor = edge.visitor()
    const authorizeUrl = getLocation(await visitor.navigate(ENTRY), edge.portalOrigin)
    expect(authorizeUrl.searchParams.get('prompt')).toBe('create')
    const formUrl = getLocation(await visitor.navigate(authorizeUrl.href), authorizeUrl.href)
    expect([formUrl.pathname, formUrl.searchParams.get('path')]).toEqual(['/account/create', PLAN_PATH])
    const form = await (await visitor.navigate(formUrl.href)).text()
    expect(form).toContain('Unlimited Cameras')
    expect(form).toMatch(/type="password"/)
  })

  test('opens the page itself for a signed-in user', async () => {
    const visitor = edge.visitor()
    await signInThroughEdge(visitor)
    expect((await visitor.get(ENTRY)).headers.get('location')).toBe(PLAN_PATH)
  })

  test.each(['https://evil.example/', '//evil.example', '/user/login'])('replaces the path %s', async (path) => {
    const answer = await edge.visitor().navigate(`/api/auth/sign-up?${new URLSearchParams({ path }).toString()}`)
    expect(getLocation(answer, edge.portalOrigin).searchParams.get('state')).toBe('/live')
  })

  test('is offered by public pages', async () => {
    expect(await fetchStatus(edge.visitor())).toEqual({ code: 200, sign_up: 'open' })
  })

  test('shows an error page if the provider is down', async () => {
    const down = await openEdge({ OIDC_ISSUER: 'http://127.0.0.1:9' })
    const answer = await down.visitor().navigate('/api/auth/sign-up')
    expect([answer.status, (await answer.text()).includes('role="alert"')]).toEqual([503, true])
    expect(await fetchStatus(down.visitor())).toEqual({ code: 200, sign_up: 'closed' })
    await down.close()
  })

  test.each(['invite', 'off'])('is not offered with SIGN_UP=%s', async (policy) => {
    const closed = await openEdge({ SIGN_UP: policy })
    expect(await fetchStatus(closed.visitor())).toEqual({ code: 200, sign_up: 'closed' })
    await closed.close()
  })
})

describe('OPEN-164 the link with another issuer', () => {
  test.each([
    ['that announces the prompt', true, 'open', 'create'],
    ['that announces no prompt', false, 'closed', null],
  ])('%s', async (_, announcesSignUp, status, prompt) => {
    let issuer: ForeignIssuer | undefined = undefined
    const edge = await openEdge(async (env) => {
      issuer = await openForeignIssuer(env.PORTAL_ORIGIN, { announcesSignUp })
      return issuer.settings
    })
    expect(await fetchStatus(edge.visitor())).toEqual({ code: 200, sign_up: status })
    const url = getLocation(await edge.visitor().navigate(ENTRY), edge.portalOrigin)
    expect([url.searchParams.get('prompt'), url.searchParams.get('state')]).toEqual([prompt, PLAN_PATH])
    await edge.close()
    await (issuer as ForeignIssuer | undefined)?.close()
  })
})
