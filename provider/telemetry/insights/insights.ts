import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { MeasuredEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import { yieldThread, lastDays, type UtcSpan } from '../utc-days.ts'
import { buildInsightsReport, type Measured } from './insights-report.ts'
import {
  addEvents,
  dropOldEvents,
  deleteUserEvents,
  INSIGHTS_SCHEMA,
  oldestEvent,
  SWEEP_MS,
} from './analytics-event-rows.ts'
import { dropOldReports } from '../error-report-rows.ts'
import { dropOldVisits } from '../visit-rows.ts'

/** Time for which the dashboard gets the same cached report. */
const FRESH_MS = 60_000

/**
 * Stores analytics events of the portal's pages for 90 days (ANALYTICS-08). The alarm also deletes old visits and error
 * reports in D1. `getInsights` returns the only instance.
 */
export class Insights extends DurableObject<Env> {
  readonly #sql: SqlStorage
  #today: { readonly at: number; readonly report: Promise<Measured> } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrateSchema(this.#sql, INSIGHTS_SCHEMA))
  }

  /** Stores a batch of events, all or none, and returns the number of new ones. `now` in ms UTC. */
  async storeEvents(events: readonly MeasuredEvent[], now: number): Promise<number> {
    const added = this.ctx.storage.transactionSync(() => addEvents(this.#sql, events, now))
    if (added > 0) await this.scheduleCleanup(now)
    return added
  }

  report(span: UtcSpan): Promise<Measured> {
    return buildInsightsReport(this.#sql, span)
  }

  /** Returns today's report, cached for up to a minute. `now` in ms UTC. */
  today(now: number): Promise<Measured> {
    if (this.#today !== null && now - this.#today.at < FRESH_MS) return this.#today.report
    const report = this.report(lastDays(1, now))
    this.#today = { at: now, report }
    return report
  }

  async scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + SWEEP_MS)
  }

  async deleteUserData(user: string): Promise<void> {
    while (this.ctx.storage.transactionSync(() => deleteUserEvents(this.#sql, user)) > 0) await yieldThread()
  }

  /**
   * Deletes data that has expired at `now` (ms UTC), even after analytics was turned off. Reschedules the alarm while
   * any data is left.
   */
  async deleteExpired(now: number): Promise<void> {
    // Deletes in batches, so that no transaction covers months of events.
    while (this.ctx.storage.transactionSync(() => dropOldEvents(this.#sql, now)) > 0) await yieldThread()
    const isVisited = await dropOldVisits(this.env.DB, now)
    const isReported = await dropOldReports(this.env.DB, now)
    if (isVisited || isReported || oldestEvent(this.#sql) !== null) await this.ctx.storage.setAlarm(now + SWEEP_MS)
  }

  async alarm(): Promise<void> {
    await this.deleteExpired(Date.now())
  }
}

export const getInsights = (env: Env) => env.INSIGHTS.getByName('all')
