import { randomBytes } from 'node:crypto'
import { DurableObject } from 'cloudflare:workers'
import type { SqlStorage } from '@cloudflare/workers-types'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import type { ActivityQuery, ActivityLogEntry, ActivityEvent, ClientInfo } from './entry.ts'
import { ACTIVITY_SCHEMA, addEntry, deleteExpiredEntries, eraseName, listEntries } from './entry-rows.ts'

/**
 * Activity log of one account or one home. Entries expire after 90 days (docs/decisions/0042). Only `list-activity.ts`
 * reads logs. For an account, it reads the account's own log and the logs of the homes that the account owns.
 */
export class ActivityLog extends DurableObject<Env> {
  /** Migrates the schema at each use, because `deleteAll` drops the tables while the object is still in memory. */
  get #sql(): SqlStorage {
    const { storage } = this.ctx
    storage.transactionSync(() => migrateSchema(storage.sql, ACTIVITY_SCHEMA))
    return storage.sql
  }

  /**
   * Records an event at `now`, ms UTC. `clientInfo` is null in the log of a home, because all owners of the home can
   * read that log.
   */
  async add(event: ActivityEvent, clientInfo: ClientInfo | null, now: number): Promise<void> {
    const sql = this.#sql
    this.ctx.storage.transactionSync(() => addEntry(sql, event, clientInfo, now, randomBytes(3).toString('hex')))
    if ((await this.ctx.storage.getAlarm()) === null) await this.#scheduleCleanup(now)
  }

  list(query: ActivityQuery, now: number): ActivityLogEntry[] {
    return listEntries(this.#sql, query, now)
  }

  async deleteLog(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Removes `names` (id and email of a deleted account) from the log. The entries of the log remain. */
  eraseNames(names: readonly string[]): void {
    const sql = this.#sql
    this.ctx.storage.transactionSync(() => {
      for (const name of names) eraseName(sql, name)
    })
  }

  /**
   * Deletes entries that have expired at `now`, ms UTC. If no entry is left, deletes the whole storage. Otherwise, sets
   * the alarm for the next expiry.
   */
  async deleteExpired(now: number): Promise<void> {
    await this.#scheduleCleanup(now)
  }

  async alarm(): Promise<void> {
    await this.deleteExpired(Date.now())
  }

  async #scheduleCleanup(now: number): Promise<void> {
    const due = deleteExpiredEntries(this.#sql, now)
    if (due === null) await this.ctx.storage.deleteAll()
    else await this.ctx.storage.setAlarm(due)
  }
}
