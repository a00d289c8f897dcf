import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { formatGatewayPath } from '../../../contract/wire/call.ts'
import { getHomes } from '../../../contract/cameras/devices.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { configureClient, request } from '../../../src/api/api-client.ts'
import { createRefresher } from '../../../src/api/token-refresh.ts'
import { recordCaseCount } from '../../support/cases.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { selectByTestTier } from '../../support/tier.ts'
import type { Visitor } from '../../support/visitor.ts'

const REQUEST_COUNT = selectByTestTier(200, 1000)
let edge: EdgeDeployment
let visitor: Visitor
let token = ''

beforeAll(async () => {
  // Stubs an empty `window`, because the client looks there for early requests.
  vi.stubGlobal('window', {})
  // Long timeout: on a machine with two cores, requests queue for a long time. This test does not measure that delay.
  edge = await openEdge({ UPSTREAM_TIMEOUT_MS: '120000' })
  visitor = edge.visitor()
  await signInThroughEdge(visitor)
  token = ((await (await visitor.get('/api/auth/me')).json()) as { web_app_token: string }).web_app_token
  connectClient()
})
afterAll(() => {
  vi.unstubAllGlobals()
  return edge.close()
})

const listHomeCalls = () => edge.proxy.requests.filter(({ path }) => path.startsWith('/app/v4/home'))

/** Configures the portal's API client to send requests to the edge as a portal page does. */
function connectClient(): void {
  const fetchAsPage: typeof fetch = (path, { method = 'GET', body, headers } = {}) =>
    visitor.fetch(String(path), {
      method,
      ...(typeof body === 'string' && { body }),
      headers: { ...(headers as Record<string, string>), origin: edge.portalOrigin, 'sec-fetch-site': 'same-origin' },
    })
  const shared = { fetch: fetchAsPage, token: () => token, xsrf: () => visitor.getCookie('XSRF-TOKEN') ?? '' }
  const refresher = createRefresher({
    ...shared,
    storeToken: (next) => (token = next),
    // Acts as if another tab held the lock until all requests have arrived at the proxy, which rejects them.
    runExclusively: async (_failed, task) => {
      await expect.poll(listHomeCalls, { timeout: scaleTimeout(100_000) }).toHaveLength(REQUEST_COUNT)
      return task()
    },
    wait: () => Promise.resolve(),
  })
  configureClient({
    ...shared,
    refresh: refresher.refreshForRequests,
    onSignedOut: () => expect.unreachable('The page was left.'),
  })
}

test(
  `${REQUEST_COUNT} concurrently rejected requests share one token call, and each is retried once`,
  async (context) => {
    recordCaseCount(context, REQUEST_COUNT)
    edge.proxy.clearFaults()
    edge.proxy.fail('/app/v4/home', { kind: 'answer', status: 401, body: '{"code":401}' }, REQUEST_COUNT)
    const results = await Promise.all(
      Array.from({ length: REQUEST_COUNT }, () => request(getHomes, {}, { timeout: 0 })),
    )
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    expect(edge.proxy.count('/oauth/token')).toBe(1)
    const tokens = listHomeCalls().map(({ headers }) => headers['access_token'])
    expect(tokens).toHaveLength(2 * REQUEST_COUNT)
    expect([
      new Set(tokens.slice(0, REQUEST_COUNT)).size,
      new Set(tokens.slice(REQUEST_COUNT)).size,
      new Set(tokens).size,
    ]).toEqual([1, 1, 2])
  },
  scaleTimeout(240_000),
)

test('a session that keeps sending requests is rate-limited, and another session is served', async () => {
  edge.proxy.clearFaults()
  const other = edge.visitor()
  await signInThroughEdge(other, '/live', 'free@example.com')
  const requestTicket = (client: Visitor) => client.post(formatGatewayPath(feedTicket), {})
  const answers = await Promise.all(Array.from({ length: 300 }, () => requestTicket(visitor)))
  const rejected = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(6)
  expect(rejected.length).toBeGreaterThan(100)
  expect(Number(rejected[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(
    await Promise.all([requestTicket(other), requestTicket(other), requestTicket(other)]).then((all) =>
      all.map(({ status }) => status),
    ),
  ).toEqual([200, 200, 200])
})
