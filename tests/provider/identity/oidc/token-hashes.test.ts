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
  refresh,
  send,
  submitSignIn,
  type Tokens,
} from '../../../support/provider.ts'
import { openStage, type Stage } from '../../../support/harness.ts'
import { Visitor } from '../../../support/visitor.ts'

const open: Stage[] = []
afterAll(() => Promise.all(open.map((stage) => stage.close())))
async function newStage(): Promise<Stage> {
  const stage = await openStage()
  open.push(stage)
  return stage
}
const bindings = async (stage: Stage) => (await stage.provider.getWorker().getEnv()) as Env
const me = async (stage: Stage, token: string) => (await send(stage.env, userMe, token)).status
const table = async (stage: Stage) => {
  const { results } = await (await bindings(stage)).DB.prepare('SELECT * FROM oidc').all()
  return results.map((row) => JSON.stringify(row))
}

describe('stored data of a signed-in account', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await newStage()
    await stage.seed()
  })

  test('contains no usable id: no session, interaction, code, access token or refresh token', async () => {
    const { env } = stage
    const visitor = new Visitor(env.PORTAL_ORIGIN)
    const live = new Map<string, string>()
    const cookie = (name: string) => live.set(name, visitor.cookie(name, env.PROVIDER_ORIGIN) ?? '')
    const nothing = async () => {
      const rows = await table(stage)
      expect(rows.length).toBeGreaterThan(0)
      for (const [label, id] of live) expect([label, id]).toEqual([label, expect.stringMatching(/^[\w-]{20,}$/)])
      for (const [label, id] of live) expect([label, rows.filter((row) => row.includes(id))]).toEqual([label, []])
    }

    const flow = startFlow(env)
    const { at } = await resolveRedirects(visitor, env, flow.url)
    cookie('sign_in')
    await nothing()
    const submitted = await submitSignIn(visitor, at, 'owner@example.com', 'porchlight')
    await nothing()
    const callback = (await resolveRedirects(visitor, env, new URL(submitted.headers.get('location') ?? '', at))).at
    cookie('sso')
    live.set('code', callback.searchParams.get('code') ?? '')
    await nothing()
    const tokens = (await (await exchangeCode(env, callback, flow.verifier)).json()) as Tokens
    live.set('access token', tokens.access_token).set('refresh token', tokens.refresh_token)
    await nothing()
    // If the user is already signed in, the row of a new sign-in also stores the session.
    await resolveRedirects(visitor, env, startFlow(env, { prompt: 'login' }).url)
    cookie('sign_in')
    const rotated = (await (await refresh(env, tokens.refresh_token)).json()) as Tokens
    live.set('second access token', rotated.access_token).set('second refresh token', rotated.refresh_token)
    await nothing()
    expect(await me(stage, rotated.access_token)).toBe(200)
  })

  test('grants no access: the stored hash is not a token', async () => {
    const { DB } = await bindings(stage)
    for (const model of ['AccessToken', 'RefreshToken']) {
      const id = await DB.prepare('SELECT id FROM oidc WHERE model = ?').bind(model).first<string>('id')
      expect(await me(stage, id ?? '')).toBe(401)
      expect((await refresh(stage.env, id ?? '')).status).toBe(400)
    }
  })
})

describe('rows written by the previous version', () => {
  const [access, token, older, sso] = Array.from({ length: 4 }, () => randomBytes(32).toString('base64url')) as [
    string,
    string,
    string,
    string,
  ]
  const [now, end] = [Math.floor(Date.now() / 1000), Math.floor(Date.now() / 1000) + 86_400]

  /** Writes rows in the old format: the plain id in its column and in the payload. */
  async function writeOld(stage: Stage): Promise<void> {
    const { DB } = await bindings(stage)
    const { OIDC_CLIENT_ID: clientId } = stage.env
    const person = { accountId: 'user_old', iat: now, exp: end }
    const scope = 'authcode-read openid email native'
    const issued = { ...person, clientId, grantId: 'grant_old', sessionUid: 'uid_old', scope, claims: {} }
    const grantType = 'authorization_code'
    const rows: [model: string, id: string, payload: object, replaces: string | null][] = [
      ['Session', sso, { ...person, kind: 'Session', jti: sso, uid: 'uid_old', loginTs: now }, null],
      ['Grant', 'grant_old', { ...person, kind: 'Grant', jti: 'grant_old', clientId, openid: { scope } }, null],
      ['AccessToken', access, { ...issued, kind: 'AccessToken', jti: access, gty: grantType }, null],
      ['RefreshToken', older, { ...issued, kind: 'RefreshToken', jti: older, gty: grantType, rotations: 0 }, null],
      ['RefreshToken', token, { ...issued, kind: 'RefreshToken', jti: token, gty: grantType, rotations: 1 }, older],
    ]
    const insert = DB.prepare(
      'INSERT INTO oidc (model, id, payload, grant_id, uid, account_id, replaces, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    )
    await DB.batch([
      DB.prepare('INSERT INTO accounts (user_id, email, password_hash, created_at) VALUES (?, ?, ?, ?)').bind(
        ...['user_old', 'old@example.com', '-', Date.now()],
      ),
      ...rows.map(([model, id, payload, replaces]) => {
        const [grant, uid] = [model.endsWith('Token') ? 'grant_old' : null, model === 'Session' ? 'uid_old' : null]
        return insert.bind(model, id, JSON.stringify(payload), grant, uid, 'user_old', replaces, end)
      }),
      DB.prepare('UPDATE oidc SET consumed_at = ? WHERE id = ?').bind(now, older),
      DB.prepare("UPDATE oidc SET hashed = 1 WHERE model = 'Grant'"),
      // Simulates a session that was already hashed, and then stored again under its plain id by the earlier version,
      // which was still running.
      DB.prepare(
        `INSERT INTO oidc (model, id, payload, uid, account_id, expires_at, hashed)
         SELECT model, ?, '{}', uid, account_id, expires_at, 1 FROM oidc WHERE id = ?`,
      ).bind(hashToken(sso), sso),
    ])
  }

  test('are hashed before the first response, and signed-in accounts stay signed in', async () => {
    const stage = await newStage()
    await writeOld(stage)
    expect(await me(stage, access)).toBe(200)
    for (const id of [access, token, older, sso])
      expect((await table(stage)).filter((row) => row.includes(id))).toEqual([])

    const browser = new Visitor(stage.env.PORTAL_ORIGIN)
    const [origin, signer] = [stage.env.PROVIDER_ORIGIN, cookieSigner([stage.env.PROVIDER_COOKIE_KEY])]
    browser.setCookie('sso', sso, origin)
    browser.setCookie('sso.sig', signer.sign(`sso=${sso}`), origin)
    expect((await resolveRedirects(browser, stage.env, startFlow(stage.env).url)).at.searchParams.has('code')).toBe(
      true,
    )

    const rotated = (await (await refresh(stage.env, token)).json()) as Tokens
    expect(await me(stage, rotated.access_token)).toBe(200)
    // `token` replaced `older` and has itself been rotated. Using `older` again is therefore reuse, which ends the
    // token family.
    expect((await refresh(stage.env, older)).status).toBe(400)
    expect(await me(stage, rotated.access_token)).toBe(401)
  })
})
