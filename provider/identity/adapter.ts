import type { D1Database } from '@cloudflare/workers-types'
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'

const seconds = () => Math.floor(Date.now() / 1000)

interface Row {
  readonly payload: string
  readonly dead: number | null
}

/**
 * A refresh token is dead once its place in the family has been used: a token that it was rotated into has itself been
 * rotated, or another token made from the same predecessor has. Until then a repeated use is a client that never got the
 * answer, and is served again (OPEN-17). oidc-provider revokes the family when a dead one is presented.
 */
const FIND_REFRESH_TOKEN = `
  SELECT t.payload AS payload, (
    SELECT min(other.consumed_at) FROM oidc other
    WHERE other.model = 'RefreshToken' AND other.consumed_at IS NOT NULL
      AND (other.replaces = t.id OR (other.replaces = t.replaces AND other.id <> t.id))
  ) AS dead
  FROM oidc t WHERE t.model = ? AND t.id = ? AND (t.expires_at IS NULL OR t.expires_at > ?)`

const FIND = `
  SELECT payload, consumed_at AS dead FROM oidc
  WHERE model = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)`

const FIND_BY_UID = `
  SELECT payload, consumed_at AS dead FROM oidc
  WHERE model = ? AND uid = ? AND (expires_at IS NULL OR expires_at > ?)`

const UPSERT = `
  INSERT INTO oidc (model, id, payload, grant_id, uid, account_id, replaces, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    account_id = excluded.account_id, expires_at = excluded.expires_at`

/** A grant lives as long as its newest refresh token. */
const EXTEND_GRANT = `
  UPDATE oidc SET expires_at = ?1, payload = json_set(payload, '$.exp', ?1) WHERE model = 'Grant' AND id = ?2 AND expires_at < ?1`

/** oidc-provider's store, one per model, in the table `oidc` of D1. */
export class D1Adapter implements Adapter {
  readonly #db: D1Database
  readonly #model: string

  constructor(db: D1Database, model: string) {
    this.#db = db
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const expiresAt = Number.isFinite(expiresIn) ? seconds() + expiresIn : null
    const rotated = this.#model === 'RefreshToken' ? Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti : undefined
    const { grantId = null, uid = null, accountId = null } = payload
    const statements = [
      this.#db
        .prepare(UPSERT)
        .bind(this.#model, id, JSON.stringify(payload), grantId, uid, accountId, rotated ?? null, expiresAt),
    ]
    if (this.#model === 'RefreshToken' && grantId !== null) {
      statements.push(this.#db.prepare(EXTEND_GRANT).bind(expiresAt, grantId))
    }
    await this.#db.batch(statements)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return await this.#first(this.#model === 'RefreshToken' ? FIND_REFRESH_TOKEN : FIND, id)
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return await this.#first(FIND_BY_UID, uid)
  }

  /** Only the device flow, which is off, has user codes. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  async consume(id: string): Promise<void> {
    await this.#db
      .prepare('UPDATE oidc SET consumed_at = coalesce(consumed_at, ?) WHERE model = ? AND id = ?')
      .bind(seconds(), this.#model, id)
      .run()
  }

  async destroy(id: string): Promise<void> {
    await this.#db.prepare('DELETE FROM oidc WHERE model = ? AND id = ?').bind(this.#model, id).run()
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#db.prepare('DELETE FROM oidc WHERE model = ? AND grant_id = ?').bind(this.#model, grantId).run()
  }

  async #first(sql: string, key: string): Promise<AdapterPayload | undefined> {
    const row = await this.#db.prepare(sql).bind(this.#model, key, seconds()).first<Row>()
    if (row === null) return undefined
    const payload = JSON.parse(row.payload) as AdapterPayload
    return row.dead === null ? payload : { ...payload, consumed: row.dead }
  }
}
