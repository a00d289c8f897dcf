import type { D1Database } from '@cloudflare/workers-types'

/** When the account goes, ms UTC; null: it stays, or is gone. */
export async function findDeletionDate(db: D1Database, userId: string): Promise<number | null> {
  return await db.prepare('SELECT leaves_at FROM accounts WHERE user_id = ?').bind(userId).first<number>('leaves_at')
}

/** Lets the account go at a time unless it goes already; answers when it does. */
export async function leaveAt(db: D1Database, userId: string, at: number): Promise<number> {
  await db.prepare('UPDATE accounts SET leaves_at = ?2 WHERE user_id = ?1 AND leaves_at IS NULL').bind(userId, at).run()
  return (await findDeletionDate(db, userId)) ?? at
}

/** Lets it go at once, whatever was said before. */
export async function leaveNow(db: D1Database, userId: string, now: number): Promise<void> {
  await db
    .prepare('UPDATE accounts SET leaves_at = ?2 WHERE user_id = ?1 AND (leaves_at IS NULL OR leaves_at > ?2)')
    .bind(userId, now)
    .run()
}

/** Keeps it, as long as its time has not come; false when it has, or the account was to stay. */
export async function cancelAccountDeletion(db: D1Database, userId: string, now: number): Promise<boolean> {
  const { meta } = await db
    .prepare('UPDATE accounts SET leaves_at = NULL WHERE user_id = ? AND leaves_at > ?')
    .bind(userId, now)
    .run()
  return meta.changes > 0
}
