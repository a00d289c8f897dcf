import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ENVIRONMENT } from '../../../contract/environment.ts'
import { canSell, explainNoSales } from '../../../scripts/lib/selling.ts'
import { makeEnvironment, makeSecrets } from '../../../scripts/lib/secrets.ts'

const secrets = makeSecrets()
const buildEnvironment = (portalOrigin: string, providerOrigin: string, overrides: NodeJS.ProcessEnv = {}) =>
  makeEnvironment(secrets, { portalOrigin, providerOrigin, buildId: 'test', overrides })

test('demo accounts exist only if both origins are on this machine', () => {
  expect(buildEnvironment('http://localhost:8787', 'http://127.0.0.1:8788').DEMO).toBe('1')
  expect(buildEnvironment('https://cam.example.com', 'http://127.0.0.1:8788').DEMO).toBe('0')
  expect(buildEnvironment('http://localhost:8787', 'https://id.example.com').DEMO).toBe('0')
  expect(buildEnvironment('http://localhost.example.com', 'http://127.0.0.1:8788').DEMO).toBe('0')
})

test('OPEN-164 a local network has no demo accounts, invitations and a plan for all cameras', () => {
  const buildLanEnvironment = (overrides: NodeJS.ProcessEnv = {}) =>
    makeEnvironment(secrets, {
      portalOrigin: 'https://192.168.1.10:8787',
      providerOrigin: 'https://192.168.1.10:8788',
      internalProviderOrigin: 'http://127.0.0.1:8788',
      isLan: true,
      buildId: 'test',
      overrides,
    })
  const env = buildLanEnvironment()
  expect(env).toMatchObject({
    DEMO: '0',
    SIGN_UP: 'invite',
    HOME_PLAN: 'unlimited',
    PAYMENT_ORIGIN: 'https://192.168.1.10:8789',
    PROVIDER_INTERNAL_ORIGIN: 'http://127.0.0.1:8788',
  })
  // Without MEDIA_CAP_BYTES, the free disk space limits the storage, as with any `npm start`.
  expect([env.MEDIA_CAP_BYTES, env.BILLING_GATEWAY, env.EXPERIMENT]).toEqual([undefined, undefined, undefined])
  expect(buildLanEnvironment({ SIGN_UP: 'off', HOME_PLAN: 'cam-ai', MEDIA_CAP_BYTES: '5' })).toMatchObject({
    SIGN_UP: 'off',
    HOME_PLAN: 'cam-ai',
    MEDIA_CAP_BYTES: '5',
  })
  expect(buildLanEnvironment({ HOME_PLAN: '' }).HOME_PLAN).toBeUndefined()
  expect(() => buildLanEnvironment({ HOME_PLAN: 'unlimted' })).toThrow(
    /HOME_PLAN=unlimted isn't a plan. Use one of free/,
  )
})

test('all cameras have a plan without a purchase at home, but not in a demo or for customers', () => {
  const localOrigins = { portalOrigin: 'http://localhost:8787', providerOrigin: 'http://127.0.0.1:8788' }
  expect(makeEnvironment(secrets, { ...localOrigins, isDemo: false, buildId: 'test' }).HOME_PLAN).toBe('unlimited')
  expect(makeEnvironment(secrets, { ...localOrigins, buildId: 'test' }).HOME_PLAN).toBeUndefined()
  expect(buildEnvironment('https://cam.example.com', 'https://id.example.com').HOME_PLAN).toBeUndefined()
})

test('OPEN-165 the revenue script and the experiment run on this machine and in previews, unless set to empty', () => {
  const localOrigins = ['http://localhost:8787', 'http://127.0.0.1:8788'] as const
  const away = ['https://cam.example.com', 'https://id.example.com'] as const
  const getRevenueSettings = ({ REVENUE_TOKEN, EXPERIMENT }: ReturnType<typeof buildEnvironment>) => [
    REVENUE_TOKEN,
    EXPERIMENT,
  ]
  expect(getRevenueSettings(buildEnvironment(...localOrigins))).toEqual(['local', 'sample'])
  expect(
    getRevenueSettings(buildEnvironment(...localOrigins, { REVENUE_TOKEN: 'Token-1', EXPERIMENT: 'annual-first' })),
  ).toEqual(['Token-1', 'annual-first'])
  expect(getRevenueSettings(buildEnvironment(...localOrigins, { REVENUE_TOKEN: '', EXPERIMENT: '' }))).toEqual([
    undefined,
    undefined,
  ])
  expect(getRevenueSettings(buildEnvironment(...away))).toEqual([undefined, undefined])
  const [portalOrigin, providerOrigin] = away
  const preview = makeEnvironment(secrets, { portalOrigin, providerOrigin, buildId: 'test', isDemo: true })
  expect([preview.DEMO, ...getRevenueSettings(preview)]).toEqual(['1', 'local', 'sample'])
})

