import { waitUntil } from 'cloudflare:workers'
import type { D1Database } from '@cloudflare/workers-types'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../../env.ts'
import { hashToken } from '../../platform/crypto/token-hash.ts'

const AT_ONCE = 200

interface PlainRow {
  readonly model: string
  readonly id: string
  readonly replaces: string | null
}

/**
 * Idempotent: if another isolate has hashed the row, the plain id no longer matches. If an isolate with the earlier
 * version saved the row again, that row is newer and replaces the hashed row.
 */
const HASH = `
  UPDATE OR REPLACE oidc SET id = ?1, payload = json_remove(replace(payload, ?2, ?1), '$.session.cookie'), replaces = ?3, hashed = 1
  WHERE model = ?4 AND id = ?2 AND hashed = 0`

/** Hashes ids that an earlier version stored in plain text, so that sessions stay signed in. */
export async function hashOldRows(db: D1Database): Promise<void> {
  for (;;) {
    const { results } = await db
      .prepare('SELECT model, id, replaces FROM oidc WHERE hashed = 0 LIMIT ?')
      .bind(AT_ONCE)
      .all<PlainRow>()
    if (results.length === 0) return
    const hash = db.prepare(HASH)
    await db.batch(
      results.map(({ model, id, replaces }) =>
        hash.bind(hashToken(id), id, replaces === null ? null : hashToken(replaces), model),
      ),
    )
  }
}

let hashed: Promise<void> | null = null

/** Runs before any token is read: the first request of an isolate hashes rows of an earlier version. */
export const hashLegacyIdsOnce: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!hashed) {
    hashed = hashOldRows(c.env.DB)
    // Other requests wait for the migration too, so it must continue even if the first client disconnects.
    waitUntil(hashed.catch(() => undefined))
  }
  try {
    await hashed
  } catch (error) {
    hashed = null
    throw error
  }
  await next()
}
