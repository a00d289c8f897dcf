import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import { findAccountById } from '../account-rows.ts'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import type { OwnedResource } from './owned-resources.ts'
import { findDeletionDate } from './deletion-date-rows.ts'
import { removeAccount, removeObjects, type DeletedAccount } from './delete-account-data.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'
import { getObject } from '../../platform/objects.ts'

const DELETION_SCHEMA = [
  `
  CREATE TABLE self (one INTEGER PRIMARY KEY CHECK (one = 1), user_id TEXT NOT NULL, email TEXT NOT NULL, gone_at INTEGER);
  CREATE TABLE things (kind TEXT NOT NULL, id TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (kind, id, at)) WITHOUT ROWID;
  `,
]

const RETRY_MS = 60_000
/**
 * Delay before the second pass of a deletion. By then, earlier upload grants (10 minutes) and socket tickets (one
 * minute) have expired.
 */
export const SECOND_PASS_DELAY_MS = 20 * 60_000

type DeletionRow = { user_id: string; email: string; gone_at: number | null }

/**
 * Waits for an account's deletion date and deletes the account (docs/decisions/0062). The object is named by the user
 * id. The deletion date is stored only in the account's row in D1.
 */
export class AccountLeave extends DurableObject<Env> {
  /** Migrates the schema at each use, because `deleteAll` drops the tables while the object is still in memory. */
  get #sql(): SqlStorage {
    const { storage } = this.ctx
    storage.transactionSync(() => migrateSchema(storage.sql, DELETION_SCHEMA))
    return storage.sql
  }

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
  }

  /** Sets the alarm to `at`, ms UTC. The alarm checks whether the account must still be deleted. */
  async scheduleCheck(deletedAccount: DeletedAccount, at: number): Promise<void> {
    this.#storeAccount(deletedAccount)
    await this.ctx.storage.setAlarm(at)
  }

  /**
   * Deletes the account immediately. The caller must first set the deletion date to `now`. Throws on failure, and the
   * alarm then retries.
   */
  async remove(deletedAccount: DeletedAccount, now: number): Promise<void> {
    this.#storeAccount(deletedAccount)
    await this.processDue(now)
  }

  /**
   * Runs the step that is due at `now`, ms UTC: waits for the deletion date, deletes the account, or runs the second
   * pass. If the deletion was canceled, deletes the storage of this object.
   */
  async processDue(now: number): Promise<void> {
    const deletionRow = this.#readRow()
    if (deletionRow === null) return await this.#finish()
    const deletedAccount = { userId: deletionRow.user_id, email: deletionRow.email }
    if (deletionRow.gone_at !== null) return await this.#runSecondPass(deletedAccount, deletionRow.gone_at, now)
    const account = await findAccountById(this.env.DB, deletionRow.user_id)
    const due = account && (await findDeletionDate(this.env.DB, deletionRow.user_id))
    if (account && due === null) return await this.#finish()
    if (due !== null && due > now) return await this.#waitUntilDue(due, now)
    // The alarm is set before the deletion, so that an interrupted deletion restarts.
    await this.ctx.storage.setAlarm(now + RETRY_MS)
    if (account) await removeAccount(this.env, deletedAccount, this.#createProgress(), now)
    this.#sql.exec('UPDATE self SET gone_at = ?', now)
    await this.ctx.storage.setAlarm(now + SECOND_PASS_DELAY_MS)
  }

  /**
   * Sets the next alarm and cancels the plans, so that no plan renews before the deletion date. While a charge is
   * pending, no plan can be canceled. If an active plan can still renew, the alarm therefore tries again within an
   * hour.
   */
  async #waitUntilDue(due: number, now: number): Promise<void> {
    await this.ctx.storage.setAlarm(Math.min(due, now + HOUR_MS))
    const ledger = getObject(this.env, 'LEDGERS', this.#readRow()?.user_id ?? '')
    await ledger.cancelAllSubscriptions(now)
    const { subscriptions } = await ledger.getEligibilityState(now)
    const renews = subscriptions.some(
      (subscription) => subscription.isRunning && subscription.channel === 'web' && subscription.status === 'active',
    )
    await this.ctx.storage.setAlarm(renews ? Math.min(due, now + HOUR_MS) : due)
  }

  async alarm(): Promise<void> {
    await this.processDue(Date.now())
  }

  async #runSecondPass(deletedAccount: DeletedAccount, goneAt: number, now: number): Promise<void> {
    if (now < goneAt + SECOND_PASS_DELAY_MS) return await this.ctx.storage.setAlarm(goneAt + SECOND_PASS_DELAY_MS)
    await this.ctx.storage.setAlarm(now + RETRY_MS)
    await removeObjects(this.env, deletedAccount, this.#createProgress().things(), now)
    await this.#finish()
  }

  #createProgress() {
    const sql = this.#sql
    return {
      keep: (listResources: readonly OwnedResource[]) => {
        for (const { kind, id, at } of listResources)
          sql.exec('INSERT OR IGNORE INTO things (kind, id, at) VALUES (?, ?, ?)', kind, id, at)
      },
      // Lists bridges first. They are deleted first, so that they get no messages about the deletion of their cameras.
      things: () =>
        sql
          .exec<Record<keyof OwnedResource, string>>(
            "SELECT kind, id, at FROM things ORDER BY kind LIKE 'bridge%' DESC, kind, id",
          )
          .toArray() as unknown as OwnedResource[],
    }
  }

  #readRow(): DeletionRow | null {
    return this.#sql.exec<DeletionRow>('SELECT user_id, email, gone_at FROM self').toArray()[0] ?? null
  }

  #storeAccount({ userId, email }: DeletedAccount): void {
    this.#sql.exec('INSERT OR IGNORE INTO self (one, user_id, email) VALUES (1, ?, ?)', userId, email)
  }

  async #finish(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
}
