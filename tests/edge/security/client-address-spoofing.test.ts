import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'

const SIGN_IN_REQUEST = { state: '/live', kount_session_id: 'k' }
let edge: EdgeDeployment

beforeAll(async () => {
  edge = await openEdge()
})
afterAll(() => edge.close())

const createSpoofedHeaders = (n: number) => ({
  'cf-connecting-ip': `192.0.2.${n}`,
  'x-forwarded-for': `192.0.2.${n}`,
  'x-real-ip': `192.0.2.${n}`,
})

test('a visitor who spoofs a different address each time still meets the sign-in limit', async () => {
  const visitor = edge.visitor()
  await visitor.get('/api/auth/me')
  const statuses: number[] = []
  for (let n = 0; n < 130; n++)
    statuses.push((await visitor.post('/api/auth/authorize', SIGN_IN_REQUEST, createSpoofedHeaders(n))).status)
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(120)
  expect(statuses.at(-1)).toBe(429)
})

test('a visitor who spoofs a different address each time still meets the provider’s enrollment code limit', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 40; n++) {
    const answer = await fetch(`${edge.deployment.env.PROVIDER_ORIGIN}/bridge/v1/enrol`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...createSpoofedHeaders(n) },
      body: JSON.stringify({ code: `AAAA-AA${String(n).padStart(2, '0')}`, name: 'A bridge' }),
    })
    statuses.push(answer.status)
    await answer.body?.cancel()
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
})
