import type { D1Database } from '@cloudflare/workers-types'
import type { Env } from '../../env.ts'
import { hashToken } from '../crypto/token-hash.ts'
import { createAccessTokenId } from './access-token-id.ts'

export interface AccessTokenRow {
  readonly userId: string
  readonly email: string
  /** 1: token of a demo account. */
  readonly demo: 0 | 1
  readonly grantId: string
  readonly sessionUid: string | null
  /** Expiry in seconds UTC. */
  readonly expiresAt: number
}

const SELECT_TOKEN_SQL = `
  SELECT a.user_id AS userId, a.email AS email, a.demo AS demo, t.grant_id AS grantId, json_extract(t.payload, '$.sessionUid') AS sessionUid,
    t.expires_at AS expiresAt
  FROM oidc t JOIN accounts a ON a.user_id = t.account_id
  WHERE t.model = 'AccessToken' AND t.id = ? AND t.expires_at > ?`

/**
 * Returns the row of the access token with this hash, or null if the token is unknown, revoked or expired at `now` (ms
 * UTC).
 */
export async function readAccessToken(db: D1Database, tokenHash: string, now: number): Promise<AccessTokenRow | null> {
  return await db
    .prepare(SELECT_TOKEN_SQL)
    .bind(tokenHash, Math.floor(now / 1000))
    .first<AccessTokenRow>()
}

const SELECT_GRANT_ACCOUNT_SQL = `
  SELECT a.user_id AS userId, a.demo AS demo FROM oidc t JOIN accounts a ON a.user_id = t.account_id
  WHERE t.grant_id = ? AND t.model IN ('AccessToken', 'RefreshToken') AND t.expires_at > ? LIMIT 1`

/**
 * Returns the account id of a grant. Returns null if the grant has no access or refresh token that is valid at `now`
 * (ms UTC), for example after a sign-out. Costs one indexed read.
 */
export async function findGrantAccount(
  db: D1Database,
  grantId: string,
  now: number,
): Promise<Pick<AccessTokenRow, 'userId' | 'demo'> | null> {
  return await db
    .prepare(SELECT_GRANT_ACCOUNT_SQL)
    .bind(grantId, Math.floor(now / 1000))
    .first()
}

const TOKEN_LIFETIME_S = 3600

/** SQL that copies a token under a new id. The copy does not extend the grant, and expires no later than the grant. */
const RENEW_TOKEN_SQL = `
  INSERT INTO oidc (model, id, payload, grant_id, account_id, expires_at, hashed)
  SELECT t.model, ?1, json_set(t.payload, '$.jti', ?1, '$.iat', ?3, '$.exp', min(?3 + ${TOKEN_LIFETIME_S}, g.expires_at)),
    t.grant_id, t.account_id, min(?3 + ${TOKEN_LIFETIME_S}, g.expires_at), 1
  FROM oidc t JOIN oidc g ON g.model = 'Grant' AND g.id = t.grant_id
  WHERE t.model = 'AccessToken' AND t.id = ?2 AND t.expires_at > ?3 AND g.expires_at > ?3`

/**
 * Returns a new access token of the same grant; null if the old token or its grant has ended. The old token stays valid
 * until it expires. `now`: ms UTC.
 */
export async function renewAccessToken(
  env: Env,
  { accessToken, userId }: { readonly accessToken: string; readonly userId: string },
  now: number,
): Promise<string | null> {
  const newToken = createAccessTokenId(env, userId)
  const { meta } = await env.DB.prepare(RENEW_TOKEN_SQL)
    .bind(hashToken(newToken), hashToken(accessToken), Math.floor(now / 1000))
    .run()
  return meta.changes > 0 ? newToken : null
}
