import { afterAll, beforeAll, expect, test } from 'vitest'
import { userLogin } from '../../contract/auth/user-calls.ts'
import { BODY_MAX } from '../../contract/wire/body-limits.ts'
import { BRIDGE_PATHS } from '../../contract/bridge/bridge-protocol.ts'
import { CALLS, GATEWAY_CALLS } from '../../contract/all-calls.ts'
import { fillPath, gatewayPath, isInQuery, type Call } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { ENDPOINT_GROUPS } from '../../contract/wire/endpoint-groups.ts'
import { feedTicket } from '../../contract/events/feed-and-review-calls.ts'
import { app as edge } from '../../functions/app.ts'
import { toHonoRoute } from '../../provider/platform/http/serve-call.ts'
import provider from '../../provider/index.ts'
import { signIn } from '../support/edge.ts'
import { startSlowRequest, sendEndless } from '../support/endless.ts'
import { openNeighborhood, type Neighborhood } from '../support/home.ts'
import { tokenHeader } from '../support/provider.ts'
import { Visitor } from '../support/visitor.ts'

/** Bytes that a server may read beyond the body limit before it responds: it has to read a few to detect the excess. */
const SLACK = 16 * 1024
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

type Headers = Record<string, string>
/**
 * One request with a body. `max`: body limit in bytes; null if the server reads no body or requires a length. `status`:
 * response status in the null cases; otherwise 413.
 */
interface Case {
  readonly method: string
  readonly path: string
  readonly headers: () => Headers
  readonly max: number | null
  readonly status?: number
  /** Pattern of the error response. */
  readonly says?: RegExp
}
type Cases = Readonly<Record<string, readonly Case[]>>

let town: Neighborhood
let visitor: Visitor
let grant = ''
beforeAll(async () => {
  town = await openNeighborhood({
    portal: true,
    seeded: true,
    change: () => Promise.resolve({ REVENUE_TOKEN: 'a-token' }),
  })
  visitor = new Visitor(town.stage.env.PORTAL_ORIGIN)
  await signIn(visitor)
  await town.a.bridge.register('door_a')
  const objects = [{ kind: 'thumb', name: 'a', type: 'image/jpeg', length: 1000 }]
  const { body } = await town.a.bridge.send('POST', BRIDGE_PATHS.uploads, { device_id: 'door_a', objects })
  grant = new URL(body.data.grants[0].url as string).search
})
afterAll(() => town.close())

/** Routes that only run middleware before a handler. */
const MIDDLEWARE = ['/*', '/api/*', '/m/*', '/t/*', '/t/errors', '/cs/*', '/session/*', '/fin', '/logo.htm'].map(
  (path) => `ALL ${path}`,
)
const takesBody = (route: string) => !/^(GET|HEAD|OPTIONS) /.test(route) && !MIDDLEWARE.includes(route)
const listRoutes = (app: { routes: { method: string; path: string }[] }) =>
  [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))].filter(takesBody).sort()

const cookies = () => [...(visitor.cookies.get(visitor.portal) ?? [])].map((pair) => pair.join('=')).join('; ')
const fromPage = (type = JSON_TYPE) => ({
  ...{ ...type, cookie: cookies(), origin: visitor.portal, 'sec-fetch-site': 'same-origin' },
  [XSRF_HEADER]: visitor.cookie(XSRF_COOKIE) ?? '',
})
const admin = () => ({ ...JSON_TYPE, authorization: `Admin ${town.stage.env.ADMIN_KEY}` })
const stranger = (type: Headers) => () => type
const bridge = (method: string, path: string) => ({ ...JSON_TYPE, ...town.a.bridge.headers(method, path) })
/** Headers of an earlier bridge version, which signs without a body digest. */
const earlier = () => ({ ...bridge('POST', '/'), 'content-digest': '' })

const anyId = (path: string, uuid: string) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, name === 'uuid' ? uuid : 'x']))
const withBody = ({ method, request }: Call) => request !== null && !isInQuery(method)

const CODE = /^\{"code":413,"msg":"[A-Z].+\."\}$/
const OAUTH = /^\{"error":"invalid_request","error_description":"[A-Z].+\."\}$/
const PAGE = /^<!doctype html>[\s\S]*longer than/i

