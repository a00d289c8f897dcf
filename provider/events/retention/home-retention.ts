import { listAllDeviceIds } from '../../homes/devices/device-rows.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { resolveEntitlements } from '../../billing/plans/entitlements.ts'
import { readHomePlans } from '../../billing/plans/plan-rows.ts'
import { readStorageLimit, type StorageLimit } from '../storage/storage-limit.ts'
import {
  findNextRetentionTime,
  getRetentionInterval,
  readRetentionLog,
  runRetentionStep,
  type RetentionLogRow,
} from './retention-step.ts'

/** Part of `Home` that runs the alarm and deletes expired data. */
export class HomeRetention {
  readonly #home: HomeContext
  /** True after this object has checked or set the stored alarm. Avoids reading the alarm for every event. */
  #isAlarmSet = false

  constructor(home: HomeContext) {
    this.#home = home
  }

  async ensureScheduled(now: number): Promise<void> {
    if (this.#isAlarmSet) return
    this.#isAlarmSet = true
    this.#storeHomeId()
    const { storage } = this.#home.ctx
    if ((await storage.getAlarm()) === null) await storage.setAlarm(now + this.#intervalMs)
  }

  /**
   * Sets the alarm to the time of the next retention step. Code that deletes events outside `alarm` must call this
   * method.
   */
  async reschedule(now: number): Promise<void> {
    this.#storeHomeId()
    await this.#home.ctx.storage.setAlarm(this.#findNextTime(now) ?? now + this.#intervalMs)
  }

  /** Runs a retention step immediately after the current request. */
  async runSoon(now: number): Promise<void> {
    this.#storeHomeId()
    await this.#home.ctx.storage.setAlarm(now)
  }

  /**
   * Updates open pages after a change of a plan, and records the new retention periods, because the plan can end before
   * the next step. A home without data needs no such record.
   */
  async applyPlanChange(now: number): Promise<void> {
    this.#home.feed.push({ type: 'access' })
    if ((await this.#home.ctx.storage.getAlarm()) !== null) await this.runSoon(now)
  }

  get #intervalMs(): number {
    return getRetentionInterval(this.#home.sql, this.#home.env)
  }

  #findNextTime(now: number): number | null {
    return findNextRetentionTime(this.#home.sql, now, this.#intervalMs)
  }

  /** Stores the home id, because the alarm handler does not get the name of its object. */
  #storeHomeId(): void {
    const { name } = this.#home.ctx.id
    if (name !== undefined) this.#home.sql.exec('INSERT OR IGNORE INTO self (one, home_id) VALUES (1, ?)', name)
  }

  /**
   * Runs one retention step at `now` (ms UTC). Returns true if another step is due immediately. `storageLimit`:
   * limit for the storage of all homes together; the current one by default.
   */
  async runRetentionStep(now: number, storageLimit?: StorageLimit | null): Promise<boolean> {
    this.#storeHomeId()
    const { sql, env, ctx } = this.#home
    const selfRow = sql.exec<{ home_id: string }>('SELECT home_id FROM self').toArray()[0]
    if (!selfRow) return false
    const plans = await readHomePlans(env, selfRow.home_id)
    const entitlements = plans && resolveEntitlements(plans, listAllDeviceIds(sql), now)
    const atomically = (work: () => void) => ctx.storage.transactionSync(work)
    const context = { sql, media: env.MEDIA, atomically }
    const limit = storageLimit === undefined ? await readStorageLimit(env) : storageLimit
    return runRetentionStep(context, { id: selfRow.home_id, entitlements, limit }, now)
  }

  /** Runs a retention step and sets the next alarm. After a failure or a restart, the next step resumes the work. */
  async alarm(now: number): Promise<void> {
    this.#isAlarmSet = false
    const next = (await this.runRetentionStep(now)) ? now : this.#findNextTime(now)
    if (next !== null) await this.#home.ctx.storage.setAlarm(next)
    this.#isAlarmSet = next !== null
  }

  readLog(): { last_run: number | null; deleted: RetentionLogRow[] } {
    return readRetentionLog(this.#home.sql)
  }
}
