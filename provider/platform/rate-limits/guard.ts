import { DurableObject } from 'cloudflare:workers'
import type { SqlStorage } from '@cloudflare/workers-types'
import { NONCE_WINDOW_MS } from '../../../contract/wire/constants.ts'
import type { Env } from '../../env.ts'

/** Delay of the cleanup alarm, longer than a nonce is valid. */
const CLEANUP_DELAY_MS = NONCE_WINDOW_MS + 60_000
/** Nonces whose times are in the same period share a row, because each written and each deleted row costs money. */
const NONCE_PERIOD_MS = 15_000

/** used: the nonces of the period that starts at `began`, each between spaces. */
const NONCE_TABLE_SQL = 'CREATE TABLE IF NOT EXISTS used_nonces (began INTEGER PRIMARY KEY, used TEXT NOT NULL)'
const ATTEMPT_TABLE_SQL = `
  CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, action TEXT NOT NULL, until INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS attempts_action ON attempts (action, until);
`

/**
 * Records used nonces and counts attempts. There is one object per account, email address, client network, known
 * browser or other key by which attempts are counted.
 */
export class Guard extends DurableObject<Env> {
  /** Creates the table on each access, because the alarm may have deleted the whole storage. */
  #openTable(tableSql: string): SqlStorage {
    this.ctx.storage.sql.exec(tableSql)
    return this.ctx.storage.sql
  }

  /**
   * Stores a nonce and returns true if it is new. `at`: time in the nonce. `now`: time of the provider. Both in ms UTC.
   */
  async consumeNonce(nonce: string, at: number, now: number): Promise<boolean> {
    const sql = this.#openTable(NONCE_TABLE_SQL)
    convertEarlierNonces(sql)
    const { rowsWritten } = sql.exec(
      `INSERT INTO used_nonces (began, used) VALUES (?1, ' ' || ?2 || ' ')
       ON CONFLICT DO UPDATE SET used = used || ?2 || ' ' WHERE instr(used, ' ' || ?2 || ' ') = 0`,
      at - (at % NONCE_PERIOD_MS),
      nonce,
    )
    await this.#scheduleCleanup(now)
    return rowsWritten > 0
  }

  /**
   * Counts an attempt and returns 0 if fewer than `limit` were made within `windowMs`. Otherwise, returns the
   * milliseconds until the next attempt is allowed.
   */
  async countAttempt(action: string, limit: number, windowMs: number, now: number): Promise<number> {
    const sql = this.#openTable(ATTEMPT_TABLE_SQL)
    const { made, first } = sql
      .exec<{ made: number; first: number | null }>(
        'SELECT count(*) AS made, min(until) AS first FROM attempts WHERE action = ? AND until > ?',
        action,
        now,
      )
      .one()
    if (made >= limit) return (first ?? now) - now
    sql.exec('INSERT INTO attempts (action, until) VALUES (?, ?)', action, now + windowMs)
    await this.#scheduleCleanup(now)
    return 0
  }

  countAttemptsLeft(action: string, limit: number, now: number): number {
    const { made } = this.#openTable(ATTEMPT_TABLE_SQL)
      .exec<{ made: number }>('SELECT count(*) AS made FROM attempts WHERE action = ? AND until > ?', action, now)
      .one()
    return Math.max(0, limit - made)
  }

  /**
   * Removes the latest attempt of this action. Callers remove attempts that succeeded or that exceeded another limit,
   * because such attempts do not count.
   */
  undoAttempt(action: string): void {
    this.#openTable(ATTEMPT_TABLE_SQL).exec(
      'DELETE FROM attempts WHERE id = (SELECT max(id) FROM attempts WHERE action = ?)',
      action,
    )
  }

  async deleteStorage(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Deletes expired rows. If no rows are left, deletes the whole storage, so that no trace of an address remains. */
  async alarm(): Promise<void> {
    const now = Date.now()
    const { sql } = this.ctx.storage
    let rowsLeft = 0
    for (const [table, condition, time] of [
      ['used_nonces', 'began < ?', now - NONCE_WINDOW_MS - NONCE_PERIOD_MS],
      ['nonces', 'at < ?', now - NONCE_WINDOW_MS],
      ['attempts', 'until <= ?', now],
    ] as const) {
      if (!hasTable(sql, table)) continue
      sql.exec(`DELETE FROM ${table} WHERE ${condition}`, time)
      rowsLeft += sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n
    }
    if (rowsLeft > 0 || !this.canDeleteStorage()) await this.ctx.storage.setAlarm(now + CLEANUP_DELAY_MS)
    else await this.ctx.storage.deleteAll()
  }

  /** Returns false if a subclass still needs other data of the storage. */
  protected canDeleteStorage(): boolean {
    return true
  }

  async #scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + CLEANUP_DELAY_MS)
  }
}

const hasTable = (sql: SqlStorage, name: string): boolean =>
  sql.exec('SELECT 1 FROM sqlite_schema WHERE name = ?', name).toArray().length > 0

/** Moves the nonces of an earlier version, which stored one per row, so that they cannot be used again. */
function convertEarlierNonces(sql: SqlStorage): void {
  if (!hasTable(sql, 'nonces')) return
  sql.exec(
    `INSERT INTO used_nonces SELECT at - at % ?1, ' ' || group_concat(nonce, ' ') || ' ' FROM nonces GROUP BY 1
     ON CONFLICT DO UPDATE SET used = used || excluded.used`,
    NONCE_PERIOD_MS,
  )
  sql.exec('DROP TABLE nonces')
}
