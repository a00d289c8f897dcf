import { randomBytes } from 'node:crypto'
import { DurableObject } from 'cloudflare:workers'
import type { SqlStorage } from '@cloudflare/workers-types'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import type { ActivityQuery, ActivityLogEntry, ActivityEvent, ClientInfo } from './entry.ts'
import { ACTIVITY_SCHEMA, addEntry, deleteExpiredEntries, eraseName, listEntries } from './entry-rows.ts'

/**
 * Activity log of one account or one home, for 90 days (docs/decisions/0042). Only `list-activity.ts` reads logs, and
 * it reads only the logs that the account may see.
 */
export class ActivityLog extends DurableObject<Env> {
  /** Migrates the schema at each use, because the alarm may have deleted the whole storage since the last use. */
  get #sql(): SqlStorage {
    const { storage } = this.ctx
    storage.transactionSync(() => migrateSchema(storage.sql, ACTIVITY_SCHEMA))
    return storage.sql
  }

  /** Records an event at `now`, ms UTC. `origin`: client info, stored only in logs of accounts, not of homes. */
  async add(event: ActivityEvent, origin: ClientInfo | null, now: number): Promise<void> {
    const sql = this.#sql
    this.ctx.storage.transactionSync(() => addEntry(sql, event, origin, now, randomBytes(3).toString('hex')))
    if ((await this.ctx.storage.getAlarm()) === null) await this.#scheduleCleanup(now)
  }

  list(query: ActivityQuery, now: number): ActivityLogEntry[] {
    return listEntries(this.#sql, query, now)
  }

  /** Deletes the log of a deleted account or home. */
  async end(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** Removes the id and email of an account (`names`) from a log that is retained. */
  eraseNames(names: readonly string[]): void {
    const sql = this.#sql
    this.ctx.storage.transactionSync(() => {
      for (const name of names) eraseName(sql, name)
    })
  }

  /** Deletes entries that have expired at `now`, and the whole storage once none is left. */
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
