import { DurableObject } from 'cloudflare:workers'
import type { SqlStorage } from '@cloudflare/workers-types'
import { NONCE_WINDOW_MS } from '../../../contract/wire/constants.ts'
import type { Env } from '../../env.ts'

/** How long after the first use what no longer counts is thrown away. */
const SWEEP_AFTER_MS = NONCE_WINDOW_MS + 60_000

const TABLES = `
  CREATE TABLE IF NOT EXISTS nonces (nonce TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS nonces_at ON nonces (at);
  CREATE TABLE IF NOT EXISTS attempts (id INTEGER PRIMARY KEY, action TEXT NOT NULL, until INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS attempts_action ON attempts (action, until);
`

/** One per account, and one per e-mail address or IP that tries to sign in: nonces that were used, attempts that were made. */
export class Guard extends DurableObject<Env> {
  /** Asked for at each use: the alarm may have deleted the whole storage since the last one. */
  get #sql(): SqlStorage {
    this.ctx.storage.sql.exec(TABLES)
    return this.ctx.storage.sql
  }

  /** Whether the nonce is new; from then on it is not. `at` is the time inside it, `now` the provider's, ms UTC. */
  async useNonce(nonce: string, at: number, now: number): Promise<boolean> {
    const { rowsWritten } = this.#sql.exec('INSERT OR IGNORE INTO nonces (nonce, at) VALUES (?, ?)', nonce, at)
    await this.#sweepLater(now)
    return rowsWritten > 0
  }

  /**
   * Counts an attempt unless `limit` of them lie within `windowMs` already. Answers 0 when it may go on, else the
   * milliseconds until the next one may.
   */
  async attempt(action: string, limit: number, windowMs: number, now: number): Promise<number> {
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
    await this.#sweepLater(now)
    return 0
  }

  /** How many attempts are left of `limit` at `now`. */
  left(action: string, limit: number, now: number): number {
    const { made } = this.#sql
      .exec<{ made: number }>('SELECT count(*) AS made FROM attempts WHERE action = ? AND until > ?', action, now)
      .one()
    return Math.max(0, limit - made)
  }

  /** Takes the latest attempt back: one that succeeded does not count. */
  undoAttempt(action: string): void {
    this.#sql.exec('DELETE FROM attempts WHERE id = (SELECT max(id) FROM attempts WHERE action = ?)', action)
  }

  /** What it counts is gone: the account is. */
  async end(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Leaves no storage behind once nothing counts any more: addresses that somebody only tried are not kept. */
  async alarm(): Promise<void> {
    const now = Date.now()
    const sql = this.#sql
    sql.exec('DELETE FROM nonces WHERE at < ?', now - NONCE_WINDOW_MS)
    sql.exec('DELETE FROM attempts WHERE until <= ?', now)
    const { left } = sql
      .exec<{ left: number }>('SELECT (SELECT count(*) FROM nonces) + (SELECT count(*) FROM attempts) AS left')
      .one()
    if (left > 0) await this.ctx.storage.setAlarm(now + SWEEP_AFTER_MS)
    else await this.ctx.storage.deleteAll()
  }

  async #sweepLater(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + SWEEP_AFTER_MS)
  }
}
