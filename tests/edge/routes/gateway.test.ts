import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { APP_INFO_HEADERS } from '../../../contract/environment.ts'
import { signProviderRequest } from '../../../functions/lib/proxy/sign-request.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import type { Fault } from '../../support/fault-proxy.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeDeployment
let visitor: Visitor
let userId: string

beforeAll(async () => {
  edge = await openEdge({ UPSTREAM_TIMEOUT_MS: '1500' })
  visitor = edge.visitor()
  await signInThroughEdge(visitor)
  userId = ((await (await visitor.get('/api/auth/me')).json()) as { user_id: string }).user_id
})
beforeEach(() => edge.proxy.clearFaults())
afterAll(() => edge.close())

const HOME_PATH = '/api/p/new-device/app/v4/home'
const DEVICES_PATH = '/api/p/new-device/app/v4/home/get-home-devices'
const HISTORY_PATH = '/api/p/web-backend/backend/event/history'
const deviceQuery = { device_category: 'camera', env: 'beta' }
const historyQuery = {
  begin_time: 0,
  end_time: 1,
  count: 10_000,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  order_by: 2,
}
const getLastProviderRequest = () => {
  const last = edge.proxy.requests.at(-1)
  if (!last) throw new Error('Nothing reached the provider.')
  return last
}

