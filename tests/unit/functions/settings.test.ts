import { describe, expect, test } from 'vitest'
import { readSettings, type Bindings } from '../../../functions/lib/settings.ts'
import { makeEnvironment, makeSecrets } from '../../../scripts/lib/secrets.ts'

const origins = { portalOrigin: 'http://localhost:8787', providerOrigin: 'http://127.0.0.1:8788', buildId: 'b' }
const environment = makeEnvironment(makeSecrets(), origins)
const readChangedSettings = (change: Record<string, string | undefined>) =>
  readSettings({ ...environment, ...change } as unknown as Bindings)

describe('edge settings', () => {
  test('CONST-10 default to the beta environment with a host for every endpoint group', () => {
    const result = readChangedSettings({})
    expect(result).toMatchObject({
      ok: true,
      settings: { ENVIRONMENT: 'beta', hosts: { 'v4-event': 'http://127.0.0.1:8788' } },
    })
  })

  test.each([
    'COOKIE_KEY',
    'MEDIA_KEY',
    'OIDC_CLIENT_SECRET',
    'SIGN_V4_EVENT',
    'SIGN_EVENT_DA',
    'PROVIDER_ORIGIN',
    'BUILD_ID',
  ])('without %s return an error that names it and says what to do', (name) => {
    const result = readChangedSettings({ [name]: undefined })
    expect(result).toEqual({
      ok: false,
      problem: expect.stringMatching(new RegExp(`${name} is missing\\..*npm start`)),
    })
  })

  test('with a short key return an error that names it without repeating the key', () => {
    const result = readChangedSettings({ COOKIE_KEY: 'tooshort' })
    expect(result).toEqual({ ok: false, problem: expect.stringContaining('COOKIE_KEY is shorter than 32 characters') })
    expect(JSON.stringify(result)).not.toContain('tooshort')
  })

  test.each(['localhost:8787', 'http://localhost:8787/', 'portal.example'])(
    'accept only an origin as PORTAL_ORIGIN, not %s',
    (value) => {
      expect(readChangedSettings({ PORTAL_ORIGIN: value })).toEqual({
        ok: false,
        problem: expect.stringContaining('PORTAL_ORIGIN must be an origin'),
      })
    },
  )

  test.each(['with space', 'a_b', 'a'.repeat(65), 'owner@example.com'])('reject %s as REVENUE_TOKEN', (value) => {
    expect(readChangedSettings({ REVENUE_TOKEN: value })).toEqual({
      ok: false,
      problem: expect.stringContaining('REVENUE_TOKEN isn’t a valid token'),
    })
  })

  test.each([
    [undefined, null],
    ['', null],
    ['Token-1', 'Token-1'],
  ])('read REVENUE_TOKEN %j as %j', (value, revenueToken) => {
    expect(readChangedSettings({ REVENUE_TOKEN: value })).toMatchObject({ ok: true, settings: { revenueToken } })
  })

  test('accept amplitude as the only ANALYTICS_LIBRARY', () => {
    for (const value of [undefined, '', 'amplitude'])
      expect(readChangedSettings({ ANALYTICS_LIBRARY: value })).toMatchObject({ ok: true })
    expect(readChangedSettings({ ANALYTICS_LIBRARY: 'other' })).toEqual({
      ok: false,
      problem: expect.stringContaining('ANALYTICS_LIBRARY isn’t valid'),
    })
  })

  test('accept eu as the only JURISDICTION', () => {
    for (const value of [undefined, '', 'eu'])
      expect(readChangedSettings({ JURISDICTION: value })).toMatchObject({ ok: true })
    expect(readChangedSettings({ JURISDICTION: 'moon' })).toEqual({
      ok: false,
      problem: expect.stringContaining('JURISDICTION isn’t valid'),
    })
  })

  test('read ANALYTICS_SAMPLE as a whole number of browsers, 1 by default', () => {
    for (const [value, analyticsSampleRate] of [
      [undefined, 1],
      ['', 1],
      ['1', 1],
      ['25', 25],
    ] as const)
      expect(readChangedSettings({ ANALYTICS_SAMPLE: value })).toMatchObject({
        ok: true,
        settings: { analyticsSampleRate },
      })
    for (const value of ['0', '-1', '1.5', '10001', 'all'])
      expect(readChangedSettings({ ANALYTICS_SAMPLE: value })).toEqual({
        ok: false,
        problem: expect.stringContaining('ANALYTICS_SAMPLE isn’t valid'),
      })
  })

  test('are parsed only once', () => {
    const bindings = { ...environment } as unknown as Bindings
    expect(readSettings(bindings)).toBe(readSettings(bindings))
  })
})