const post = (path: string, rest: Omit<Case, 'method' | 'path'>): Case => ({ method: 'POST', path, ...rest })

const EDGE: Cases = {
  'POST /api/auth/authorize': [
    post('/api/auth/authorize', { headers: fromPage, max: BODY_MAX.session, says: CODE }),
    post('/api/auth/authorize', {
      headers: () => fromPage(FORM_TYPE),
      max: BODY_MAX.session,
      says: /^<!doctype html>[\s\S]*too large/i,
    }),
  ],
  'POST /api/auth/refresh': [post('/api/auth/refresh', { headers: fromPage, max: BODY_MAX.session, says: CODE })],
  'POST /api/auth/logout': [
    post('/api/auth/logout', { headers: () => ({ ...fromPage(), cookie: xsrfOnly() }), max: null, status: 200 }),
  ],
  'POST /api/auth/sessions/end': [
    post('/api/auth/sessions/end', { headers: fromPage, max: BODY_MAX.session, says: CODE }),
  ],
  'POST /api/payment/start': [post('/api/payment/start', { headers: fromPage, max: BODY_MAX.session, says: CODE })],
  'POST /api/payment/return': [post('/api/payment/return', { headers: fromPage, max: BODY_MAX.session, says: CODE })],
  'POST /t/errors': [post('/t/errors', { headers: fromPage, max: BODY_MAX.report, says: CODE })],
  'POST /t/events': [post('/t/events', { headers: fromPage, max: BODY_MAX.events, says: CODE })],
  'POST /t/revenue': [post('/t/revenue', { headers: fromPage, max: BODY_MAX.revenue, says: CODE })],
  'ALL /api/p/:group/*': GATEWAY_CALLS.filter(withBody).map((call) => ({
    method: call.method,
    path: gatewayPath(call, anyId(call.path, 'uuid')),
    headers: fromPage,
    max: BODY_MAX.call,
    says: CODE,
  })),
}

const xsrfOnly = () => `${XSRF_COOKIE}=${visitor.cookie(XSRF_COOKIE) ?? ''}`

const SERVED: Cases = Object.fromEntries(
  CALLS.filter((call) => withBody(call) && call !== userLogin && call.via !== 'collector').map((call) => [
    `${call.method} ${toHonoRoute(call.path).path}`,
    [
      {
        method: call.method,
        path: fillPath(call.path, anyId(call.path, 'x')),
        headers: () => ({ ...JSON_TYPE, ...tokenHeader(ENDPOINT_GROUPS[call.group].tokenHeader, town.a.token) }),
        max: BODY_MAX.call,
        says: CODE,
      },
    ],
  ]),
)

const oidc = (path: string, max: number, says: RegExp, type = FORM_TYPE): [Case] => [
  post(path, { headers: stranger(type), max, says }),
]
const operated = (method: string, path: string, status?: number): [Case] => [
  {
    method,
    path,
    headers: admin,
    ...(status === undefined ? { max: BODY_MAX.call, says: CODE } : { max: null, status }),
  },
]
const ofBridge = (method: string, path: string): [Case] => [
  { method, path, headers: earlier, max: BODY_MAX.call, says: CODE },
]
const ofHistory = (path: string): Case[] => [
  ...ofBridge('POST', path),
  post(path, { headers: () => bridge('POST', path), max: BODY_MAX.bridge, says: CODE }),
  post(path, { headers: () => bridge('PUT', path), max: null, status: 401 }),
]

