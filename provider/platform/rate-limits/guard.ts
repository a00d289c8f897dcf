import { DurableObject } from 'cloudflare:workers'
import type { SqlStorage } from '@cloudflare/workers-types'
import { NONCE_WINDOW_MS } from '../../../contract/wire/constants.ts'
import type { Env } from '../../env.ts'

/** Delay of the cleanup alarm, longer than a nonce is valid. */
const CLEANUP_DELAY_MS = NONCE_WINDOW_MS + 60_000

const GUARD_TABLES_SQL = `
  CREATE TABLE IF NOT EXISTS nonces (nonce TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS nonces_at ON nonces (at);
  CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, action TEXT NOT NULL, until INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS attempts_action ON attempts (action, until);
`

/**
 * Records used nonces and counts attempts. There is one object per account, email address, client network, known
 * browser or other key by which attempts are counted.
 */
export class Guard extends DurableObject<Env> {
  /** Creates the tables on each access, because the alarm may have deleted the whole storage. */
  get #sql(): SqlStorage {
    this.ctx.storage.sql.exec(GUARD_TABLES_SQL)
    return this.ctx.storage.sql
  }

  /**
   * Stores a nonce and returns true if it is new. `at`: time in the nonce. `now`: time of the provider. Both in ms UTC.
   */
  async consumeNonce(nonce: string, at: number, now: number): Promise<boolean> {
    const { rowsWritten } = this.#sql.exec('INSERT OR IGNORE INTO nonces (nonce, at) VALUES (?, ?)', nonce, at)
    await this.#scheduleCleanup(now)
    return rowsWritten > 0
  }

  /**
   * Counts an attempt and returns 0 if fewer than `limit` were made within `windowMs`. Otherwise, returns the
   * milliseconds until the next attempt is allowed.
   */
  async countAttempt(action: string, limit: number, windowMs: number, now: number): Promise<number> {
    const sql = this.#sql
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
    const { made } = this.#sql
      .exec<{ made: number }>('SELECT count(*) AS made FROM attempts WHERE action = ? AND until > ?', action, now)
      .one()
    return Math.max(0, limit - made)
  }

  /**
   * Removes the latest attempt of this action. Callers remove attempts that succeeded or that exceeded another limit,
   * because such attempts do not count.
   */
  undoAttempt(action: string): void {
    this.#sql.exec('DELETE FROM attempts WHERE id = (SELECT max(id) FROM attempts WHERE action = ?)', action)
  }

  async deleteStorage(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Deletes expired rows. If no rows are left, deletes the whole storage, so that no trace of an address remains. */
  async alarm(): Promise<void> {
    const now = Date.now()
    const sql = this.#sql
    sql.exec('DELETE FROM nonces WHERE at < ?', now - NONCE_WINDOW_MS)
    sql.exec('DELETE FROM attempts WHERE until <= ?', now)
    const { left: attemptsLeft } = sql
      .exec<{ left: number }>('SELECT (SELECT count(*) FROM nonces) + (SELECT count(*) FROM attempts) AS left')
      .one()
    if (attemptsLeft > 0) await this.ctx.storage.setAlarm(now + CLEANUP_DELAY_MS)
    else await this.ctx.storage.deleteAll()
  }

  async #scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + CLEANUP_DELAY_MS)
  }
}
