import { afterAll, beforeAll, expect, test } from 'vitest'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { hashToken } from '../../../../provider/platform/crypto/token-hash.ts'
import type { Env } from '../../../../provider/env.ts'
import { refreshTokens, sendCallAsEdge, signInAtProvider, type Tokens } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
})
afterAll(() => deployment.close())

async function rotate(token: string): Promise<Tokens> {
  const answer = await refreshTokens(deployment.env, token)
  if (answer.status !== 200) throw new Error(`The refresh was rejected: ${await answer.text()}`)
  return (await answer.json()) as Tokens
}
const readError = async (token: string) =>
  ((await (await refreshTokens(deployment.env, token)).json()) as { error?: string }).error
const getUserStatus = async (token: string) => (await sendCallAsEdge(deployment.env, userMe, token)).status

test('a refresh returns a new access token and a new refresh token', async () => {
  const first = await signInAtProvider(deployment.env)
  const second = await rotate(first.refresh_token)
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(second.access_token).not.toBe(first.access_token)
  expect(await getUserStatus(second.access_token)).toBe(200)
})

test('a refresh whose response was lost can be retried with the same token', async () => {
  const first = await signInAtProvider(deployment.env)
  await rotate(first.refresh_token)
  const again = await rotate(first.refresh_token)
  const next = await rotate(again.refresh_token)
  expect(await getUserStatus(next.access_token)).toBe(200)
})

test('a client that keeps the earlier of two responses can continue with it', async () => {
  const first = await signInAtProvider(deployment.env)
  const replacement = await rotate(first.refresh_token)
  await rotate(first.refresh_token)
  const next = await rotate(replacement.refresh_token)
  expect(await getUserStatus(next.access_token)).toBe(200)
})

test('a token whose replacement has been used revokes the whole token family', async () => {
  const first = await signInAtProvider(deployment.env)
  const second = await rotate(first.refresh_token)
  const third = await rotate(second.refresh_token)
  expect(await readError(first.refresh_token)).toBe('invalid_grant')
  expect(await readError(third.refresh_token)).toBe('invalid_grant')
  expect(await getUserStatus(third.access_token)).toBe(401)
})

test('a sibling of a used replacement revokes the whole token family', async () => {
  const first = await signInAtProvider(deployment.env)
  const replacement = await rotate(first.refresh_token)
  const other = await rotate(first.refresh_token)
  const next = await rotate(replacement.refresh_token)
  expect(await readError(other.refresh_token)).toBe('invalid_grant')
  expect(await readError(next.refresh_token)).toBe('invalid_grant')
})

test('revoking one token family does not affect another sign-in of the same account', async () => {
  const [first, other] = [await signInAtProvider(deployment.env), await signInAtProvider(deployment.env)]
  await rotate((await rotate(first.refresh_token)).refresh_token)
  expect(await readError(first.refresh_token)).toBe('invalid_grant')
  expect(await getUserStatus((await rotate(other.refresh_token)).access_token)).toBe(200)
})

test('every refresh moves the expiry of the grant to that of the new refresh token', async () => {
  const { DB } = (await deployment.provider.getWorker().getEnv()) as Env
  const readExpiry = (model: string, column: string, id: string | null) =>
    DB.prepare(
      `SELECT max(expires_at) = max(json_extract(payload, '$.exp')) AS same, max(expires_at) AS ends FROM oidc WHERE model = ? AND ${column} = ?`,
    )
      .bind(model, id)
      .first<{ same: number; ends: number }>()
  const { refresh_token: token } = await signInAtProvider(deployment.env)
  const grant = await DB.prepare("SELECT grant_id FROM oidc WHERE model = 'RefreshToken' AND id = ?")
    .bind(hashToken(token))
    .first<string>('grant_id')
  const soon = Math.floor(Date.now() / 1000) + 60
  await DB.prepare(
    "UPDATE oidc SET expires_at = ?1, payload = json_set(payload, '$.exp', ?1) WHERE model = 'Grant' AND id = ?2",
  )
    .bind(soon, grant)
    .run()

  await rotate(token)

  expect(await readExpiry('Grant', 'id', grant)).toEqual(await readExpiry('RefreshToken', 'grant_id', grant))
})

test('an expired token is rejected, and is deleted at the next sign-in', async () => {
  const { DB } = (await deployment.provider.getWorker().getEnv()) as Env
  const { refresh_token: token } = await signInAtProvider(deployment.env)
  const countRows = () =>
    DB.prepare('SELECT count(*) AS n FROM oidc WHERE id = ?').bind(hashToken(token)).first<number>('n')
  await DB.prepare('UPDATE oidc SET expires_at = ? WHERE id = ?')
    .bind(Math.floor(Date.now() / 1000), hashToken(token))
    .run()
  expect(await readError(token)).toBe('invalid_grant')
  expect(await countRows()).toBe(1)
  await signInAtProvider(deployment.env)
  expect(await countRows()).toBe(0)
})
