import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../support/edge.ts'
import type { Visitor } from '../support/visitor.ts'

let edge: EdgeDeployment
let visitor: Visitor

beforeAll(async () => {
  edge = await openEdge()
  visitor = edge.visitor()
  await signInThroughEdge(visitor)
})
beforeEach(() => edge.proxy.clearFaults())
afterAll(() => edge.close())

const getRedirectLocation = (answer: Response) => {
  expect(answer.status).toBe(302)
  return answer.headers.get('location') ?? ''
}

describe('/api/redirect', () => {
  const requestRedirect = async (query: string) => getRedirectLocation(await visitor.navigate(`/api/redirect${query}`))
  const redirectTo = (url: string) => requestRedirect(`?url=${encodeURIComponent(url)}`)

  test('REDIRECT-09 redirects every URL that is not accepted to /account/services', async () => {
    const rejectedUrls = [
      'http://own.example/',
      'https://evil-portal.example/',
      'https://portal.example@evil.test/',
      'https://portal.example:8443/',
      'https://portal.example\\.evil.test/',
      'https://port%61l.example/',
      'javascript:alert(1)',
      '//evil.test/',
      `https://portal.example/${'a'.repeat(2048)}`,
      '',
    ]
    for (const url of rejectedUrls) expect(await redirectTo(url)).toBe('/account/services')
  })

  test('REDIRECT-09 redirects to the fallback without a URL or with two', async () => {
    expect(await requestRedirect('')).toBe('/account/services')
    expect(await requestRedirect('?url=https://portal.example/&url=https://portal.example/')).toBe('/account/services')
  })

  test('redirects to accepted URLs', async () => {
    for (const url of [
      'https://portal.example/a?b=1',
      'https://a.pay.example/card',
      `${edge.portalOrigin}/live`,
      `${edge.deployment.env.PROVIDER_ORIGIN}/card`,
    ]) {
      expect(await redirectTo(url)).toBe(url)
    }
    expect(await redirectTo('/live')).toBe(`${edge.portalOrigin}/live`)
  })
})

describe('/m', () => {
  test('returns 404 for unknown kinds and invalid ids', async () => {
    for (const path of [
      '/m/secret/evt_1',
      '/m/thumb/..',
      '/m/thumb/a%2fb',
      '/m/last/a-b',
      '/m/thumb',
      '/m/thumb/a/b',
    ]) {
      expect((await visitor.get(path)).status).toBe(404)
    }
  })

  test('returns 401 without a session', async () => {
    const answer = await edge.visitor().get('/m/thumb/evt_1')
    expect(answer.status).toBe(401)
  })
})

describe('/healthz', () => {
  test('reports the build and the provider health', async () => {
    const answer = await edge.visitor().get('/healthz')
    expect(await answer.json()).toEqual({ ok: true, build: 'test', provider: { ok: true, ms: expect.any(Number) } })
  })

  test.each([
    ['resets the connection', { kind: 'reset' }],
    ['fails', { kind: 'answer', status: 500, body: '' }],
    ['hangs', { kind: 'hang' }],
  ] as const)('reports a provider that %s', async (_, fault) => {
    edge.proxy.fail('/healthz', fault)
    expect(await (await edge.visitor().get('/healthz')).json()).toMatchObject({ ok: true, provider: { ok: false } })
  })
})

test('an error report from a hostname that contains "local" is accepted but not forwarded', async () => {
  const report = {
    level: 'error',
    at: 1,
    page: edge.portalOrigin,
    errors: [{ name: 'Error', message: 'x', frames: [] }],
    trail: [],
  }
  const headers = { 'content-type': 'text/plain', origin: edge.portalOrigin, 'sec-fetch-site': 'same-origin' }
  const answer = await visitor.fetch('/t/errors', { method: 'POST', body: JSON.stringify(report), headers })
  expect(answer.status).toBe(204)
  await visitor.get('/healthz')
  expect(edge.proxy.requests.map(({ path }) => path)).toEqual(['/healthz'])
})

describe('every response', () => {
  test.each([
    '/api/auth/me',
    '/api/nothing',
    '/api/redirect',
    '/m/thumb/evt_1',
    '/healthz',
    '/api/p/new-device/app/v4/home',
  ])('from %s carries the security headers', async (path) => {
    const { headers } = await visitor.get(path)
    // Only documents have a policy, and browsers do not open JSON or images as documents that could run scripts.
    expect(headers.get('content-type') ?? '').not.toMatch(/html|xml/)
    expect(headers.get('content-security-policy')).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('to an unknown path is a JSON 404 error', async () => {
    const answer = await visitor.get('/api/nothing')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 404 })
  })
})
