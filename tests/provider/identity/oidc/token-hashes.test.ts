import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { hashToken } from '../../../../provider/platform/crypto/token-hash.ts'
import { cookieSigner } from '../../../../provider/identity/oidc/cookies.ts'
import {
  startFlow,
  exchangeCode,
  resolveRedirects,
  refreshTokens,
  sendCallAsEdge,
  submitSignIn,
  type Tokens,
} from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { Visitor } from '../../../support/visitor.ts'

const stages: TestDeployment[] = []
afterAll(() => Promise.all(stages.map((deployment) => deployment.close())))
async function createDeployment(): Promise<TestDeployment> {
  const deployment = await openTestDeployment()
  stages.push(deployment)
  return deployment
}
const getBindings = async (deployment: TestDeployment) => (await deployment.provider.getWorker().getEnv()) as Env
const getUserStatus = async (deployment: TestDeployment, token: string) =>
  (await sendCallAsEdge(deployment.env, userMe, token)).status
const readRows = async (deployment: TestDeployment) => {
  const { results } = await (await getBindings(deployment)).DB.prepare('SELECT * FROM oidc').all()
  return results.map((row) => JSON.stringify(row))
}

describe('stored data of a signed-in account', () => {
  let deployment: TestDeployment
  beforeAll(async () => {
    deployment = await createDeployment()
    await deployment.seed()
  })

  test('contains no usable id: no session, interaction, code, access token or refresh token', async () => {
    const { env } = deployment
    const visitor = new Visitor(env.PORTAL_ORIGIN)
    const liveIds = new Map<string, string>()
    const recordCookie = (name: string) => liveIds.set(name, visitor.getCookie(name, env.PROVIDER_ORIGIN) ?? '')
    const expectNoStoredIds = async () => {
      const rows = await readRows(deployment)
      expect(rows.length).toBeGreaterThan(0)
      for (const [label, id] of liveIds) expect([label, id]).toEqual([label, expect.stringMatching(/^[\w-]{20,}$/)])
      for (const [label, id] of liveIds) expect([label, rows.filter((row) => row.includes(id))]).toEqual([label, []])
    }

    const flow = startFlow(env)
    const { url: pageUrl } = await resolveRedirects(visitor, env, flow.url)
    recordCookie('sign_in')
    await expectNoStoredIds()
    const submitted = await submitSignIn(visitor, pageUrl, 'owner@example.com', 'porchlight')
    await expectNoStoredIds()
    const callback = (await resolveRedirects(visitor, env, new URL(submitted.headers.get('location') ?? '', pageUrl)))
      .url
    recordCookie('sso')
    liveIds.set('code', callback.searchParams.get('code') ?? '')
    await expectNoStoredIds()
    const tokens = (await (await exchangeCode(env, callback, flow.verifier)).json()) as Tokens
    liveIds.set('access token', tokens.access_token).set('refresh token', tokens.refresh_token)
    await expectNoStoredIds()
    // If the user is already signed in, the row of a new sign-in also stores the session.
    await resolveRedirects(visitor, env, startFlow(env, { prompt: 'login' }).url)
    recordCookie('sign_in')
    const rotated = (await (await refreshTokens(env, tokens.refresh_token)).json()) as Tokens
    liveIds.set('second access token', rotated.access_token).set('second refresh token', rotated.refresh_token)
    await expectNoStoredIds()
    expect(await getUserStatus(deployment, rotated.access_token)).toBe(200)
  })

  test('grants no access: the stored hash is not a token', async () => {
    const { DB } = await getBindings(deployment)
    for (const model of ['AccessToken', 'RefreshToken']) {
      const id = await DB.prepare('SELECT id FROM oidc WHERE model = ?').bind(model).first<string>('id')
      expect(await getUserStatus(deployment, id ?? '')).toBe(401)
      expect((await refreshTokens(deployment.env, id ?? '')).status).toBe(400)
    }
  })
})

