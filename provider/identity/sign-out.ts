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
