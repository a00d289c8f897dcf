import type { D1Database } from '@cloudflare/workers-types'
import { badRequest } from '../../platform/api-error.ts'
import { writeSetting } from './setting-rows.ts'

const TIME_ZONE_SETTING = 'TimeZone'

/** SQL for the JSON of the time zone of an account's home; null before its first sign-in. `userId`: an SQL column. */
export const homeTimeZoneSql = (userId: string): string =>
  `(SELECT value FROM account_settings
    WHERE account_settings.user_id = ${userId} AND account_settings.name = '${TIME_ZONE_SETTING}')`

/**
 * Stores the time zone of the account's home. Without `replace`, an already stored zone stays. Returns the stored zone;
 * throws 400 for a zone that does not exist.
 */
export async function storeHomeTimeZone(
  db: D1Database,
  userId: string,
  { time_zone: zone, replace }: { readonly time_zone: string; readonly replace: boolean },
): Promise<string> {
  if (!isTimeZone(zone)) throw badRequest('Unknown time zone.')
  if (replace) {
    await writeSetting(db, userId, TIME_ZONE_SETTING, zone)
    return zone
  }
  await db
    .prepare('INSERT INTO account_settings (user_id, name, value) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING')
    .bind(userId, TIME_ZONE_SETTING, JSON.stringify(zone))
    .run()
  return readHomeTimeZone(db, userId)
}

/** Returns the time zone of the account's home (IANA name); `UTC` before its first sign-in. */
export async function readHomeTimeZone(db: D1Database, userId: string): Promise<string> {
  const value = await db
    .prepare(`SELECT ${homeTimeZoneSql('?1')} AS value`)
    .bind(userId)
    .first<string>('value')
  return parseHomeTimeZone(value)
}

/** Parses the JSON of `homeTimeZoneSql`. A missing zone counts as `UTC`, and so does one that the runtime lacks. */
export function parseHomeTimeZone(json: string | null): string {
  const zone: unknown = json === null ? null : JSON.parse(json)
  return typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC'
}

/** Returns true for an IANA time zone that this runtime supports. */
export function isTimeZone(zone: string): boolean {
  try {
    // eslint-disable-next-line no-restricted-syntax -- Only checks that the zone exists.
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
