import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { BODY_BYTES_MAX } from '../../../contract/wire/body-limits.ts'
import { REVENUE_PATH } from '../../../contract/telemetry/visits.ts'
import type { Env } from '../../../provider/env.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { listStoredVisits, hashEmail, sendVisit, TEST_REVENUE_TOKEN } from '../../support/revenue.ts'
import type { Visitor } from '../../support/visitor.ts'

const EMAIL = 'owner@example.com'
const emailHash = hashEmail(EMAIL)
const validVisit = { token: TEST_REVENUE_TOKEN, person: emailHash }

let edge: EdgeDeployment
let visitor: Visitor
let providerEnv: Env
beforeAll(async () => {
  edge = await openEdge({ REVENUE_TOKEN: TEST_REVENUE_TOKEN })
  providerEnv = (await edge.deployment.provider.getWorker().getEnv()) as Env
  visitor = edge.visitor()
  await signInThroughEdge(visitor)
})
beforeEach(() => edge.proxy.clearFaults())
afterAll(() => edge.close())

const listForwardedVisits = () => edge.proxy.requests.filter(({ path }) => path === REVENUE_PATH)

describe('a visit', () => {
  test('ANALYTICS-01 is forwarded as only the hash and stored by the provider', async () => {
    const answer = await sendVisit(visitor, validVisit)
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    await vi.waitFor(async () => expect(await listStoredVisits(providerEnv)).toHaveLength(1), WAIT_OPTIONS)
    expect(listForwardedVisits().map(({ body }) => body)).toEqual([JSON.stringify({ person: emailHash })])
    expect(JSON.stringify(await listStoredVisits(providerEnv))).not.toMatch(
      new RegExp(`${emailHash}|owner|${TEST_REVENUE_TOKEN}`),
    )
  })

  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a page of a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['with a foreign origin', { origin: 'https://evil.test' }],
  ])('%s is rejected', async (_, change) => {
    expect((await sendVisit(visitor, validVisit, change)).status).toBe(403)
    expect(listForwardedVisits()).toEqual([])
  })

  test.each([
    ['is not JSON', '{{', 400],
    ['is empty', '', 400],
    ['has no person', { token: TEST_REVENUE_TOKEN }, 400],
    ['has an email address instead of the hash', { token: TEST_REVENUE_TOKEN, person: EMAIL }, 400],
    ['has an email address besides the hash', { ...validVisit, email: EMAIL }, 400],
    ['has a hash in capitals', { token: TEST_REVENUE_TOKEN, person: emailHash.toUpperCase() }, 400],
    ['has a longer hash', { token: TEST_REVENUE_TOKEN, person: `${emailHash}0` }, 400],
    ['has an email address instead of the token', { token: EMAIL, person: emailHash }, 400],
    ['has no token', { person: emailHash }, 400],
    ['has another token', { token: 'another', person: emailHash }, 401],
    ['has the token in another case', { token: TEST_REVENUE_TOKEN.toLowerCase(), person: emailHash }, 401],
    ['is too large', { ...validVisit, more: 'x'.repeat(BODY_BYTES_MAX.revenue) }, 413],
  ])('that %s is rejected, and no part of it is forwarded', async (_, body, status) => {
    const answer = await sendVisit(visitor, body)
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toMatch(new RegExp(`${EMAIL}|${emailHash}|${TEST_REVENUE_TOKEN}`))
    expect(listForwardedVisits()).toEqual([])
  })

  test.each([
    ['is down', { kind: 'reset' }],
    ['does not respond', { kind: 'hang' }],
    ['returns 500', { kind: 'answer', status: 500, body: 'x' }],
  ] as const)('is answered immediately if the provider %s, and other requests are unaffected', async (_, fault) => {
    edge.proxy.fail(REVENUE_PATH, fault)
    expect((await sendVisit(visitor, validVisit)).status).toBe(204)
    await vi.waitFor(() => expect(listForwardedVisits()).toHaveLength(1), WAIT_OPTIONS)
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
  })

  test('ANALYTICS-01 without a session, or of another account than the signed-in one, is rejected', async () => {
    expect((await sendVisit(edge.visitor(), validVisit)).status).toBe(401)
    for (const other of [hashEmail('free@example.com'), '0'.repeat(64)])
      expect((await sendVisit(visitor, { ...validVisit, person: other })).status).toBe(403)
    expect(listForwardedVisits()).toEqual([])
  })
})

test('without a configured token, the visit URL does not exist and nothing is forwarded', async () => {
  const edgeWithoutToken = await openEdge({ REVENUE_TOKEN: '' })
  try {
    expect((await sendVisit(edgeWithoutToken.visitor(), validVisit)).status).toBe(404)
    expect(edgeWithoutToken.proxy.requests.filter(({ path }) => path === REVENUE_PATH)).toEqual([])
  } finally {
    await edgeWithoutToken.close()
  }
})
