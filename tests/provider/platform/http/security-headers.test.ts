import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment()
})
afterAll(() => deployment.close())

const ENDPOINTS = [
  ['GET', '/healthz'],
  ['GET', '/nope'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/oauth/jwks'],
  ['GET', '/oauth/userinfo'],
  ['POST', '/oauth/token'],
  ['POST', '/app/v4/home/get-home-devices'],
  ['POST', '/api/v2/user/login'],
  ['POST', '/bridge/v1/enrol'],
  ['GET', '/bridge/v1/control'],
  ['GET', '/admin/v1/accounts'],
  ['POST', '/t/errors'],
  ['GET', '/feed'],
  ['GET', '/m/clip/none'],
  ['GET', '/sign-in'],
] as const

describe('provider response', () => {
  test.each(ENDPOINTS)(
    '%s %s disallows content sniffing and caching, and framing of documents',
    async (method, path) => {
      const answer = await fetch(deployment.provider.origin + path, { method, redirect: 'manual' })
      await answer.body?.cancel()
      const getHeader = (name: string) => answer.headers.get(name)
      expect(getHeader('x-content-type-options')).toBe('nosniff')
      if (/html|xml/.test(getHeader('content-type') ?? ''))
        expect(getHeader('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
      else expect(getHeader('content-security-policy')).toBeNull()
      expect(getHeader('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
      expect(getHeader('cross-origin-resource-policy') ?? getHeader('cross-origin-opener-policy')).toBeTruthy()
      expect(getHeader('cache-control')).toMatch(/no-store|no-cache/)
    },
  )

  test.each([
    ['/assets/logo.svg', /^default-src 'none'/],
    ['/assets/porch-night.svg', /^default-src 'none'/],
    ['/assets/nunito.woff2', /^$/],
    ['/assets/show-password.js', /^$/],
  ])('%s has a content security policy only if browsers open it as a document', async (path, policy) => {
    const { status, headers } = await fetch(deployment.provider.origin + path)
    expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
    expect(headers.get('content-security-policy') ?? '').toMatch(policy)
  })

  test('requires HTTPS if the provider has an https URL', async () => {
    const secure = await openTestDeployment({ change: () => ({ PROVIDER_ORIGIN: 'https://id.example.com' }) })
    const fetchHstsHeader = async (deployment: TestDeployment) =>
      (await fetch(`${deployment.provider.origin}/nope`)).headers.get('strict-transport-security')
    expect([await fetchHstsHeader(deployment), await fetchHstsHeader(secure)]).toEqual([
      null,
      'max-age=63072000; includeSubDomains',
    ])
    await secure.close()
  })
})