const PROVIDER: Cases = {
  ...SERVED,
  'ALL /.well-known/openid-configuration': oidc('/.well-known/openid-configuration', BODY_MAX.oauth, OAUTH),
  'ALL /oauth/authorize/:uid?': oidc('/oauth/authorize', BODY_MAX.oauth, PAGE),
  'ALL /oauth/sign-in/:uid': oidc('/oauth/sign-in/x', BODY_MAX.form, PAGE),
  'ALL /oauth/token': oidc('/oauth/token', BODY_MAX.oauth, OAUTH),
  'ALL /oauth/userinfo': oidc('/oauth/userinfo', BODY_MAX.oauth, OAUTH),
  'ALL /oauth/jwks': oidc('/oauth/jwks', BODY_MAX.oauth, OAUTH),
  'ALL /oauth/revocation': oidc('/oauth/revocation', BODY_MAX.oauth, OAUTH),
  'ALL /account/password': oidc('/account/password', BODY_MAX.form, PAGE),
  'ALL /account/second-factor': oidc('/account/second-factor', BODY_MAX.form, PAGE),
  'ALL /account/forgotten': oidc('/account/forgotten', BODY_MAX.form, PAGE),
  'ALL /account/delete': oidc('/account/delete', BODY_MAX.form, PAGE),
  'ALL /account/passkeys': oidc('/account/passkeys', BODY_MAX.form, PAGE),
  'ALL /api/v2/user/login': oidc('/api/v2/user/login?source=web', BODY_MAX.form, CODE, JSON_TYPE),
  'POST /bridge/v1/enrol': [post('/bridge/v1/enrol', { headers: stranger(JSON_TYPE), max: BODY_MAX.call, says: CODE })],
  'ALL /bridge/v1/*': ofBridge('POST', '/bridge/v1/nothing'),
  'PUT /bridge/v1/cameras/:device_id': ofBridge('PUT', '/bridge/v1/cameras/door_a'),
  'DELETE /bridge/v1/cameras/:device_id': ofBridge('DELETE', '/bridge/v1/cameras/door_a'),
  'POST /bridge/v1/uploads': ofBridge('POST', '/bridge/v1/uploads'),
  'POST /bridge/v1/events': ofBridge('POST', '/bridge/v1/events'),
  'POST /bridge/v1/clip': ofBridge('POST', '/bridge/v1/clip'),
  'POST /bridge/v1/moments': ofBridge('POST', '/bridge/v1/moments'),
  'POST /bridge/v1/failures': ofBridge('POST', '/bridge/v1/failures'),
  'POST /bridge/v1/history': ofHistory('/bridge/v1/history'),
  'PUT /media/upload': [
    {
      method: 'PUT',
      get path() {
        return `/media/upload${grant}`
      },
      headers: () => ({ 'content-type': 'image/jpeg' }),
      max: null,
      status: 400,
      says: /1000 bytes/,
    },
  ],
  'POST /t/errors': [post('/t/errors', { headers: stranger(JSON_TYPE), max: BODY_MAX.report, says: CODE })],
  'POST /cs/storecookie': oidc('/cs/storecookie', BODY_MAX.form, CODE),
  'POST /cs/facts': [
    post('/cs/facts?m=porchlight&s=x', { headers: stranger(JSON_TYPE), max: BODY_MAX.form, says: CODE }),
  ],
  'POST /fin': oidc('/fin', BODY_MAX.form, CODE),
  'POST /session/:session': [post('/session/x', { headers: stranger({}), max: null, status: 400 })],
  'POST /t/events': [post('/t/events', { headers: stranger(JSON_TYPE), max: BODY_MAX.measured, says: CODE })],
  'POST /t/revenue': [post('/t/revenue', { headers: stranger(JSON_TYPE), max: BODY_MAX.revenue, says: CODE })],
  'POST /admin/v1/books/open': operated('POST', '/admin/v1/books/open', 200),
  'POST /admin/v1/books/rebuild': operated('POST', '/admin/v1/books/rebuild', 200),
  'POST /admin/v1/clock': operated('POST', '/admin/v1/clock'),
  'POST /admin/v1/mails/done': operated('POST', '/admin/v1/mails/done'),
  'POST /admin/v1/mails/take': operated('POST', '/admin/v1/mails/take', 200),
  'POST /gateway/stripe': [post('/gateway/stripe', { headers: stranger(JSON_TYPE), max: null, status: 404 })],
  'POST /mail/stop': [post('/mail/stop', { headers: stranger(FORM_TYPE), max: null, status: 404 })],
  'POST /admin/v1/seed': operated('POST', '/admin/v1/seed', 200),
  'PUT /admin/v1/bridges/:id': operated('PUT', '/admin/v1/bridges/x'),
  'POST /admin/v1/retention/:id': operated('POST', '/admin/v1/retention/x', 404),
  'POST /admin/v1/accounts': operated('POST', '/admin/v1/accounts'),
  'PUT /admin/v1/accounts/:email': operated('PUT', '/admin/v1/accounts/owner@example.com'),
  'DELETE /admin/v1/accounts/:email/second-factor': operated(
    'DELETE',
    '/admin/v1/accounts/nobody@example.com/second-factor',
    404,
  ),
  'DELETE /admin/v1/accounts/:email': operated('DELETE', '/admin/v1/accounts/nobody@example.com', 404),
}

