import type { D1Database } from '@cloudflare/workers-types'

/** Ends a sign-in: its grant with every token of it, and the single-sign-on session behind it. */
export async function signOut(db: D1Database, grantId: string, sessionUid: string | null): Promise<void> {
  const statements = [
    db.prepare('DELETE FROM oidc WHERE grant_id = ?').bind(grantId),
    db.prepare("DELETE FROM oidc WHERE model = 'Grant' AND id = ?").bind(grantId),
  ]
  if (sessionUid !== null) {
    statements.push(db.prepare("DELETE FROM oidc WHERE model = 'Session' AND uid = ?").bind(sessionUid))
  }
  await db.batch(statements)
}

/** Deletes rows that have expired at `now` (ms UTC), a limited number at a time; asked for at each sign-in. */
export async function sweepExpired(db: D1Database, now: number): Promise<void> {
  await db
    .prepare('DELETE FROM oidc WHERE (model, id) IN (SELECT model, id FROM oidc WHERE expires_at <= ? LIMIT 500)')
    .bind(Math.floor(now / 1000))
    .run()
}
