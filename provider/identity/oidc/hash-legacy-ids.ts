import { waitUntil } from 'cloudflare:workers'
import type { D1Database } from '@cloudflare/workers-types'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../../env.ts'
import { hashToken } from '../../platform/crypto/token-hash.ts'

const ROWS_PER_BATCH = 200

interface PlainIdRow {
  readonly model: string
  readonly id: string
  readonly replaces: string | null
}

/**
 * Hashes the id of a row that still has the plain id. Running the statement again has no effect. If an older version
 * stored the row again, that newer row replaces the hashed row.
 */
const HASH_ROW_SQL = `
  UPDATE OR REPLACE oidc SET id = ?1, payload = json_remove(replace(payload, ?2, ?1), '$.session.cookie'), replaces = ?3, hashed = 1
  WHERE model = ?4 AND id = ?2 AND hashed = 0`

/** Hashes ids that an earlier version stored in plain text. Sessions stay signed in. */
export async function hashLegacyIds(db: D1Database): Promise<void> {
  for (;;) {
    const { results } = await db
      .prepare('SELECT model, id, replaces FROM oidc WHERE hashed = 0 LIMIT ?')
      .bind(ROWS_PER_BATCH)
      .all<PlainIdRow>()
    if (results.length === 0) return
    const hash = db.prepare(HASH_ROW_SQL)
    await db.batch(
      results.map(({ model, id, replaces }) =>
        hash.bind(hashToken(id), id, replaces === null ? null : hashToken(replaces), model),
      ),
    )
  }
}

let migration: Promise<void> | null = null

/** Hashes legacy ids in the first request of an isolate, before any token is read. */
export const hashLegacyIdsOnce: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!migration) {
    migration = hashLegacyIds(c.env.DB)
    // Other requests wait for this migration, so continue it even if the first client disconnects.
    waitUntil(migration.catch(() => undefined))
  }
  try {
    await migration
  } catch (error) {
    migration = null
    throw error
  }
  await next()
}
