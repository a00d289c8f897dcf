import { expect, test } from 'vitest'
import { createPublicConfig } from '../../../../scripts/lib/site.ts'

const ENV = {
  PORTAL_ORIGIN: 'https://portal.example',
  PROVIDER_ORIGIN: 'https://provider.example',
  PAYMENT_ORIGIN: 'https://pay.example',
  OWN_DOMAIN: 'example',
  PAYMENT_DOMAIN: 'pay.example',
  ENVIRONMENT: 'production',
  BUILD_ID: 'abcdef0',
  OIDC_ISSUER: 'https://provider.example',
}

test('ANALYTICS-05 the page configuration enables test tracking unless the operator disables it', () => {
  expect(createPublicConfig(ENV as Parameters<typeof createPublicConfig>[0]).testTracking).toBe('on')
  const off = { ...ENV, TEST_TRACKING: 'off' } as Parameters<typeof createPublicConfig>[0]
  expect(createPublicConfig(off).testTracking).toBe('off')
})

test('the page configuration names the analytics library that the operator has chosen, and none by default', () => {
  const readLibrary = (env: object) =>
    createPublicConfig({ ...ENV, ...env } as Parameters<typeof createPublicConfig>[0]).analyticsLibrary
  expect([readLibrary({}), readLibrary({ ANALYTICS_LIBRARY: 'amplitude' })]).toEqual(['', 'amplitude'])
})
