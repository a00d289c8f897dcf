import { afterAll, beforeAll, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../contract/bridge/bridge-protocol.ts'
import { formatGatewayPath } from '../../contract/wire/call.ts'
import { feedTicket } from '../../contract/events/feed-and-review-calls.ts'
import { app as edge } from '../../functions/app.ts'
import provider from '../../provider/index.ts'
import {
  API_ERROR_PATTERN,
  EDGE_BODY_LIMIT_CASES,
  ERROR_PAGE_PATTERN,
  FORM_HEADERS,
  JSON_HEADERS,
  PROVIDER_BODY_LIMIT_CASES,
  type BodyLimitContext,
} from '../support/body-limit-cases.ts'
import { signInThroughEdge } from '../support/edge.ts'
import { startSlowRequest, sendEndlessBody } from '../support/endless.ts'
import { openNeighborhood, type Neighborhood } from '../support/home.ts'
import { Visitor } from '../support/visitor.ts'

/**
 * Maximum bytes that a server may read beyond the body limit. It must read a few of these bytes to detect the excess.
 */
const MAX_EXCESS_BYTES = 16 * 1024

let neighborhood: Neighborhood
let visitor: Visitor
let bodyLimitContext: BodyLimitContext
beforeAll(async () => {
  neighborhood = await openNeighborhood({
    portal: true,
    seeded: true,
    change: () => Promise.resolve({ REVENUE_TOKEN: 'a-token' }),
  })
  visitor = new Visitor(neighborhood.stage.env.PORTAL_ORIGIN)
  await signInThroughEdge(visitor)
  await neighborhood.a.bridge.register('door_a')
  const objects = [{ kind: 'thumb', name: 'a', type: 'image/jpeg', length: 1000 }]
  const { body } = await neighborhood.a.bridge.send('POST', BRIDGE_PATHS.uploads, { device_id: 'door_a', objects })
  bodyLimitContext = { neighborhood, visitor, uploadGrant: new URL(body.data.grants[0].url as string).search }
})
afterAll(() => neighborhood.close())

/** Routes that only run middleware before a handler. */
const MIDDLEWARE_ROUTES = ['/*', '/api/*', '/m/*', '/t/*', '/t/errors', '/cs/*', '/session/*', '/fin', '/logo.htm'].map(
  (path) => `ALL ${path}`,
)
const routeTakesBody = (route: string) => !/^(GET|HEAD|OPTIONS) /.test(route) && !MIDDLEWARE_ROUTES.includes(route)
const listRoutes = (app: { routes: { method: string; path: string }[] }) =>
  [...new Set(app.routes.map(({ method, path }) => `${method} ${path}`))].filter(routeTakesBody).sort()

const WORKERS = [
  { name: 'edge', app: edge, cases: EDGE_BODY_LIMIT_CASES },
  { name: 'provider', app: provider, cases: PROVIDER_BODY_LIMIT_CASES },
] as const
const ALL_BODY_LIMIT_CASES = WORKERS.flatMap(({ name, cases }) =>
  Object.entries(cases).flatMap(([route, routeCases]) =>
    routeCases.map((routeCase, n) => ({ title: `${name} ${route} ${n + 1}`, name, routeCase })),
  ),
)
const fetchUserId = async () => ((await (await visitor.get('/api/auth/me')).json()) as { user_id: string }).user_id
async function buildUrl({ name, routeCase }: (typeof ALL_BODY_LIMIT_CASES)[number]): Promise<string> {
  const { PORTAL_ORIGIN, PROVIDER_ORIGIN } = neighborhood.stage.env
  return name === 'edge'
    ? PORTAL_ORIGIN + routeCase.path.replace('/uuid', `/${await fetchUserId()}`)
    : PROVIDER_ORIGIN + routeCase.path + (routeCase.query?.(bodyLimitContext) ?? '')
}

test.each(WORKERS)('the cases cover every route of the $name that accepts a body', ({ app, cases }) => {
  expect(Object.keys(cases).sort()).toEqual(listRoutes(app))
})

test.each(ALL_BODY_LIMIT_CASES)('$title rejects an endless body without a length at its limit', async (each) => {
  const { method, maxBytes: max, headers, status = 413, errorPattern = /^/ } = each.routeCase
  const maxBytes = (max ?? 0) + MAX_EXCESS_BYTES
  const outcome = await sendEndlessBody(await buildUrl(each), {
    method,
    headers: headers(bodyLimitContext),
    maxBytesBeforeResponse: maxBytes,
  })
  expect(outcome).toMatchObject({ status, body: expect.stringMatching(errorPattern) as string })
  expect(outcome.sentBytes).toBeLessThanOrEqual(maxBytes)
})

test.each(ALL_BODY_LIMIT_CASES.filter(({ routeCase }) => routeCase.maxBytes !== null))(
  '$title rejects a length above its limit without reading the body',
  async (each) => {
    const { method, maxBytes: max, headers, errorPattern = /^/ } = each.routeCase
    const announced = { ...headers(bodyLimitContext), 'content-length': String(40 * 1024 * 1024) }
    const outcome = await sendEndlessBody(await buildUrl(each), {
      method,
      headers: announced,
      maxBytesBeforeResponse: 0,
    })
    expect(outcome).toMatchObject({ status: 413, sentBytes: 0, body: expect.stringMatching(errorPattern) as string })
    expect(max).toBeGreaterThan(0)
  },
)

test('stalled bodies block no other requests', async () => {
  const slow = await Promise.all(
    ALL_BODY_LIMIT_CASES.map(async (each) =>
      startSlowRequest(await buildUrl(each), {
        method: each.routeCase.method,
        headers: each.routeCase.headers(bodyLimitContext),
      }),
    ),
  )
  const { PORTAL_ORIGIN, PROVIDER_ORIGIN } = neighborhood.stage.env
  const token = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' })
  const answers = await Promise.all([
    fetch(`${PORTAL_ORIGIN}/healthz`),
    visitor.get('/api/auth/me'),
    visitor.post(formatGatewayPath(feedTicket)),
    fetch(`${PROVIDER_ORIGIN}/healthz`),
    fetch(`${PROVIDER_ORIGIN}/oauth/token`, { method: 'POST', body: token }),
    neighborhood.a.bridge.register('door_a'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 200])
  for (const request of slow) request.destroy()
  expect((await fetch(`${PROVIDER_ORIGIN}/healthz`)).status).toBe(200)
})

test.each([
  ['/api/v2/user/login?source=web', JSON_HEADERS, API_ERROR_PATTERN],
  ['/oauth/sign-in/x', FORM_HEADERS, ERROR_PAGE_PATTERN],
  ['/account/password', FORM_HEADERS, ERROR_PAGE_PATTERN],
  ['/account/second-factor', FORM_HEADERS, ERROR_PAGE_PATTERN],
  ['/account/passkeys', FORM_HEADERS, ERROR_PAGE_PATTERN],
])('a 9 KB form at %s is rejected with a message, and the next form is processed', async (path, type, errorPattern) => {
  const send = (body: string) =>
    fetch(neighborhood.stage.env.PROVIDER_ORIGIN + path, { method: 'POST', headers: type, body, redirect: 'manual' })
  const long = await send('a'.repeat(9 * 1024))
  expect([long.status, await long.text()]).toEqual([413, expect.stringMatching(errorPattern)])
  expect((await send('a=b')).status).toBeOneOf([400, 403])
})
