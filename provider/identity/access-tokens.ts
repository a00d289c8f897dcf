import type { D1Database } from '@cloudflare/workers-types'

/** A live access token's owner and sign-in. */
export interface AccessTokenRow {
  readonly userId: string
  readonly email: string
  readonly grantId: string
  readonly sessionUid: string | null
}

const SQL = `
  SELECT a.user_id AS userId, a.email AS email, t.grant_id AS grantId, json_extract(t.payload, '$.sessionUid') AS sessionUid
  FROM oidc t JOIN accounts a ON a.user_id = t.account_id
  WHERE t.model = 'AccessToken' AND t.id = ? AND t.expires_at > ?`

/** The access token as oidc-provider stored it, or null when it is unknown, revoked or expired at `now` (ms UTC). */
export async function readAccessToken(db: D1Database, token: string, now: number): Promise<AccessTokenRow | null> {
  return await db
    .prepare(SQL)
    .bind(token, Math.floor(now / 1000))
    .first<AccessTokenRow>()
}
