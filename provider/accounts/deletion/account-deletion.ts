import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import { accountById } from '../account-rows.ts'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import type { OwnedResource } from './owned-resources.ts'
import { findDeletionDate } from './deletion-date-rows.ts'
import { removeAccount, removeObjects, type DeletedAccount } from './delete-account-data.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

const SCHEMA = [
  `
  CREATE TABLE self (one INTEGER PRIMARY KEY CHECK (one = 1), user_id TEXT NOT NULL, email TEXT NOT NULL, gone_at INTEGER);
  CREATE TABLE things (kind TEXT NOT NULL, id TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (kind, id, at)) WITHOUT ROWID;
  `,
]

/** Retry delay of an interrupted or failed deletion. */
const RETRY_MS = 60_000
/**
 * Delay before the second pass of a deletion. By then, tickets and grants from before the deletion have expired: upload
 * grants after 10 minutes, socket tickets after one minute.
 */
export const SECOND_LOOK_MS = 20 * 60_000

type Self = { user_id: string; email: string; gone_at: number | null }

/**
 * Waits for an account's deletion date and deletes the account (docs/decisions/0062). Named by the user id. Only the
 * account's row in D1 says whether and when it is deleted.
 */
export class AccountLeave extends DurableObject<Env> {
  /** Migrates the schema at each use, because `deleteAll` drops the tables while the object is still in memory. */
  get #sql(): SqlStorage {
    const { storage } = this.ctx
    storage.transactionSync(() => migrateSchema(storage.sql, SCHEMA))
    return storage.sql
  }

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
  }

  /** Sets the alarm to `at`. The alarm checks whether the account must still be deleted. */
  async await(leaver: DeletedAccount, at: number): Promise<void> {
    this.#note(leaver)
    await this.ctx.storage.setAlarm(at)
  }

  /**
   * Deletes the account now. The account's row is already marked for deletion. Throws on failure; the object then
   * retries automatically.
   */
  async remove(leaver: DeletedAccount, now: number): Promise<void> {
    this.#note(leaver)
    await this.processDue(now)
  }

  /**
   * Runs the step that is due at `now`, ms UTC: waits for the deletion date, deletes the account, or runs the second
   * pass.
   */
  async processDue(now: number): Promise<void> {
    const self = this.#self()
    if (self === null) return await this.#over()
    const leaver = { userId: self.user_id, email: self.email }
    if (self.gone_at !== null) return await this.#lookAgain(leaver, self.gone_at, now)
    const account = await accountById(this.env.DB, self.user_id)
    const due = account && (await findDeletionDate(this.env.DB, self.user_id))
    if (account && due === null) return await this.#over()
    if (due !== null && due > now) return await this.#wait(due, now)
    // The alarm is set before the deletion, so that an interrupted deletion restarts.
    await this.ctx.storage.setAlarm(now + RETRY_MS)
    if (account) await removeAccount(this.env, leaver, this.#kept(), now)
    this.#sql.exec('UPDATE self SET gone_at = ?', now)
    await this.ctx.storage.setAlarm(now + SECOND_LOOK_MS)
  }

  /**
   * Cancels the plans, so that none renews before the deletion date. A plan cannot be canceled while a charge is
   * pending; it is then canceled after that charge.
   */
  async #wait(due: number, now: number): Promise<void> {
    await this.ctx.storage.setAlarm(Math.min(due, now + HOUR_MS))
    const ledger = this.env.LEDGERS.getByName(this.#self()?.user_id ?? '')
    await ledger.leaveAll(now)
    const { subscriptions } = await ledger.state(now)
    const renews = subscriptions.some(
      (subscription) => subscription.isRunning && subscription.channel === 'web' && subscription.status === 'active',
    )
    await this.ctx.storage.setAlarm(renews ? Math.min(due, now + HOUR_MS) : due)
  }

  async alarm(): Promise<void> {
    await this.processDue(Date.now())
  }

  async #lookAgain(leaver: DeletedAccount, goneAt: number, now: number): Promise<void> {
    if (now < goneAt + SECOND_LOOK_MS) return await this.ctx.storage.setAlarm(goneAt + SECOND_LOOK_MS)
    await this.ctx.storage.setAlarm(now + RETRY_MS)
    await removeObjects(this.env, leaver, this.#kept().things(), now)
    await this.#over()
  }

  #kept() {
    const sql = this.#sql
    return {
      keep: (things: readonly OwnedResource[]) => {
        for (const { kind, id, at } of things)
          sql.exec('INSERT OR IGNORE INTO things (kind, id, at) VALUES (?, ?, ?)', kind, id, at)
      },
      // Bridges come first, so that they get no messages about their cameras, which are deleted later.
      things: () =>
        sql
          .exec<Record<keyof OwnedResource, string>>(
            "SELECT kind, id, at FROM things ORDER BY kind LIKE 'bridge%' DESC, kind, id",
          )
          .toArray() as unknown as OwnedResource[],
    }
  }

  #self(): Self | null {
    return this.#sql.exec<Self>('SELECT user_id, email, gone_at FROM self').toArray()[0] ?? null
  }

  #note({ userId, email }: DeletedAccount): void {
    this.#sql.exec('INSERT OR IGNORE INTO self (one, user_id, email) VALUES (1, ?, ?)', userId, email)
  }

  async #over(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
}
