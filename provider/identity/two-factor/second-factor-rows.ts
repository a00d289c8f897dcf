import type { D1Database } from '@cloudflare/workers-types'

const SETUP_TIMEOUT_MS = 30 * 60_000

export interface SecondFactorRow {
  readonly secret: string
  /** TOTP counter of the last code that was used; 0 if none was used yet. */
  readonly lastStep: number
  /** ms UTC; null during setup. */
  readonly enabledAt: number | null
  readonly codesLeft: number
}

const SELECT_FACTOR_SQL = `
  SELECT secret, last_step AS lastStep, enabled_at AS enabledAt,
    (SELECT count(*) FROM recovery_codes r WHERE r.user_id = f.user_id AND used_at IS NULL) AS codesLeft
  FROM second_factors f WHERE user_id = ?1 AND (enabled_at IS NOT NULL OR began_at > ?2)`

/** Returns an account's second factor, enabled or in setup for less than 30 minutes. Otherwise returns null. */
export async function findSecondFactor(db: D1Database, userId: string, now: number): Promise<SecondFactorRow | null> {
  return await db
    .prepare(SELECT_FACTOR_SQL)
    .bind(userId, now - SETUP_TIMEOUT_MS)
    .first<SecondFactorRow>()
}

/** Starts a setup and replaces an unfinished setup. Does not change an enabled factor. */
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

/** Stores the re-encrypted key, unless another request has changed the row since it was read. */
export async function replaceSecret(db: D1Database, userId: string, oldSecret: string, secret: string): Promise<void> {
  await db
    .prepare('UPDATE second_factors SET secret = ? WHERE user_id = ? AND secret = ?')
    .bind(secret, userId, oldSecret)
    .run()
}

/** Consumes a TOTP counter value. Returns false if this value or a later one was already used. */
export async function consumeTotpStep(db: D1Database, userId: string, step: number): Promise<boolean> {
  const { meta } = await db
    .prepare('UPDATE second_factors SET last_step = ?1 WHERE user_id = ?2 AND last_step < ?1')
    .bind(step, userId)
    .run()
  return meta.changes > 0
}

/** Consumes a recovery code. Returns false if the code does not exist or was already used. */
export async function consumeRecoveryCode(db: D1Database, userId: string, hash: string, now: number): Promise<boolean> {
  const { meta } = await db
    .prepare('UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL')
    .bind(now, userId, hash)
    .run()
  return meta.changes > 0
}

export async function replaceRecoveryCodes(db: D1Database, userId: string, hashes: readonly string[]): Promise<void> {
  const insert = db.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)')
  await db.batch([
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?').bind(userId),
    ...hashes.map((hash) => insert.bind(userId, hash)),
  ])
}

export async function enableSecondFactor(db: D1Database, userId: string, now: number): Promise<void> {
  await db
    .prepare('UPDATE second_factors SET enabled_at = ? WHERE user_id = ? AND enabled_at IS NULL')
    .bind(now, userId)
    .run()
}

/** Deletes the second factor and its recovery codes. Returns false if there was none. */
export async function deleteSecondFactor(db: D1Database, userId: string): Promise<boolean> {
  const [, { meta }] = (await db.batch([
    db.prepare('DELETE FROM recovery_codes WHERE user_id = ?').bind(userId),
    db.prepare('DELETE FROM second_factors WHERE user_id = ?').bind(userId),
  ])) as [unknown, { meta: { changes: number } }]
  return meta.changes > 0
}