const WORKERS = [
  { name: 'edge', app: edge, cases: EDGE },
  { name: 'provider', app: provider, cases: PROVIDER },
] as const
const ALL = WORKERS.flatMap(({ name, cases }) =>
  Object.entries(cases).flatMap(([route, ways]) =>
    ways.map((routeCase, n) => ({ title: `${name} ${route} ${n + 1}`, name, one: routeCase })),
  ),
)
const userId = async () => ((await (await visitor.get('/api/auth/me')).json()) as { user_id: string }).user_id
async function buildUrl({ name, one: routeCase }: (typeof ALL)[number]): Promise<string> {
  const { PORTAL_ORIGIN, PROVIDER_ORIGIN } = town.stage.env
  return name === 'edge'
    ? PORTAL_ORIGIN + routeCase.path.replace('/uuid', `/${await userId()}`)
    : PROVIDER_ORIGIN + routeCase.path
}

test.each(WORKERS)('the cases cover every route of the $name that accepts a body', ({ app, cases }) => {
  expect(Object.keys(cases).sort()).toEqual(listRoutes(app))
})

test.each(ALL)('$title rejects an endless body without a length at its limit', async (each) => {
  const { method, max, headers, status = 413, says = /^/ } = each.one
  const maxBytes = (max ?? 0) + SLACK
  const outcome = await sendEndless(await buildUrl(each), { method, headers: headers(), most: maxBytes })
  expect(outcome).toMatchObject({ status, body: expect.stringMatching(says) as string })
  expect(outcome.given).toBeLessThanOrEqual(maxBytes)
})

test.each(ALL.filter(({ one: routeCase }) => routeCase.max !== null))(
  '$title rejects a length above its limit without reading the body',
  async (each) => {
    const { method, max, headers, says = /^/ } = each.one
    const announced = { ...headers(), 'content-length': String(40 * 1024 * 1024) }
    const outcome = await sendEndless(await buildUrl(each), { method, headers: announced, most: 0 })
    expect(outcome).toMatchObject({ status: 413, given: 0, body: expect.stringMatching(says) as string })
    expect(max).toBeGreaterThan(0)
  },
)

test('stalled bodies block no other requests', async () => {
  const slow = await Promise.all(
    ALL.map(async (each) =>
      startSlowRequest(await buildUrl(each), { method: each.one.method, headers: each.one.headers() }),
    ),
  )
  const { PORTAL_ORIGIN, PROVIDER_ORIGIN } = town.stage.env
  const token = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' })
  const answers = await Promise.all([
    fetch(`${PORTAL_ORIGIN}/healthz`),
    visitor.get('/api/auth/me'),
    visitor.post(gatewayPath(feedTicket)),
    fetch(`${PROVIDER_ORIGIN}/healthz`),
    fetch(`${PROVIDER_ORIGIN}/oauth/token`, { method: 'POST', body: token }),
    town.a.bridge.register('door_a'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 200])
  for (const request of slow) request.destroy()
  expect((await fetch(`${PROVIDER_ORIGIN}/healthz`)).status).toBe(200)
})

test.each([
  ['/api/v2/user/login?source=web', JSON_TYPE, CODE],
  ['/oauth/sign-in/x', FORM_TYPE, PAGE],
  ['/account/password', FORM_TYPE, PAGE],
  ['/account/second-factor', FORM_TYPE, PAGE],
  ['/account/passkeys', FORM_TYPE, PAGE],
])('a 9 KB form at %s is rejected with a message, and the next form is processed', async (path, type, says) => {
  const send = (body: string) =>
    fetch(town.stage.env.PROVIDER_ORIGIN + path, { method: 'POST', headers: type, body, redirect: 'manual' })
  const long = await send('a'.repeat(9 * 1024))
  expect([long.status, await long.text()]).toEqual([413, expect.stringMatching(says)])
  expect((await send('a=b')).status).toBeOneOf([400, 403])
})