describe('contract call', () => {
  test('is answered by the provider', async () => {
    const answer = await visitor.get(HOME_PATH)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ code: 1, data: [expect.objectContaining({ role: 1 })] })
  })

  test('SIGN-14 to a device endpoint carries the app info headers', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0' }
    expect((await visitor.post(DEVICES_PATH, deviceQuery, headers)).status).toBe(200)
    expect(APP_INFO_HEADERS.map((name) => getLastProviderRequest().headers[name])).toEqual([
      'porchlight-web',
      'test',
      'web',
      '3-1',
    ])
  })

  test('TOKEN-08 to the web back-end carries a new request_id each time', async () => {
    const ids = []
    for (let i = 0; i < 2; i++) {
      expect((await visitor.post(`/api/p/web-backend/api/v2/subscriptions/${userId}`)).status).toBe(200)
      ids.push(getLastProviderRequest().headers['request_id'])
    }
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(ids).size).toBe(2)
  })

  test('is signed over exactly the bytes that are sent, including a fresh nonce', async () => {
    await visitor.post(DEVICES_PATH, deviceQuery)
    const { body, headers } = getLastProviderRequest()
    const token = String(headers['access_token'])
    expect(headers['signature']).toBe(
      signProviderRequest('new-device', body, token, edge.deployment.env.SIGN_NEW_DEVICE),
    )
    expect(JSON.parse(body)).toEqual({ ...deviceQuery, nonce: expect.stringMatching(/^\d{17,18}$/) })
  })

  test('without a body is signed over its query', async () => {
    await visitor.get(HOME_PATH)
    const { path, headers } = getLastProviderRequest()
    const query = path.split('?')[1] ?? ''
    expect(query).toMatch(/^nonce=\d{17,18}$/)
    const token = String(headers['access_token'])
    expect(headers['signature']).toBe(
      signProviderRequest('new-device', query, token, edge.deployment.env.SIGN_NEW_DEVICE),
    )
  })

  test('gets user id and nonce from the edge, regardless of what the browser sends', async () => {
    await visitor.post(HISTORY_PATH, { ...historyQuery, user_id: 'somebody-else', nonce: '1', extra: true })
    expect(JSON.parse(getLastProviderRequest().body)).toEqual({
      ...historyQuery,
      user_id: userId,
      nonce: expect.stringMatching(/^\d{17,18}$/),
    })
  })

  test('forwards nothing else from the browser', async () => {
    await visitor.post(DEVICES_PATH, deviceQuery, {
      'x-forwarded-for': '1.2.3.4',
      'x-evil': '1',
      authorization: 'Bearer mine',
      access_token: 'mine',
    })
    const { headers } = getLastProviderRequest()
    expect(headers['access_token']).not.toBe('mine')
    for (const name of ['cookie', 'x-forwarded-for', 'x-evil', 'authorization', 'origin', 'x-xsrf-token']) {
      expect(headers[name]).toBeUndefined()
    }
  })

  test.each([
    ['with no body', undefined],
    ['with an empty object', '{}'],
  ])('using DELETE %s reaches the provider with its path alone', async (_, body) => {
    const path = '/search_history/query_1-A'
    const answer = await visitor.fetch(`/api/p/ai-video-search${path}`, {
      method: 'DELETE',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        origin: edge.portalOrigin,
        'x-xsrf-token': visitor.getCookie('XSRF-TOKEN') ?? '',
      },
      ...(body === undefined ? {} : { body }),
    })
    expect([answer.status, (await answer.json()) as unknown]).toEqual([404, expect.objectContaining({ code: 404 })])
    expect(getLastProviderRequest()).toMatchObject({ method: 'DELETE', path, body: '' })
  })

  test('returns nothing but status and JSON', async () => {
    const headers = { 'set-cookie': 'a=b', 'x-secret': '1', 'access-control-allow-origin': '*' }
    edge.proxy.fail('/app/v4/home', { kind: 'answer', status: 409, body: '{"code":4101,"msg":"no"}', headers })
    const answer = await visitor.get(HOME_PATH)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toEqual({ code: 4101, msg: 'no' })
    for (const name of Object.keys(headers)) expect(answer.headers.get(name)).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

const BINDINGS_PATH = '/membership-v2/membership/v2/batch_get_bindings'
const FEEDBACK_PATH = '/ai-feedback/events/e1/feedback'

describe('endpoint with its own secret', () => {
  type Binding = Extract<keyof typeof edge.deployment.env, `SIGN_${string}`>
  const tokenHeaders = ['access_token', 'authorization', 'x-provider-authorization']
  type SignedEndpoint = readonly [
    id: string,
    name: string,
    binding: Binding,
    method: string,
    path: string,
    body?: object,
  ]
  const endpoints: readonly SignedEndpoint[] = [
    ['SIGN-03', 'new-device', 'SIGN_NEW_DEVICE', 'GET', '/new-device/app/v4/home'],
    ['SIGN-04', 'v4-event', 'SIGN_V4_EVENT', 'POST', '/v4-event/app/v4/device/get-event-tags', {}],
    ['SIGN-05', 'platform', 'SIGN_PLATFORM', 'GET', '/platform/platform/v1/conf_and_setting'],
    ['SIGN-06', 'membership-v2', 'SIGN_MEMBERSHIP_V2', 'POST', BINDINGS_PATH, { device_macs: ['CAM1'] }],
    ['SIGN-07', 'AI-event-feedback', 'SIGN_AI_EVENT_FEEDBACK', 'PUT', FEEDBACK_PATH, { feedback: 'right' }],
    ['SIGN-08', 'AI-subscription', 'SIGN_AI_SUBSCRIPTION', 'GET', '/ai-subscription/user/retention-policy'],
    ['SIGN-09', 'event-DA', 'SIGN_EVENT_DA', 'POST', '/event-da/events/anomaly/batch', { event_ids: ['e1'] }],
  ]

  for (const [id, name, binding, method, path, body] of endpoints)
    test(`${id} ${name} signs with that secret and no other`, async () => {
      await visitor.fetch(`/api/p${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          ...(method === 'GET'
            ? {}
            : { origin: edge.portalOrigin, 'x-xsrf-token': visitor.getCookie('XSRF-TOKEN') ?? '' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const { headers, path: sentPath, body: content } = getLastProviderRequest()
      const token = tokenHeaders.map((header) => headers[header]).find((value) => value !== undefined)
      const signed = method === 'GET' ? (sentPath.split('?')[1] ?? '') : content
      const signers = endpoints.filter(
        ([, , signer]) =>
          signProviderRequest(name, signed, String(token), edge.deployment.env[signer] ?? '') === headers['signature'],
      )
      expect(signers.map(([, , signer]) => signer)).toEqual([binding])
    })
})

describe('gateway request filter', () => {
  test.each([
    ['an unknown group', '/api/p/evil/app/v4/home'],
    ['an unknown path', '/api/p/new-device/app/v4/secret'],
    ['a path of another group', '/api/p/v4-event/app/v4/home'],
    ['a bridge call', '/api/p/web-backend/bridge/v1/control'],
    ['an operator call', '/api/p/web-backend/admin/v1/seed'],
    ['the token endpoint', '/api/p/web-backend/oauth/token'],
    ['a path with dots', '/api/p/new-device/x/..%2f/app/v4/home'],
  ])('%s is not forwarded', async (_, path) => {
    const answer = await visitor.get(path)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 404 })
    expect(edge.proxy.requests).toEqual([])
  })

  test('a call for another user is not forwarded', async () => {
    const answer = await visitor.post('/api/p/web-backend/api/v2/subscriptions/somebody')
    expect(answer.status).toBe(403)
    expect(edge.proxy.requests).toEqual([])
  })

  test.each([
    ['a value of the wrong type', { ...deviceQuery, env: 7 }],
    ['a missing field', { env: 'beta' }],
    ['a list', []],
    ['nothing', null],
  ])('a body that is %s is not forwarded', async (_, body) => {
    const answer = await visitor.post(DEVICES_PATH, body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 400 })
    expect(edge.proxy.requests).toEqual([])
  })

  test('a body of more than 256 KB is not forwarded', async () => {
    const answer = await visitor.post(DEVICES_PATH, { ...deviceQuery, padding: 'x'.repeat(256 * 1024) })
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { code: 413, msg: expect.stringContaining('256 KB') as unknown },
    ])
    expect(edge.proxy.requests).toEqual([])
  })

  test('a body of invalid JSON and a repeated parameter are not forwarded', async () => {
    const headers = {
      'content-type': 'application/json',
      origin: edge.portalOrigin,
      'x-xsrf-token': visitor.getCookie('XSRF-TOKEN') ?? '',
    }
    expect((await visitor.fetch(DEVICES_PATH, { method: 'POST', body: '{"device_category', headers })).status).toBe(400)
    expect((await visitor.get(`${HOME_PATH}?a=1&a=2`)).status).toBe(400)
    expect(edge.proxy.requests).toEqual([])
  })

  test('a request without a session is not forwarded', async () => {
    const answer = await edge.visitor().get(HOME_PATH)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 401 })
    expect(edge.proxy.requests).toEqual([])
  })
})

describe('provider error response', () => {
  const faults: [string, Fault, number][] = [
    [
      'is behind a gateway that returns 500 with a page',
      { kind: 'answer', status: 500, body: '<h1>oops</h1>', type: 'text/html' },
      503,
    ],
    ['is behind a gateway that returns 504', { kind: 'answer', status: 504, body: 'late', type: 'text/plain' }, 504],
    ['returns a page', { kind: 'answer', status: 200, body: '<h1>hello</h1>', type: 'text/html' }, 502],
    ['redirects', { kind: 'answer', status: 302, body: '{}', headers: { location: 'https://evil.test/' } }, 502],
    ['returns invalid JSON', { kind: 'answer', status: 200, body: '{"code":1,' }, 502],
    ['returns an empty body', { kind: 'answer', status: 200, body: '' }, 502],
    ['truncates its response', { kind: 'cut' }, 502],
    ['breaks the connection', { kind: 'reset' }, 503],
    ['hangs', { kind: 'hang' }, 504],
  ]

  test.each(faults)(
    'from a provider that %s becomes a catalog code, and the next call works',
    async (_, fault, status) => {
      edge.proxy.fail('/app/v4/home', fault)
      const answer = await visitor.get(HOME_PATH)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({ code: status, msg: expect.stringMatching(/camera service.*\.$/) })
      edge.proxy.clearFaults()
      expect((await visitor.get(HOME_PATH)).status).toBe(200)
    },
  )

  test('with a catalog code of its own is passed on with its retry time', async () => {
    const busy = { kind: 'answer', status: 503, body: '{"code":4290,"msg":"busy"}' } as const
    edge.proxy.fail('/app/v4/home', { ...busy, headers: { 'retry-after': '17' } })
    const answer = await visitor.get(HOME_PATH)
    expect([answer.status, await answer.json()]).toEqual([503, { code: 4290, msg: 'busy' }])
    expect(answer.headers.get('retry-after')).toBe('17')
  })
})
