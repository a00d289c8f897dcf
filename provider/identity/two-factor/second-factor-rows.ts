import type { D1Database } from '@cloudflare/workers-types'

/** How long a second factor may be half set up. */
const SET_UP_MS = 30 * 60_000

export interface FactorRow {
  /** Sealed key. */
  readonly secret: string
  /** 0: no code was used yet. */
  readonly lastStep: number
  /** ms UTC; null while it is being set up. */
  readonly enabledAt: number | null
  /** Recovery codes that are good. */
  readonly codesLeft: number
}

const SQL = `
  SELECT secret, last_step AS lastStep, enabled_at AS enabledAt,
    (SELECT count(*) FROM recovery_codes r WHERE r.user_id = f.user_id AND used_at IS NULL) AS codesLeft
  FROM second_factors f WHERE user_id = ?1 AND (enabled_at IS NOT NULL OR began_at > ?2)`

/** The second factor of an account, or one that it has begun to set up within the last 30 minutes; else null. */
export async function findSecondFactor(db: D1Database, userId: string, now: number): Promise<FactorRow | null> {
  return await db
    .prepare(SQL)
    .bind(userId, now - SET_UP_MS)
    .first<FactorRow>()
}

/** Begins to set one up, in place of what was begun before; one that is on stays as it is. */
export async function startSecondFactorSetup(
  db: D1Database,
  userId: string,
  secret: string,
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM second_factors WHERE user_id = ? AND enabled_at IS NULL').bind(userId),
    db
      .prepare('INSERT OR IGNORE INTO second_factors (user_id, secret, began_at) VALUES (?, ?, ?)')
      .bind(userId, secret, now),
  ])
}

/** Puts a key that was sealed anew in place of what it was read from, unless that has changed meanwhile. */
export async function replaceSecret(db: D1Database, userId: string, before: string, secret: string): Promise<void> {
  await db
    .prepare('UPDATE second_factors SET secret = ? WHERE user_id = ? AND secret = ?')
    .bind(secret, userId, before)
    .run()
}

/** Uses a step up; false when it, or a later one, was used before. */
export async function consumeStep(db: D1Database, userId: string, step: number): Promise<boolean> {
  const { meta } = await db
    .prepare('UPDATE second_factors SET last_step = ?1 WHERE user_id = ?2 AND last_step < ?1')
    .bind(step, userId)
    .run()
  return meta.changes > 0
}

/** Uses a recovery code up; false when there is none such, or it was used before. */
export async function consumeRecoveryCode(db: D1Database, userId: string, hash: string, now: number): Promise<boolean> {
  const { meta } = await db
    .prepare('UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL')
    .bind(now, userId, hash)
    .run()
  return meta.changes > 0
}

/** Puts new recovery codes in place of all earlier ones. */
export async function putRecoveryCodes(db: D1Database, userId: string, hashes: readonly string[]): Promise<void> {
  const insert = db.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)')
  await db.batch([
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?').bind(userId),
    ...hashes.map((hash) => insert.bind(userId, hash)),
  ])
}

export async function enableFactor(db: D1Database, userId: string, now: number): Promise<void> {
  await db
    .prepare('UPDATE second_factors SET enabled_at = ? WHERE user_id = ? AND enabled_at IS NULL')
    .bind(now, userId)
    .run()
}

/** Takes the second factor away with its recovery codes; false when there was none. */
export async function dropFactor(db: D1Database, userId: string): Promise<boolean> {
  const [, { meta }] = (await db.batch([
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM second_factors WHERE user_id = ?').bind(userId),
  ])) as [unknown, { meta: { changes: number } }]
  return meta.changes > 0
}
