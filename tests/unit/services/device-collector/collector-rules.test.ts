import { describe, expect, test } from 'vitest'
import {
  isHostname,
  getCollectorOrigin,
  getSeparateCollectorOrigin,
} from '../../../../contract/telemetry/device-collector-origin.ts'
import { COLLECTOR_VERSION } from '../../../../contract/telemetry/device-collector.ts'
import { formatCookie } from '../../../../src/services/device-collector/first-party-value.ts'
import {
  DEFAULT_CONFIG,
  readFrameMessage,
  parseServerConfig,
  validateConfig,
} from '../../../../src/services/device-collector/collector-rules.ts'
import { COLLECTOR_KEYS } from '../../../../src/stores/storage/analytics-keys.ts'
import { COLLECTOR_CONFIG, FEATURE_FLAGS, COLLECTOR_ORIGIN } from '../../../support/collector-ports.ts'

describe('device collector start', () => {
  const validateChangedConfig = (changes: object, session: unknown = 's') =>
    validateConfig({ ...COLLECTOR_CONFIG, ...changes }, session)
  const errorSentence = expect.stringMatching(/\.$/) as string

  test('FRAUD-03 requires a configuration and a session', () => {
    expect(validateConfig(null, 's')).toEqual(errorSentence)
    expect(validateConfig(COLLECTOR_CONFIG, undefined)).toEqual(errorSentence)
    expect(validateConfig(COLLECTOR_CONFIG, 's')).toEqual({
      clientID: 'porchlight',
      origin: COLLECTOR_ORIGIN,
      isSinglePageApp: false,
      sessionID: 's',
    })
  })
  test.each([undefined, '', 7])('FRAUD-04 requires a client, not %j', (clientID) => {
    expect(validateChangedConfig({ clientID })).toEqual(errorSentence)
  })
  test('FRAUD-05 requires a host, by its name or by an environment', () => {
    expect(validateChangedConfig({ environment: undefined })).toEqual(errorSentence)
    expect(validateChangedConfig({ environment: undefined, hostname: 'a.example' })).toMatchObject({
      origin: 'https://a.example',
    })
    expect(validateChangedConfig({ hosts: { TEST: '', PROD: '' } })).toEqual(errorSentence)
  })
  test.each([undefined, 'false', 0])('FRAUD-06 requires the single-page app flag, not %j', (isSinglePageApp) => {
    expect(validateChangedConfig({ isSinglePageApp })).toEqual(errorSentence)
  })
  test.each([undefined, '', 7])('FRAUD-07 requires a session, not %j', (session) => {
    expect(validateChangedConfig({}, session ?? null)).toEqual(errorSentence)
  })
})

describe('device collector origin', () => {
  test.each(['a.example', 'A1.example.', 'localhost'])('FRAUD-09 %s is a hostname', (name) => {
    expect(isHostname(name)).toBe(true)
  })
  test.each(['', 'my-host.example', 'a.example:8443', 'a.example/path', 'a b', 'a_b', null, 7])(
    'FRAUD-09 %j is not a hostname',
    (name) => {
      expect(isHostname(name)).toBe(false)
    },
  )
  test('FRAUD-10 the environments select the two hosts of the page configuration, in any letter case', () => {
    const hosts = { TEST: 'http://127.0.0.1:4001', PROD: 'https://feature-a-b.preview.example' }
    expect(['TEST', 'test', 'Prod'].map((environment) => getCollectorOrigin({ environment, hosts }))).toEqual([
      hosts.TEST,
      hosts.TEST,
      hosts.PROD,
    ])
  })
  test.each(['', 'STAGE', 'TESTS', 'off'])('FRAUD-11 %j is not an environment', (environment) => {
    expect(getCollectorOrigin({ ...COLLECTOR_CONFIG, environment })).toBeNull()
  })
  test('FRAUD-12 a hostname takes precedence over an environment, even an invalid hostname', () => {
    expect(getCollectorOrigin({ ...COLLECTOR_CONFIG, hostname: 'a.example' })).toBe('https://a.example')
    expect(getCollectorOrigin({ ...COLLECTOR_CONFIG, hostname: 'a-b.example' })).toBeNull()
  })
  test.each(['nowhere', 'ftp://a.example', 'data:text/html,a', ''])('%j is not an origin', (TEST) => {
    expect(getCollectorOrigin({ environment: 'TEST', hosts: { TEST, PROD: COLLECTOR_ORIGIN } })).toBeNull()
  })
  test.each(['https://portal.example', 'https://portal.example/', 'https://PORTAL.example:443'])(
    'is empty if it is the portal’s own host, also as %s',
    (TEST) => {
      const hostConfig = { environment: 'TEST', hosts: { TEST, PROD: COLLECTOR_ORIGIN } }
      expect(getSeparateCollectorOrigin(hostConfig, 'https://portal.example')).toBeNull()
      expect(getSeparateCollectorOrigin(hostConfig, 'https://other.example')).toBe('https://portal.example')
      // The function compares the portal origin only with the host of the selected environment (`PROD`).
      expect(getSeparateCollectorOrigin({ ...hostConfig, environment: 'PROD' }, 'https://portal.example')).toBe(
        COLLECTOR_ORIGIN,
      )
      expect(
        getSeparateCollectorOrigin({ ...hostConfig, hostname: 'portal.example' }, 'https://portal.example:443'),
      ).toBeNull()
    },
  )
})

