import type { D1Database } from '@cloudflare/workers-types'
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'
import type { Env } from '../../env.ts'
import { changeAccess } from '../../platform/auth/change-access.ts'
import { hashToken } from '../../platform/crypto/token-hash.ts'

const nowSeconds = () => Math.floor(Date.now() / 1000)

interface OidcRow {
  readonly payload: string
  readonly dead: number | null
}

/**
 * Finds a refresh token. `dead`: time of the first use of the token's successor, or of another token with the same
 * predecessor; null before that use. While `dead` is null, the client may use the token again, because the response to
 * an earlier use may be lost (OPEN-17). If a client uses a dead token, oidc-provider revokes the token family.
 */
const FIND_REFRESH_TOKEN_SQL = `
  SELECT t.payload AS payload, (
    SELECT min(other.consumed_at) FROM oidc other
    WHERE other.model = 'RefreshToken' AND other.consumed_at IS NOT NULL
      AND (other.replaces = t.id OR (other.replaces = t.replaces AND other.id <> t.id))
  ) AS dead
  FROM oidc t WHERE t.model = ? AND t.id = ? AND (t.expires_at IS NULL OR t.expires_at > ?)`

const FIND_SQL = `
  SELECT payload, consumed_at AS dead FROM oidc
  WHERE model = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)`

const FIND_BY_UID_SQL = `
  SELECT payload, consumed_at AS dead FROM oidc
  WHERE model = ? AND uid = ? AND (expires_at IS NULL OR expires_at > ?)`

const UPSERT_SQL = `
  INSERT INTO oidc (model, id, payload, grant_id, uid, account_id, replaces, expires_at, hashed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
  ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
    account_id = excluded.account_id, expires_at = excluded.expires_at`

const EXTEND_GRANT_SQL = `
  UPDATE oidc SET expires_at = ?1, payload = json_set(payload, '$.exp', ?1) WHERE model = 'Grant' AND id = ?2 AND expires_at < ?1`

/**
 * Models whose id is secret and therefore stored as a hash. `Grant` is not one of them: its id gives no access, and
 * other rows store it in a column.
 */
const SECRET_ID_MODELS = new Set(['Session', 'Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken'])

/**
 * Storage adapter of oidc-provider for the D1 table `oidc`, one instance per model. Stores every secret id as a hash.
 */
export class D1Adapter implements Adapter {
  readonly #env: Env
  readonly #db: D1Database
  readonly #model: string

  constructor(env: Env, model: string) {
    this.#env = env
    this.#db = env.DB
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const expiresAt = Number.isFinite(expiresIn) ? nowSeconds() + expiresIn : null
    const rotated = this.#model === 'RefreshToken' ? Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti : undefined
    const { grantId = null, uid = null, accountId = null } = payload
    const storedKey = this.#toStoredKey(id)
    const replaces = rotated === undefined ? null : this.#toStoredKey(rotated)
    const statements = [
      this.#db
        .prepare(UPSERT_SQL)
        .bind(this.#model, storedKey, this.#serialize(id, payload), grantId, uid, accountId, replaces, expiresAt),
    ]
    if (this.#model === 'RefreshToken' && grantId !== null) {
      statements.push(this.#db.prepare(EXTEND_GRANT_SQL).bind(expiresAt, grantId))
    }
    await this.#db.batch(statements)
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const storedKey = this.#toStoredKey(id)
    const restoreId = (stored: string) => stored.replaceAll(storedKey, id)
    return await this.#findRow(this.#model === 'RefreshToken' ? FIND_REFRESH_TOKEN_SQL : FIND_SQL, storedKey, restoreId)
  }

  /** Finds a session by its uid. Do not save the returned session: its `jti` is the stored hash instead of the id. */
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return await this.#findRow(FIND_BY_UID_SQL, uid)
  }

  /** Returns nothing, because the device flow with its user codes is disabled. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  async consume(id: string): Promise<void> {
    await this.#db
      .prepare('UPDATE oidc SET consumed_at = coalesce(consumed_at, ?) WHERE model = ? AND id = ?')
      .bind(nowSeconds(), this.#model, this.#toStoredKey(id))
      .run()
  }

  async destroy(id: string): Promise<void> {
    await this.#deleteRows('id', this.#toStoredKey(id))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#deleteRows('grant_id', grantId)
  }

  async #deleteRows(column: 'id' | 'grant_id', value: string): Promise<void> {
    const prepareForRows = (sql: string) =>
      this.#db.prepare(`${sql} FROM oidc WHERE model = ? AND ${column} = ?`).bind(this.#model, value)
    const affected = this.#model === 'AccessToken' ? prepareForRows('SELECT DISTINCT account_id AS user_id') : []
    await changeAccess(this.#env, affected, () => prepareForRows('DELETE').run())
  }

  #toStoredKey(id: string): string {
    return SECRET_ID_MODELS.has(this.#model) ? hashToken(id) : id
  }

  /** Serializes the payload. Replaces a secret id by its hash, also in URLs. Omits the session id of an interaction. */
  #serialize(id: string, { session, ...rest }: AdapterPayload): string {
    const payload = session === undefined ? rest : { ...rest, session: { ...session, cookie: undefined } }
    return JSON.stringify(payload).replaceAll(id, this.#toStoredKey(id))
  }

  async #findRow(
    sql: string,
    storedKey: string,
    restoreId = (stored: string) => stored,
  ): Promise<AdapterPayload | undefined> {
    const row = await this.#db.prepare(sql).bind(this.#model, storedKey, nowSeconds()).first<OidcRow>()
    if (row === null) return undefined
    const payload = JSON.parse(restoreId(row.payload)) as AdapterPayload
    return row.dead === null ? payload : { ...payload, consumed: row.dead }
  }
}