describe('rows written by the previous version', () => {
  const [accessToken, token, previousToken, ssoSession] = Array.from({ length: 4 }, () =>
    randomBytes(32).toString('base64url'),
  ) as [string, string, string, string]
  const [now, end] = [Math.floor(Date.now() / 1000), Math.floor(Date.now() / 1000) + 86_400]

  /** Writes rows in the old format: the plain id in its column and in the payload. */
  async function writeOldRows(deployment: TestDeployment): Promise<void> {
    const { DB } = await getBindings(deployment)
    const { OIDC_CLIENT_ID: clientId } = deployment.env
    const accountFields = { accountId: 'user_old', iat: now, exp: end }
    const scope = 'authcode-read openid email native'
    const tokenFields = { ...accountFields, clientId, grantId: 'grant_old', sessionUid: 'uid_old', scope, claims: {} }
    const grantType = 'authorization_code'
    const rows: [model: string, id: string, payload: object, replaces: string | null][] = [
      [
        'Session',
        ssoSession,
        { ...accountFields, kind: 'Session', jti: ssoSession, uid: 'uid_old', loginTs: now },
        null,
      ],
      ['Grant', 'grant_old', { ...accountFields, kind: 'Grant', jti: 'grant_old', clientId, openid: { scope } }, null],
      ['AccessToken', accessToken, { ...tokenFields, kind: 'AccessToken', jti: accessToken, gty: grantType }, null],
      [
        'RefreshToken',
        previousToken,
        { ...tokenFields, kind: 'RefreshToken', jti: previousToken, gty: grantType, rotations: 0 },
        null,
      ],
      [
        'RefreshToken',
        token,
        { ...tokenFields, kind: 'RefreshToken', jti: token, gty: grantType, rotations: 1 },
        previousToken,
      ],
    ]
    const insert = DB.prepare(
      'INSERT INTO oidc (model, id, payload, grant_id, uid, account_id, replaces, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    await DB.batch([
      DB.prepare('INSERT INTO accounts (user_id, email, password_hash, created_at) VALUES (?, ?, ?, ?)').bind(
        'user_old',
        'old@example.com',
        '-',
        Date.now(),
      ),
      ...rows.map(([model, id, payload, replaces]) => {
        const [grant, uid] = [model.endsWith('Token') ? 'grant_old' : null, model === 'Session' ? 'uid_old' : null]
        return insert.bind(model, id, JSON.stringify(payload), grant, uid, 'user_old', replaces, end)
      }),
      DB.prepare('UPDATE oidc SET consumed_at = ? WHERE id = ?').bind(now, previousToken),
      DB.prepare("UPDATE oidc SET hashed = 1 WHERE model = 'Grant'"),
      // Simulates a session that was already hashed, and then stored again under its plain id by the earlier version,
      // which was still running.
      DB.prepare(
        `INSERT INTO oidc (model, id, payload, uid, account_id, expires_at, hashed)
         SELECT model, ?, '{}', uid, account_id, expires_at, 1 FROM oidc WHERE id = ?`,
      ).bind(hashToken(ssoSession), ssoSession),
    ])
  }

  test('are hashed before the first response, and signed-in accounts stay signed in', async () => {
    const deployment = await createDeployment()
    await writeOldRows(deployment)
    expect(await getUserStatus(deployment, accessToken)).toBe(200)
    for (const id of [accessToken, token, previousToken, ssoSession])
      expect((await readRows(deployment)).filter((row) => row.includes(id))).toEqual([])

    const browser = new Visitor(deployment.env.PORTAL_ORIGIN)
    const [origin, signer] = [deployment.env.PROVIDER_ORIGIN, cookieSigner([deployment.env.PROVIDER_COOKIE_KEY])]
    browser.setCookie('sso', ssoSession, origin)
    browser.setCookie('sso.sig', signer.sign(`sso=${ssoSession}`), origin)
    expect(
      (await resolveRedirects(browser, deployment.env, startFlow(deployment.env).url)).url.searchParams.has('code'),
    ).toBe(true)

    const rotated = (await (await refreshTokens(deployment.env, token)).json()) as Tokens
    expect(await getUserStatus(deployment, rotated.access_token)).toBe(200)
    // `token` replaced `previousToken` and has since been rotated itself. Using `previousToken` now counts as reuse,
    // which ends the token family.
    expect((await refreshTokens(deployment.env, previousToken)).status).toBe(400)
    expect(await getUserStatus(deployment, rotated.access_token)).toBe(401)
  })
})