describe('device collector host configuration', () => {
  const parseConfig = (collect: unknown, feature_flags: object = FEATURE_FLAGS, ttlms: unknown = 500_000) =>
    parseServerConfig({ ttlms, collection: { collect, feature_flags } })

  test.each(['true', 1, null, undefined])('FRAUD-14 is invalid with %j as the collect flag', (collect) => {
    expect(parseConfig(collect)).toBeNull()
  })
  test.each(Object.keys(FEATURE_FLAGS))('FRAUD-15 requires a boolean for %s if it collects', (flag) => {
    expect(parseConfig(true, { ...FEATURE_FLAGS, [flag]: 'yes' })).toBeNull()
    expect(parseConfig(true, { ...FEATURE_FLAGS, [flag]: false })).toMatchObject({ flags: { [flag]: false } })
    expect(parseConfig(false, { ...FEATURE_FLAGS, [flag]: 'yes' })).toMatchObject({ collect: false })
  })
  test.each(['5000', null, Number.NaN])('FRAUD-17 FRAUD-42 with a lifetime of %j is valid for 900,000 ms', (ttlms) => {
    expect(parseConfig(true, FEATURE_FLAGS, ttlms)?.ttlMs).toBe(900_000)
    expect(parseConfig(true, FEATURE_FLAGS, 500_000)?.ttlMs).toBe(500_000)
  })
  test.each([
    [0, 60_000],
    [-1, 60_000],
    [60_001, 60_001],
    [3e9, 86_400_000],
    [Infinity, 86_400_000],
  ])('with a lifetime of %d ms is valid for %d ms', (ttlms, good) => {
    expect([parseConfig(true, FEATURE_FLAGS, ttlms)?.ttlMs, parseConfig(false, FEATURE_FLAGS, ttlms)?.ttlMs]).toEqual([
      good,
      good,
    ])
  })
  test('FRAUD-43 collects everything by default', () => {
    expect(DEFAULT_CONFIG).toEqual({ ttlMs: 900_000, collect: true, flags: FEATURE_FLAGS })
    expect(parseConfig(true)?.flags).toEqual(DEFAULT_CONFIG.flags)
  })
})

describe('message from the collector frame', () => {
  const message = { data: 'collect-end', params: { s: '1' } }
  test('FRAUD-31 is accepted only from the collector’s own origin', () => {
    expect(readFrameMessage({ origin: COLLECTOR_ORIGIN, data: message }, COLLECTOR_ORIGIN)).toBe('collect-end')
    for (const origin of ['https://other.example', `${COLLECTOR_ORIGIN}.other.example`, 'null', ''])
      expect(readFrameMessage({ origin, data: message }, COLLECTOR_ORIGIN)).toBeNull()
  })
  test.each([{ data: 'collect-end' }, { params: {} }, { data: 7, params: {} }, 'collect-end', null])(
    'FRAUD-32 requires data and params, not %j',
    (data) => {
      expect(readFrameMessage({ origin: COLLECTOR_ORIGIN, data }, COLLECTOR_ORIGIN)).toBeNull()
    },
  )
})

test('FRAUD-46 FRAUD-47 the cookie lasts 365 days on all paths and works in cross-site frames only if secure', () => {
  expect(formatCookie('name', 'v', true)).toBe('name=v;max-age=31536000;path=/;SameSite=None;Secure')
  expect(formatCookie('name', 'v', false)).toBe('name=v;max-age=31536000;path=/;SameSite=Lax')
})

test('FRAUD-41 the collector is version 2.0.0', () => {
  expect(COLLECTOR_VERSION).toBe('2.0.0')
})

test('the collector’s storage keys belong to the browser', () => {
  for (const key of Object.values(COLLECTOR_KEYS)) expect(key).toMatch(/^browser_/)
})
