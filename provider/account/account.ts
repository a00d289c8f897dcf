import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState } from '@cloudflare/workers-types'
import { NONCE_WINDOW_MS } from '../../contract/constants.ts'
import type { Env } from '../env.ts'

/** How often, at most, used nonces and counters that no longer count are thrown away. */
const PRUNE_EVERY_MS = 60_000

/** One per account, and one per e-mail address or IP that tries to sign in: nonces that were used, attempts that were made. */
export class Account extends DurableObject<Env> {
  #pruned = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS nonces (nonce TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS nonces_at ON nonces (at);
      CREATE TABLE IF NOT EXISTS attempts (action TEXT NOT NULL, at INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS attempts_at ON attempts (action, at);
    `)
  }

  /** Whether the nonce is new; from then on it is not. `at` is the time inside it, `now` the provider's, ms UTC. */
  useNonce(nonce: string, at: number, now: number): boolean {
    this.#prune(now)
    return this.ctx.storage.sql.exec('INSERT OR IGNORE INTO nonces (nonce, at) VALUES (?, ?)', nonce, at).rowsWritten > 0
  }

  /**
   * Counts an attempt unless `limit` of them lie within `windowMs` already. Answers 0 when it may go on, else the
   * milliseconds until the next one may.
   */
  attempt(action: string, limit: number, windowMs: number, now: number): number {
    const { sql } = this.ctx.storage
    sql.exec('DELETE FROM attempts WHERE action = ? AND at <= ?', action, now - windowMs)
    const { made, oldest } = sql
      .exec<{ made: number; oldest: number | null }>('SELECT count(*) AS made, min(at) AS oldest FROM attempts WHERE action = ?', action)
      .one()
    if (made >= limit) return (oldest ?? now) + windowMs - now
    sql.exec('INSERT INTO attempts (action, at) VALUES (?, ?)', action, now)
    return 0
  }

  /** Forgets the attempts at an action, e.g. after one that succeeded. */
  forgive(action: string): void {
    this.ctx.storage.sql.exec('DELETE FROM attempts WHERE action = ?', action)
  }

  #prune(now: number): void {
    if (now - this.#pruned < PRUNE_EVERY_MS) return
    this.#pruned = now
    this.ctx.storage.sql.exec('DELETE FROM nonces WHERE at < ?', now - NONCE_WINDOW_MS)
  }
}
