import type { D1Database } from '@cloudflare/workers-types'
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'
import { hashToken } from '../../platform/crypto/token-hash.ts'

const seconds = () => Math.floor(Date.now() / 1000)

interface Row {
  readonly payload: string
  readonly dead: number | null
}

/**
 * A refresh token is dead once the client has used its successor, or another successor of the same predecessor. Until
 * then, a reused token means that the client never got the response, so the request is served again (OPEN-17).
 * oidc-provider revokes the token family when a dead token is used.
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
  INSERT INTO oidc (model, id, payload, grant_id, uid, account_id, replaces, expires_at, hashed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
  ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    account_id = excluded.account_id, expires_at = excluded.expires_at`

const EXTEND_GRANT = `
  UPDATE oidc SET expires_at = ?1, payload = json_set(payload, '$.exp', ?1) WHERE model = 'Grant' AND id = ?2 AND expires_at < ?1`

/**
 * Models whose id is secret and therefore stored as a hash. A grant id gives no access, and other rows refer to it in a
 * column.
 */
const SECRET = new Set(['Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken'])

/** oidc-provider adapter, one per model, on the D1 table `oidc`. Secret ids are hashed in every column. */
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
    const key = this.#key(id)
    const replaces = rotated === undefined ? null : this.#key(rotated)
    const statements = [
      this.#db
        .prepare(UPSERT)
        .bind(this.#model, key, this.#write(id, payload), grantId, uid, accountId, replaces, expiresAt),
    ]
    if (this.#model === 'RefreshToken' && grantId !== null) {
      statements.push(this.#db.prepare(EXTEND_GRANT).bind(expiresAt, grantId))
    }
    await this.#db.batch(statements)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const key = this.#key(id)
    const whole = (stored: string) => stored.replaceAll(key, id)
    return await this.#first(this.#model === 'RefreshToken' ? FIND_REFRESH_TOKEN : FIND, key, whole)
  }

  /** Sessions found by uid are read-only for oidc-provider: their `jti` is the hash, not the id. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return await this.#first(FIND_BY_UID, uid)
  }

  /** User codes belong to the device flow, which is disabled. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  async consume(id: string): Promise<void> {
    await this.#db
      .prepare('UPDATE oidc SET consumed_at = coalesce(consumed_at, ?) WHERE model = ? AND id = ?')
      .bind(seconds(), this.#model, this.#key(id))
      .run()
  }

  async destroy(id: string): Promise<void> {
    await this.#db.prepare('DELETE FROM oidc WHERE model = ? AND id = ?').bind(this.#model, this.#key(id)).run()
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#db.prepare('DELETE FROM oidc WHERE model = ? AND grant_id = ?').bind(this.#model, grantId).run()
  }

  #key(id: string): string {
    return SECRET.has(this.#model) ? hashToken(id) : id
  }

  /**
   * Serializes the payload, with the hash in place of the id, which also occurs in URLs in the payload. Omits the
   * session id of an interaction.
   */
  #write(id: string, { session, ...rest }: AdapterPayload): string {
    const payload = session === undefined ? rest : { ...rest, session: { ...session, cookie: undefined } }
    return JSON.stringify(payload).replaceAll(id, this.#key(id))
  }

  async #first(sql: string, key: string, whole = (stored: string) => stored): Promise<AdapterPayload | undefined> {
    const row = await this.#db.prepare(sql).bind(this.#model, key, seconds()).first<Row>()
    if (row === null) return undefined
    const payload = JSON.parse(whole(row.payload)) as AdapterPayload
    return row.dead === null ? payload : { ...payload, consumed: row.dead }
  }
}
