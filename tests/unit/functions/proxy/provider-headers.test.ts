import { describe, expect, test } from 'vitest'
import { ENDPOINT_GROUPS, type GroupName } from '../../../../contract/wire/endpoint-groups.ts'
import { APP_INFO_HEADERS } from '../../../../contract/environment.ts'
import { readSettings, type Bindings, type Settings } from '../../../../functions/lib/settings.ts'
import { buildProviderHeaders } from '../../../../functions/lib/proxy/provider-headers.ts'
import { signProviderRequest } from '../../../../functions/lib/proxy/sign-request.ts'
import { makeEnvironment, makeSecrets } from '../../../../scripts/lib/secrets.ts'

const environment = makeEnvironment(makeSecrets(), {
  portalOrigin: 'https://portal.example',
  providerOrigin: 'https://provider.example',
  buildId: 'build-7',
})
const settings = createSettings({})
const CHROME_ON_MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'

function createSettings(more: Record<string, string>): Settings {
  const result = readSettings({ ...environment, ...more } as unknown as Bindings)
  if (!result.ok) throw new Error(result.problem)
  return result.settings
}

const buildHeaders = (group: GroupName, activeSettings = settings) =>
  buildProviderHeaders(activeSettings, {
    group,
    content: '{}',
    token: 'tok',
    userAgent: CHROME_ON_MAC,
    requestId: 'req-1',
  })

const TOKEN_NAMES = ['access_token', 'authorization', 'x-provider-authorization', 'token']

describe('token header', () => {
  const cases: [string, GroupName, string, string][] = [
    ['TOKEN-02 TOKEN-03', 'device', 'access_token', 'tok'],
    ['TOKEN-03', 'new-device', 'access_token', 'tok'],
    ['TOKEN-03', 'platform', 'access_token', 'tok'],
    ['TOKEN-04 TOKEN-10', 'gateway', 'authorization', 'Bearer tok'],
    ['TOKEN-05', 'membership-v2', 'authorization', 'tok'],
    ['TOKEN-05 TOKEN-10', 'v4-event', 'authorization', 'tok'],
    ['TOKEN-05 TOKEN-10', 'replays', 'authorization', 'tok'],
    ['TOKEN-05 TOKEN-10', 'device-management', 'authorization', 'tok'],
    ['TOKEN-05', 'event-da', 'authorization', 'tok'],
    ['TOKEN-06', 'ai-feedback', 'x-provider-authorization', 'tok'],
    ['TOKEN-06', 'ai-subscription', 'x-provider-authorization', 'tok'],
    ['TOKEN-06 TOKEN-10', 'ai-video-search', 'x-provider-authorization', 'tok'],
    ['TOKEN-07 TOKEN-11 FACE-04', 'friendly-face', 'token', 'tok'],
    ['TOKEN-07 TOKEN-11', 'sight-safe', 'token', 'tok'],
    ['TOKEN-05 TOKEN-10', 'web-backend', 'authorization', 'tok'],
    ['TOKEN-02', 'extension', 'authorization', 'tok'],
  ]

  test.each(cases)('%s the %s group carries the token only in the %s header', (_, group, name, value) => {
    const headers = buildHeaders(group)
    expect(headers[name]).toBe(value)
    expect(TOKEN_NAMES.filter((header) => header in headers)).toEqual([name])
  })

  test('every endpoint group is among the test cases', () => {
    expect(cases.map(([, group]) => group).toSorted()).toEqual(Object.keys(ENDPOINT_GROUPS).toSorted())
  })

  test('TOKEN-06 the branded header takes its name from the configuration', () => {
    const headers = buildHeaders('ai-feedback', createSettings({ BRANDED_HEADER: 'x-acme-authorization' }))
    expect(headers['x-acme-authorization']).toBe('tok')
    expect(headers['x-provider-authorization']).toBeUndefined()
  })

  test('TOKEN-08 the web back-end also gets a request_id, other specified groups do not', () => {
    expect(buildHeaders('web-backend')['request_id']).toBe('req-1')
    expect(buildHeaders('v4-event')['request_id']).toBeUndefined()
  })
})

describe('endpoint group hosts', () => {
  test('TOKEN-02 use a group’s own origin if one is configured', () => {
    const { hosts } = createSettings({ HOST_V4_EVENT: 'https://events.example' })
    expect(hosts['v4-event']).toBe('https://events.example')
    expect(hosts['new-device']).toBe('https://provider.example')
  })
})

describe('signature and app info headers', () => {
  const groups: [GroupName, keyof typeof environment | null, string][] = [
    ['device', null, ''],
    ['new-device', 'SIGN_NEW_DEVICE', 'new-device'],
    ['membership-v2', 'SIGN_MEMBERSHIP_V2', 'membership-v2'],
    ['v4-event', 'SIGN_V4_EVENT', 'v4-event'],
    ['platform', 'SIGN_PLATFORM', 'platform'],
    ['ai-feedback', 'SIGN_AI_EVENT_FEEDBACK', 'AI-event-feedback'],
    ['ai-subscription', 'SIGN_AI_SUBSCRIPTION', 'AI-subscription'],
    ['event-da', 'SIGN_EVENT_DA', 'event-DA'],
  ]

  test.each(groups)('SIGN-12 the %s group is signed with %s', (group, binding, endpoint) => {
    const expected =
      binding === null ? undefined : signProviderRequest(endpoint, '{}', 'tok', environment[binding] ?? '')
    expect(buildHeaders(group)['signature']).toBe(expected)
  })

  test.each(groups)('SIGN-12 the %s group gets the app info headers', (group) => {
    const headers = buildHeaders(group)
    expect(APP_INFO_HEADERS.map((name) => headers[name])).toEqual(['porchlight-web', 'build-7', 'web', '1-2'])
  })
})
