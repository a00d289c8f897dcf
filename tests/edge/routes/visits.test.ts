import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { BODY_MAX } from '../../../contract/wire/body-limits.ts'
import { REVENUE_PATH } from '../../../contract/telemetry/visits.ts'
import type { Env } from '../../../provider/env.ts'
import { openEdge, signIn, type EdgeStage } from '../../support/edge.ts'
import { patience } from '../../support/patience.ts'
import { keptVisits, hashEmail, sendVisit, TOKEN } from '../../support/revenue.ts'
import type { Visitor } from '../../support/visitor.ts'

const EMAIL = 'owner@example.com'
const person = hashEmail(EMAIL)
const good = { token: TOKEN, person }

let edge: EdgeStage
let visitor: Visitor
let bindings: Env
beforeAll(async () => {
  edge = await openEdge({ REVENUE_TOKEN: TOKEN })
  bindings = (await edge.stage.provider.getWorker().getEnv()) as Env
  visitor = edge.visitor()
  await signIn(visitor)
})
beforeEach(() => edge.proxy.heal())
afterAll(() => edge.close())

const handedOn = () => edge.proxy.seen.filter(({ path }) => path === REVENUE_PATH)

describe('a visit', () => {
  test('ANALYTICS-01 is forwarded as only the hash and stored by the provider', async () => {
    const answer = await sendVisit(visitor, good)
    expect([answer.status, await answer.text()]).toEqual([204, ''])
    await vi.waitFor(async () => expect(await keptVisits(bindings)).toHaveLength(1), patience)
    expect(handedOn().map(({ body }) => body)).toEqual([JSON.stringify({ person })])
    expect(JSON.stringify(await keptVisits(bindings))).not.toMatch(new RegExp(`${person}|owner|${TOKEN}`))
  })

  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a page beside this portal', { 'sec-fetch-site': 'same-site' }],
    ['with a foreign origin', { origin: 'https://evil.test' }],
  ])('%s is rejected', async (_, change) => {
    expect((await sendVisit(visitor, good, change)).status).toBe(403)
    expect(handedOn()).toEqual([])
  })

  test.each([
    ['is no JSON', '{{', 400],
    ['is empty', '', 400],
    ['has no person', { token: TOKEN }, 400],
    ['has an e-mail where the hash is', { token: TOKEN, person: EMAIL }, 400],
    ['has an e-mail beside the hash', { ...good, email: EMAIL }, 400],
    ['has a hash in capitals', { token: TOKEN, person: person.toUpperCase() }, 400],
    ['has a longer hash', { token: TOKEN, person: `${person}0` }, 400],
    ['has an e-mail where the token is', { token: EMAIL, person }, 400],
    ['has no token', { person }, 400],
    ['has another token', { token: 'another', person }, 401],
    ['has the token in another case', { token: TOKEN.toLowerCase(), person }, 401],
    ['is too large', { ...good, more: 'x'.repeat(BODY_MAX.revenue) }, 413],
  ])('that %s is rejected, and no part of it is forwarded', async (_, body, status) => {
    const answer = await sendVisit(visitor, body)
    expect(answer.status).toBe(status)
    expect(await answer.text()).not.toMatch(new RegExp(`${EMAIL}|${person}|${TOKEN}`))
    expect(handedOn()).toEqual([])
  })

  test.each([
    ['is down', { kind: 'reset' }],
    ['does not answer', { kind: 'hang' }],
    ['answers nonsense', { kind: 'answer', status: 500, body: 'x' }],
  ] as const)('is answered immediately if the provider %s, and other requests are unaffected', async (_, fault) => {
    edge.proxy.fail(REVENUE_PATH, fault)
    expect((await sendVisit(visitor, good)).status).toBe(204)
    await vi.waitFor(() => expect(handedOn()).toHaveLength(1), patience)
    expect((await visitor.get('/api/auth/me')).status).toBe(200)
  })

  test('ANALYTICS-01 without a session, or of another account than the signed-in one, is rejected', async () => {
    expect((await sendVisit(edge.visitor(), good)).status).toBe(401)
    for (const other of [hashEmail('free@example.com'), '0'.repeat(64)])
      expect((await sendVisit(visitor, { ...good, person: other })).status).toBe(403)
    expect(handedOn()).toEqual([])
  })
})

test('without a configured token, the visit URL does not exist and nothing is forwarded', async () => {
  const off = await openEdge({ REVENUE_TOKEN: '' })
  try {
    expect((await sendVisit(off.visitor(), good)).status).toBe(404)
    expect(off.proxy.seen.filter(({ path }) => path === REVENUE_PATH)).toEqual([])
  } finally {
    await off.close()
  }
})
