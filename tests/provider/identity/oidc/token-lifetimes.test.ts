import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../../support/edge.ts'
import { startSignIn, completeSignInPage } from '../../../support/sign-in-walk.ts'

const DAY_S = 86_400
/** Tolerance, s: the rows of one request may be written in different seconds. */
const TOLERANCE_S = 5
let edge: EdgeDeployment
beforeAll(async () => {
  edge = await openEdge()
})
afterAll(() => edge.close())
/** Deletes the rows of earlier tests, because `readLifetime` would read them too. */
beforeEach(async () => void (await (await getDatabase()).prepare('DELETE FROM oidc').run()))

const getDatabase = async () => ((await edge.deployment.provider.getWorker().getEnv()) as Env).DB
/** Returns the seconds from the payload time `since` to the expiry, for the unused row of `model` that expires last. */
async function readLifetime(model: string, since: string): Promise<number> {
  const db = await getDatabase()
  const row = db.prepare(
    `SELECT expires_at - json_extract(payload, '$.${since}') AS life FROM oidc WHERE model = ? AND consumed_at IS NULL ORDER BY expires_at DESC LIMIT 1`,
  )
  return (await row.bind(model).first<number>('life')) ?? 0
}
async function backdate(model: string, since: string, days: number): Promise<void> {
  const db = await getDatabase()
  const change = `UPDATE oidc SET payload = json_set(payload, '$.${since}', json_extract(payload, '$.${since}') - ?1) WHERE model = ?2`
  await db
    .prepare(change)
    .bind(days * DAY_S, model)
    .run()
}

test('OPEN-18 a refresh token may idle for 14 days; its family lasts 30 days, and the grant no longer', async () => {
  const visitor = edge.visitor()
  await signInThroughEdge(visitor)
  const refresh = async () => {
    const me = (await (await visitor.get('/api/auth/me')).json()) as { web_app_token: string }
    return (await visitor.post('/api/auth/refresh', { generation: me.web_app_token })).status
  }
  expect(Math.abs((await readLifetime('RefreshToken', 'iiat')) - 14 * DAY_S)).toBeLessThan(TOLERANCE_S)
  await backdate('RefreshToken', 'iiat', 20)
  expect(await refresh()).toBe(200)
  expect(Math.abs((await readLifetime('RefreshToken', 'iiat')) - 30 * DAY_S)).toBeLessThan(TOLERANCE_S)
  const expiryQuery = 'SELECT max(expires_at) AS ends FROM oidc WHERE model = ? AND consumed_at IS NULL'
  const db = await getDatabase()
  const [token, grant] = [
    await db.prepare(expiryQuery).bind('RefreshToken').first(),
    await db.prepare(expiryQuery).bind('Grant').first(),
  ]
  expect(Number(grant?.['ends'])).toBeLessThan(Number(token?.['ends']) + 4 * DAY_S + TOLERANCE_S)
})

test('OPEN-18 single sign-on ends 30 days after the password was entered, however often it is used', async () => {
  const visitor = edge.visitor()
  await signInThroughEdge(visitor)
  expect(Math.abs((await readLifetime('Session', 'loginTs')) - 14 * DAY_S)).toBeLessThan(TOLERANCE_S)
  await backdate('Session', 'loginTs', 25)
  await visitor.navigate(await completeSignInPage(visitor, await startSignIn(visitor, '/live'), 'nobody@example.com'))
  expect(Math.abs((await readLifetime('Session', 'loginTs')) - 30 * DAY_S)).toBeLessThan(TOLERANCE_S)
})
