import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Env } from '../../../../provider/env.ts'
import { openEdge, signIn, type EdgeStage } from '../../../support/edge.ts'
import { startSignIn, walkSignInPage } from '../../../support/sign-in-walk.ts'

const DAY = 86_400
/** Tolerance, s: the rows of one request may be written in different seconds. */
const SLACK = 5
let edge: EdgeStage
beforeAll(async () => {
  edge = await openEdge()
})
afterAll(() => edge.close())
/** Rows of earlier tests would be counted too. */
beforeEach(async () => void (await (await database()).prepare('DELETE FROM oidc').run()))

const database = async () => ((await edge.stage.provider.getWorker().getEnv()) as Env).DB
/** Returns the lifetime of a model's newest row in seconds, counted from a time in its payload. */
async function readLifetime(model: string, since: string): Promise<number> {
  const db = await database()
  const row = db.prepare(
    `SELECT expires_at - json_extract(payload, '$.${since}') AS life FROM oidc WHERE model = ? AND consumed_at IS NULL ORDER BY expires_at DESC LIMIT 1`,
  )
  return (await row.bind(model).first<number>('life')) ?? 0
}
async function age(model: string, since: string, days: number): Promise<void> {
  const db = await database()
  const change = `UPDATE oidc SET payload = json_set(payload, '$.${since}', json_extract(payload, '$.${since}') - ?1) WHERE model = ?2`
  await db
    .prepare(change)
    .bind(days * DAY, model)
    .run()
}

test('OPEN-18 a refresh token may idle for 14 days; its family lasts 30 days, and the grant no longer', async () => {
  const visitor = edge.visitor()
  await signIn(visitor)
  const refresh = async () => {
    const me = (await (await visitor.get('/api/auth/me')).json()) as { web_app_token: string }
    return (await visitor.post('/api/auth/refresh', { generation: me.web_app_token })).status
  }
  expect(Math.abs((await readLifetime('RefreshToken', 'iiat')) - 14 * DAY)).toBeLessThan(SLACK)
  await age('RefreshToken', 'iiat', 20)
  expect(await refresh()).toBe(200)
  expect(Math.abs((await readLifetime('RefreshToken', 'iiat')) - 30 * DAY)).toBeLessThan(SLACK)
  const ends = 'SELECT max(expires_at) AS ends FROM oidc WHERE model = ? AND consumed_at IS NULL'
  const db = await database()
  const [token, grant] = [
    await db.prepare(ends).bind('RefreshToken').first(),
    await db.prepare(ends).bind('Grant').first(),
  ]
  expect(Number(grant?.['ends'])).toBeLessThan(Number(token?.['ends']) + 4 * DAY + SLACK)
})

test('OPEN-18 single sign-on ends 30 days after the password was entered, however often it is used', async () => {
  const visitor = edge.visitor()
  await signIn(visitor)
  expect(Math.abs((await readLifetime('Session', 'loginTs')) - 14 * DAY)).toBeLessThan(SLACK)
  await age('Session', 'loginTs', 25)
  await visitor.navigate(await walkSignInPage(visitor, await startSignIn(visitor, '/live'), 'nobody@example.com'))
  expect(Math.abs((await readLifetime('Session', 'loginTs')) - 30 * DAY)).toBeLessThan(SLACK)
})
