import type { D1Database } from '@cloudflare/workers-types'

/** A setting of the account as it was written, or null. */
export async function readSetting<T>(db: D1Database, userId: string, name: string): Promise<T | null> {
  const value = await db
    .prepare('SELECT value FROM account_settings WHERE user_id = ? AND name = ?')
    .bind(userId, name)
    .first<string>('value')
  return value === null ? null : (JSON.parse(value) as T)
}

export async function writeSetting(db: D1Database, userId: string, name: string, value: unknown): Promise<void> {
  await db
    .prepare(
      `INSERT INTO account_settings (user_id, name, value) VALUES (?1, ?2, ?3)
       ON CONFLICT DO UPDATE SET value = ?3`,
    )
    .bind(userId, name, JSON.stringify(value))
    .run()
}