test('redirects may go to the deployment’s own names, or locally to those of the beta environment', () => {
  expect(buildEnvironment('http://localhost:8787', 'http://127.0.0.1:8788').OWN_DOMAIN).toBe('portal.example')
  const away = buildEnvironment('https://cam.example.com', 'https://id.example.com')
  expect([away.OWN_DOMAIN, away.PAYMENT_DOMAIN]).toEqual(['cam.example.com', 'pay.id.example.com'])
  expect(
    buildEnvironment('https://cam.example.com', 'https://id.example.com', { OWN_DOMAIN: 'example.com' }).OWN_DOMAIN,
  ).toBe('example.com')
})

test('the card page has the next port locally and its own name elsewhere, and payment redirects go there', () => {
  expect(buildEnvironment('http://localhost:8787', 'http://127.0.0.1:8788').PAYMENT_ORIGIN).toBe(
    'http://127.0.0.1:8789',
  )
  const away = buildEnvironment('https://cam.example.com', 'https://id.example.com')
  expect([away.PAYMENT_ORIGIN, away.PAYMENT_DOMAIN]).toEqual(['https://pay.id.example.com', 'pay.id.example.com'])
  const named = buildEnvironment('https://cam.example.com', 'https://id.example.com', {
    PAYMENT_ORIGIN: 'https://cards.example.com',
  })
  expect([named.PAYMENT_ORIGIN, named.PAYMENT_DOMAIN]).toEqual(['https://cards.example.com', 'cards.example.com'])
})

test('sales are enabled only if both origins are on this machine or a gateway is named', () => {
  expect(canSell(buildEnvironment('http://localhost:8787', 'http://127.0.0.1:8788'))).toBe(true)
  expect(buildEnvironment('https://cam.example.com', 'https://id.example.com').BILLING_GATEWAY).toBeUndefined()
  const claimed = buildEnvironment('https://cam.example.com', 'https://id.example.com', { BILLING_GATEWAY: 'embedded' })
  expect(canSell(claimed)).toBe(false)
  expect(explainNoSales(claimed)).toContain('no payment gateway is set')
})

test('Stripe sells with its key, locally and elsewhere, and redirects to its page are allowed', () => {
  const localOrigins = ['http://localhost:8787', 'http://127.0.0.1:8788'] as const
  for (const [portal, provider] of [localOrigins, ['https://cam.example.com', 'https://id.example.com']] as const) {
    const keyless = buildEnvironment(portal, provider, { BILLING_GATEWAY: 'stripe' })
    expect([canSell(keyless), explainNoSales(keyless)]).toEqual([
      false,
      'Sales are off: BILLING_GATEWAY is stripe, but STRIPE_SECRET_KEY is missing.',
    ])
    const stripeSettings = { BILLING_GATEWAY: 'stripe', STRIPE_SECRET_KEY: 'sk_test_x' }
    const made = buildEnvironment(portal, provider, stripeSettings)
    expect([canSell(made), made.PAYMENT_DOMAIN]).toEqual([true, 'checkout.stripe.com'])
    expect(
      buildEnvironment(portal, provider, { ...stripeSettings, PAYMENT_DOMAIN: 'pay.a.example' }).PAYMENT_DOMAIN,
    ).toBe('pay.a.example')
  }
})

test('a run takes only settings from its environment', () => {
  const env = buildEnvironment('https://cam.example.com', 'https://id.example.com', {
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_SECRET: 'of the issuer',
    OIDC_SCOPE: 'openid email',
    HOST_V4_EVENT: 'https://events.example.com',
    HOST_NAME: 'laptop',
    ADMIN_KEY: 'from outside',
    APP_ID: '',
  })
  expect(env).toMatchObject({
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_SECRET: 'of the issuer',
    OIDC_SCOPE: 'openid email',
    HOST_V4_EVENT: 'https://events.example.com',
    ADMIN_KEY: secrets.ADMIN_KEY,
  })
  expect(env).not.toHaveProperty('HOST_NAME')
  expect(env).not.toHaveProperty('APP_ID')
})

test('every environment variable is set by a run or optional, and is in the operations guide', () => {
  const env = buildEnvironment('https://cam.example.com', 'https://id.example.com')
  const required = Object.entries(ENVIRONMENT).filter(([, row]) => !('optional' in row))
  for (const [name] of required) expect([name, env[name as keyof typeof env]]).not.toContain(undefined)
  const operationsGuide = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8').replaceAll(
    '`',
    '',
  )
  const names = Object.keys(ENVIRONMENT).map((name) => name.replace(/^SIGN_.*/, 'SIGN_…'))
  // The guide omits `BUILD_ID`, because each run derives it from the sources.
  expect(names.filter((name) => !operationsGuide.includes(name))).toEqual(['BUILD_ID'])
})
