import { everyDeviceId } from '../../homes/devices/device-rows.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { resolveEntitlements } from '../../billing/plans/entitlements.ts'
import { plansOfHome } from '../../billing/plans/plan-rows.ts'
import { LOOK_MS, findNextRetentionTime, readRetentionLog, retentionStep, type LogRow } from './retention-step.ts'

/** Part of `Home` for retention: its alarm, and the deletion of expired data. */
export class HomeUpkeep {
  private readonly home: HomeContext
  /** True if the alarm is known to be set. */
  private awaits = false

  constructor(home: HomeContext) {
    this.home = home
  }

  async ensureScheduled(now: number): Promise<void> {
    if (this.awaits) return
    this.awaits = true
    this.storeHomeId()
    const { storage } = this.home.ctx
    if ((await storage.getAlarm()) === null) await storage.setAlarm(now + LOOK_MS)
  }

  /** Sets the alarm to the next due time, after events were deleted outside the alarm. */
  async reschedule(now: number): Promise<void> {
    this.storeHomeId()
    await this.home.ctx.storage.setAlarm(findNextRetentionTime(this.home.sql, now) ?? now + LOOK_MS)
  }

  /** Stores the home id, because an alarm runs without a name. */
  private storeHomeId(): void {
    const { name } = this.home.ctx.id
    if (name !== undefined) this.home.sql.exec('INSERT OR IGNORE INTO self (one, home_id) VALUES (1, ?)', name)
  }

  /**
   * Runs one retention step at `now` (ms UTC); true if more is due immediately. `cap`: bytes of all storage, 0 for no
   * limit.
   */
  async runRetentionStep(now: number, cap = Number(this.home.env.MEDIA_CAP_BYTES ?? '0')): Promise<boolean> {
    this.storeHomeId()
    const { sql, env, ctx } = this.home
    const self = sql.exec<{ home_id: string }>('SELECT home_id FROM self').toArray()[0]
    if (!self) return false
    const plans = await plansOfHome(env, self.home_id)
    const entitlements = plans && resolveEntitlements(plans, everyDeviceId(sql), now)
    const atomically = (work: () => void) => ctx.storage.transactionSync(work)
    const place = { sql, media: env.MEDIA, atomically }
    return retentionStep(place, { id: self.home_id, given: entitlements, cap: cap > 0 ? cap : null }, now)
  }

  /**
   * Runs a retention step and sets the next alarm. Runs again after a failure or a restart; each step resumes where the
   * last step ended.
   */
  async alarm(now: number): Promise<void> {
    this.awaits = false
    const next = (await this.runRetentionStep(now)) ? now : findNextRetentionTime(this.home.sql, now)
    if (next !== null) await this.home.ctx.storage.setAlarm(next)
    this.awaits = next !== null
  }

  log(): { last_run: number | null; deleted: LogRow[] } {
    return readRetentionLog(this.home.sql)
  }
}
