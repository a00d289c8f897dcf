import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { userLogout, userMe } from '../../../../contract/auth/user-calls.ts'
import { getHomes } from '../../../../contract/cameras/devices.ts'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { createAccessTokenId } from '../../../../provider/platform/auth/access-token-id.ts'
import { changeAccess } from '../../../../provider/platform/auth/change-access.ts'
import { hashToken } from '../../../../provider/platform/crypto/token-hash.ts'
import { readBilledWork, readWorkUntilIdle } from '../../../support/billed-work/billed-work.ts'
import { addAccessToken, addAccount, openNeighborhood, type Account, type Neighborhood } from '../../../support/home.ts'
import { withoutDatabase } from '../../../support/unavailable-database.ts'

const PREVIOUS_KEY = 'previous key of the cookies and access tokens'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({
    change: () => ({ PROVIDER_COOKIE_KEY_OLD: PREVIOUS_KEY }),
    countsWork: true,
  })
})
afterAll(() => neighborhood.close())

const readStatus = async (account: Account) => (await neighborhood.call(account, userMe)).status
const storeTokenExpiry = (token: string, expiresAtSeconds: number) =>
  neighborhood.bindings.DB.prepare('UPDATE oidc SET expires_at = ? WHERE id = ?')
    .bind(expiresAtSeconds, hashToken(token))
    .run()

test('after the first call, the token of an account is verified without D1', async () => {
  expect(await readStatus(neighborhood.a)).toBe(200)
  expect(await withoutDatabase(neighborhood.bindings, () => readStatus(neighborhood.a))).toBe(200)
  const other = await addAccessToken(neighborhood.bindings, neighborhood.a, 'a_other')
  expect(await withoutDatabase(neighborhood.bindings, () => readStatus(other))).toBe(500)
  expect(await readStatus(other)).toBe(200)
})

test.each([
  ['without the homes of the account', userMe, 1],
  ['with the homes of the account', getHomes, 2],
])('a call makes one request to the object of its account: %s', async (name, call, d1Queries) => {
  const { bindings, stage } = neighborhood
  const account = await addAccount(bindings, name.replaceAll(' ', '_'))
  await readWorkUntilIdle(stage.provider)
  expect((await neighborhood.call(account, call)).status).toBe(200)
  expect(await readBilledWork(stage.provider)).toMatchObject({ objectRequests: { 'Guard.verifyCall': 1 }, d1Queries })
})

test('a forged token is rejected without D1', async () => {
  const { bindings, a, b } = neighborhood
  const { token } = a
  const otherKey = createAccessTokenId({ ...bindings, PROVIDER_COOKIE_KEY: 'x'.repeat(43) }, a.userId)
  const otherAccount = Buffer.from(b.userId).toString('base64url') + token.slice(-54)
  const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`
  for (const forged of [otherKey, otherAccount, changed, token.slice(0, -1), `${token}A`])
    expect(await withoutDatabase(bindings, () => readStatus({ ...a, token: forged }))).toBe(401)
})

test('a token that was signed with the previous key stays valid', async () => {
  const { bindings, a } = neighborhood
  const env = { ...bindings, PROVIDER_COOKIE_KEY: PREVIOUS_KEY }
  expect(await readStatus(await addAccessToken(env, a, 'a_rotated'))).toBe(200)
})

test('a token from a version without signatures works until it expires', async () => {
  const { bindings, a } = neighborhood
  const token = randomBytes(32).toString('base64url')
  await bindings.DB.prepare(
    `INSERT INTO oidc (model, id, payload, grant_id, account_id, expires_at, hashed)
     VALUES ('AccessToken', ?, '{}', 'grant_unsigned', ?, ?, 1)`,
  )
    .bind(hashToken(token), a.userId, Math.floor(Date.now() / 1000) + 60)
    .run()
  expect(await readStatus({ ...a, token })).toBe(200)
  await storeTokenExpiry(token, Math.floor(Date.now() / 1000))
  expect(await readStatus({ ...a, token })).toBe(401)
})

test('a cached token expires at its time', async () => {
  const account = await addAccount(neighborhood.bindings, 'expiring')
  const expiresAtSeconds = Math.floor(Date.now() / 1000) + 2
  await storeTokenExpiry(account.token, expiresAtSeconds)
  expect(await readStatus(account)).toBe(200)
  await expect.poll(() => readStatus(account), { timeout: 10_000 }).toBe(401)
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAtSeconds * 1000)
})

test('a sign-out ends the cached tokens of this sign-in at the next call, and no other', async () => {
  const leaving = await addAccount(neighborhood.bindings, 'leaving')
  const sameGrant = await addAccessToken(neighborhood.bindings, leaving, 'leaving')
  const other = await addAccessToken(neighborhood.bindings, leaving, 'leaving_other')
  for (const account of [leaving, sameGrant, other]) expect(await readStatus(account)).toBe(200)
  await neighborhood.call(leaving, userLogout)
  expect(await Promise.all([leaving, sameGrant, other].map(readStatus))).toEqual([401, 401, 200])
})

test('a password that the operator sets ends all cached tokens at the next call', async () => {
  const account = await addAccount(neighborhood.bindings, 'replaced')
  expect(await readStatus(account)).toBe(200)
  await requestAsOperator(`${ADMIN_PATHS.accounts}/replaced@example.com`, 'PUT', { password: 'violet-anchor-71' })
  expect(await readStatus(account)).toBe(401)
})

test('a deleted account has no cached token at the next call', async () => {
  const account = await addAccount(neighborhood.bindings, 'deleted')
  expect(await readStatus(account)).toBe(200)
  await requestAsOperator(`${ADMIN_PATHS.accounts}/deleted@example.com`, 'DELETE', {})
  expect(await readStatus(account)).toBe(401)
})

test('a change of rights writes two rows in the object of each affected account', async () => {
  const { bindings, stage } = neighborhood
  const account = await addAccount(bindings, 'counted')
  expect(await readStatus(account)).toBe(200)
  await readWorkUntilIdle(stage.provider)
  await changeAccess(bindings, [account.userId], () => Promise.resolve())
  expect((await readBilledWork(stage.provider)).rowsWritten).toEqual({ Guard: 2 })
})

async function requestAsOperator(path: string, method: string, body: object): Promise<void> {
  const { env } = neighborhood.stage
  const answer = await fetch(env.PROVIDER_ORIGIN + path, {
    method,
    headers: { authorization: `Admin ${env.ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
}
