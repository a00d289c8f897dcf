import type { D1Database } from '@cloudflare/workers-types'

export const PASSKEYS_MAX = 20

export interface Passkey {
  /** base64url */
  readonly id: string
  readonly userId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: string[]
  readonly name: string
  /** ms UTC */
  readonly createdAt: number
  /** ms UTC; null if never used. */
  readonly lastUsedAt: number | null
}

type PasskeyRow = Omit<Passkey, 'transports'> & { readonly transports: string }

const PASSKEY_COLUMNS_SQL = `credential_id AS id, user_id AS userId, public_key AS publicKey, counter, transports, name,
  created_at AS createdAt, last_used_at AS lastUsedAt`

const toPasskey = (row: PasskeyRow): Passkey => ({ ...row, transports: JSON.parse(row.transports) as string[] })

/** Lists an account's passkeys, oldest first. */
export async function listPasskeys(db: D1Database, userId: string): Promise<Passkey[]> {
  const { results } = await db
    .prepare(`SELECT ${PASSKEY_COLUMNS_SQL} FROM passkeys WHERE user_id = ? ORDER BY created_at`)
    .bind(userId)
    .all<PasskeyRow>()
  return results.map(toPasskey)
}

export async function findPasskeyById(db: D1Database, id: string): Promise<Passkey | null> {
  const row = await db
    .prepare(`SELECT ${PASSKEY_COLUMNS_SQL} FROM passkeys WHERE credential_id = ?`)
    .bind(id)
    .first<PasskeyRow>()
  return row && toPasskey(row)
}

/**
 * Stores a passkey. Returns false if any account already has this passkey, or if the account already has `PASSKEYS_MAX`
 * passkeys.
 */
export async function storePasskey(db: D1Database, passkey: Passkey): Promise<boolean> {
  const { id, userId, publicKey, counter, transports, name, createdAt } = passkey
  const { meta } = await db
    .prepare(
      `INSERT OR IGNORE INTO passkeys (credential_id, user_id, public_key, counter, transports, name, created_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE (SELECT count(*) FROM passkeys WHERE user_id = ?2) < ${PASSKEYS_MAX}`,
    )
    .bind(id, userId, publicKey, counter, JSON.stringify(transports), name, createdAt)
    .run()
  return meta.changes > 0
}

/**
 * Records a use of the passkey at `now` (ms UTC). Returns false if the passkey was deleted, or if `counter` is not
 * higher than the stored counter. Accepts 0 if the stored counter is 0.
 */
export async function recordPasskeyUse(db: D1Database, id: string, counter: number, now: number): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `UPDATE passkeys SET counter = ?2, last_used_at = ?3
       WHERE credential_id = ?1 AND (counter < ?2 OR (counter = 0 AND ?2 = 0))`,
    )
    .bind(id, counter, now)
    .run()
  return meta.changes > 0
}

/** Deletes an account's passkey. Returns false if the account does not have this passkey. */
export async function deletePasskey(db: D1Database, userId: string, id: string): Promise<boolean> {
  const { meta } = await db
    .prepare('DELETE FROM passkeys WHERE user_id = ? AND credential_id = ?')
    .bind(userId, id)
    .run()
  return meta.changes > 0
}

/** Deletes all passkeys of an account. Returns false if it had none. */
export async function deleteAllPasskeys(db: D1Database, userId: string): Promise<boolean> {
  const { meta } = await db.prepare('DELETE FROM passkeys WHERE user_id = ?').bind(userId).run()
  return meta.changes > 0
}
