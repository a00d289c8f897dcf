import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import type { Visitor } from '../../support/visitor.ts'

const DAY_S = 86_400
let edge: EdgeDeployment

beforeAll(async () => {
  edge = await openEdge()
})
afterAll(() => edge.close())

const fetchCurrentUser = async (visitor: Visitor) => {
  const answer = await visitor.get('/api/auth/me')
  return { status: answer.status, ...((await answer.json()) as { ends?: number }) }
}

/**
 * The test restarts the portal with an absolute lifetime of 1 ms instead of 30 days, so that the session exceeds the
 * lifetime.
 */
test('OPEN-18 a continuously used session ends after its absolute lifetime, and its tokens end with it', async () => {
  const visitor = edge.visitor()
  await signInThroughEdge(visitor)
  const { ends = 0 } = await fetchCurrentUser(visitor)
  const remainingS = ends - Date.now() / 1000
  expect(remainingS).toBeGreaterThan(29 * DAY_S)
  expect(remainingS).toBeLessThanOrEqual(30 * DAY_S)

  edge.proxy.clearFaults()
  await edge.deployment.portal?.restart({ ...edge.deployment.env, SESSION_LIFE_MS: '1' })
  expect(await fetchCurrentUser(visitor)).toMatchObject({ status: 401, code: 401 })
  await expect.poll(() => edge.proxy.count('/oauth/revocation'), WAIT_OPTIONS).toBe(1)
  expect(edge.proxy.count('/api/v2/user/logout')).toBe(0)
  await edge.deployment.portal?.restart({ ...edge.deployment.env })
  expect((await fetchCurrentUser(visitor)).status).toBe(401)
})
