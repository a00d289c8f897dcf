import type { D1Database } from '@cloudflare/workers-types'
import type { GenericSchema } from 'valibot'
import { parseJsonAs } from '../../../contract/wire/lenient-parse.ts'

/** Returns a setting of the account; null if the setting is missing or does not match `schema`. */
export async function readSetting<T>(
  db: D1Database,
  userId: string,
  name: string,
  schema: GenericSchema<unknown, T>,
): Promise<T | null> {
  const value = await db
    .prepare('SELECT value FROM account_settings WHERE user_id = ? AND name = ?')
    .bind(userId, name)
    .first<string>('value')
  return parseJsonAs(schema, value)
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
