import { expect, test } from 'vitest'
import { getClientAddress } from '../../../../contract/wire/client-address.ts'
import { selectPublicVars } from '../../../../scripts/lib/deployment.ts'
import { makeEnvironment, makeSecrets } from '../../../../scripts/lib/secrets.ts'

const requestHeaders = new Headers({ 'cf-connecting-ip': '192.0.2.7', 'x-forwarded-for': '192.0.2.8' })
const origins = { portalOrigin: 'https://cam.example.com', providerOrigin: 'https://cam-id.example.com', buildId: 'b' }

test('a client address in a header is trusted only from a proxy, and X-Forwarded-For never', () => {
  expect(getClientAddress(requestHeaders, { TRUST_PROXY: '1' })).toBe('192.0.2.7')
  for (const env of [{}, { TRUST_PROXY: '0' }]) expect(getClientAddress(requestHeaders, env)).toBe('127.0.0.1')
  expect(getClientAddress(new Headers({ 'x-forwarded-for': '192.0.2.8' }), { TRUST_PROXY: '1' })).toBe('127.0.0.1')
})

test('TRUST_PROXY is set by hand for a run behind a proxy, and automatically for Cloudflare', () => {
  const env = makeEnvironment(makeSecrets(), origins)
  expect(env.TRUST_PROXY).toBeUndefined()
  expect(makeEnvironment(makeSecrets(), { ...origins, overrides: { TRUST_PROXY: '1' } }).TRUST_PROXY).toBe('1')
  const plan = { name: 'x', database: 'd', bucket: 'b', databaseId: null, preview: null, env: { ...env } }
  expect(selectPublicVars(plan as Parameters<typeof selectPublicVars>[0])).toMatchObject({ TRUST_PROXY: '1' })
})
