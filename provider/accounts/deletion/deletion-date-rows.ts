import type { D1Database } from '@cloudflare/workers-types'

/**
 * Returns the deletion date of the account, ms UTC; null if no deletion is scheduled or the account no longer exists.
 */
export async function findDeletionDate(db: D1Database, userId: string): Promise<number | null> {
  return await db.prepare('SELECT leaves_at FROM accounts WHERE user_id = ?').bind(userId).first<number>('leaves_at')
}

/**
 * Schedules the deletion for `at`, ms UTC, unless a deletion is already scheduled. Returns the scheduled date, ms UTC.
 */
export async function scheduleDeletionDate(db: D1Database, userId: string, at: number): Promise<number> {
  await db.prepare('UPDATE accounts SET leaves_at = ?2 WHERE user_id = ?1 AND leaves_at IS NULL').bind(userId, at).run()
  return (await findDeletionDate(db, userId)) ?? at
}

/** Sets the deletion date to `now`, ms UTC. An earlier deletion date stays unchanged. */
export async function setDeletionDateToNow(db: D1Database, userId: string, now: number): Promise<void> {
  await db
    .prepare('UPDATE accounts SET leaves_at = ?2 WHERE user_id = ?1 AND (leaves_at IS NULL OR leaves_at > ?2)')
    .bind(userId, now)
    .run()
}

/** Cancels the deletion before its date. Returns false if the date has passed or no deletion was scheduled. */
export async function cancelAccountDeletion(db: D1Database, userId: string, now: number): Promise<boolean> {
  const { meta } = await db
    .prepare('UPDATE accounts SET leaves_at = NULL WHERE user_id = ? AND leaves_at > ?')
    .bind(userId, now)
    .run()
  return meta.changes > 0
}
