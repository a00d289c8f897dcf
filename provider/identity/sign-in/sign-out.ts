import type { D1Database } from '@cloudflare/workers-types'
import type { Env } from '../../env.ts'
import { changeAccess } from '../../platform/auth/change-access.ts'
import type { Caller } from '../../platform/auth/verify-token.ts'
import { hashLegacyIds } from '../oidc/hash-legacy-ids.ts'

/** Ends one sign-in. Deletes its grant with all tokens, and also its SSO session unless `sessionUid` is null. */
export async function signOut(
  env: Env,
  { userId, grantId, sessionUid }: Pick<Caller, 'userId' | 'grantId' | 'sessionUid'>,
): Promise<void> {
  const db = env.DB
  const statements = [
    db.prepare('DELETE FROM oidc WHERE grant_id = ?').bind(grantId),
    db.prepare("DELETE FROM oidc WHERE model = 'Grant' AND id = ?").bind(grantId),
  ]
  if (sessionUid !== null) {
    statements.push(db.prepare("DELETE FROM oidc WHERE model = 'Session' AND uid = ?").bind(sessionUid))
  }
  await changeAccess(env, [userId], () => db.batch(statements))
}

/**
 * Ends all sign-ins of an account: sessions, grants, tokens and unfinished sign-ins. Keeps only the session
 * `retainedSessionUid` and its grants.
 */
export async function endAllSignIns(env: Env, userId: string, retainedSessionUid: string | null): Promise<void> {
  const db = env.DB
  const retainedGrants = `SELECT grant_id FROM oidc WHERE account_id = ?1 AND model = 'RefreshToken'
    AND json_extract(payload, '$.sessionUid') = ?2 AND grant_id IS NOT NULL`
  const statements = [
    db
      .prepare(
        `DELETE FROM oidc WHERE account_id = ?1 AND CASE model WHEN 'Session' THEN uid IS NOT ?2
         ELSE coalesce(grant_id, id) NOT IN (${retainedGrants}) END`,
      )
      .bind(userId, retainedSessionUid),
    db
      .prepare("DELETE FROM oidc WHERE model = 'Interaction' AND json_extract(payload, '$.result.login.accountId') = ?")
      .bind(userId),
  ]
  await changeAccess(env, [userId], () => db.batch(statements))
}

/**
 * Deletes up to 500 rows that have expired at `now` (ms UTC). Called after each correct password and each passkey
 * sign-in. Also hashes plain ids that a concurrently running earlier version still writes.
 */
export async function deleteExpiredOidcRows(db: D1Database, now: number): Promise<void> {
  await hashLegacyIds(db)
  await db
    .prepare('DELETE FROM oidc WHERE (model, id) IN (SELECT model, id FROM oidc WHERE expires_at <= ? LIMIT 500)')
    .bind(Math.floor(now / 1000))
    .run()
}
