import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { StoredAnalyticsEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { getLastDaysSpan, type UtcSpan } from '../utc-days.ts'
import { buildInsightsReport, type EventReport } from './insights-report.ts'
import {
  addEvents,
  deleteExpiredEvents,
  deleteUserEvents,
  INSIGHTS_SCHEMA,
  getOldestEventTime,
  CLEANUP_INTERVAL_MS,
} from './analytics-event-rows.ts'
import { deleteExpiredReports } from '../error-report-rows.ts'
import { deleteExpiredVisits } from '../visit-rows.ts'

const REPORT_CACHE_MS = 60_000

/**
 * Stores analytics events of the portal pages for 90 days (ANALYTICS-08). The alarm also deletes expired visits and
 * error reports in D1. `getInsightsStub` returns the stub of the only instance.
 */
export class Insights extends DurableObject<Env> {
  readonly #sql: SqlStorage
  #todayCache: { readonly at: number; readonly report: Promise<EventReport> } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrateSchema(this.#sql, INSIGHTS_SCHEMA))
  }

  /** Stores a batch of events in one transaction and returns the number of new events. `now` in ms UTC. */
  async storeEvents(events: readonly StoredAnalyticsEvent[], now: number): Promise<number> {
    const added = this.ctx.storage.transactionSync(() => addEvents(this.#sql, events, now))
    if (added > 0) await this.scheduleCleanup(now)
    return added
  }

  report(span: UtcSpan): Promise<EventReport> {
    return buildInsightsReport(this.#sql, span)
  }

  /** Returns the report of today, which may be up to a minute old. `now` in ms UTC. */
  getTodayReport(now: number): Promise<EventReport> {
    if (this.#todayCache !== null && now - this.#todayCache.at < REPORT_CACHE_MS) return this.#todayCache.report
    const report = this.report(getLastDaysSpan(1, now))
    this.#todayCache = { at: now, report }
    return report
  }

  async scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + CLEANUP_INTERVAL_MS)
  }

  async deleteUserData(user: string): Promise<void> {
    while (this.ctx.storage.transactionSync(() => deleteUserEvents(this.#sql, user)) > 0) await yieldToEventLoop()
  }

  /**
   * Deletes data that has expired at `now` (ms UTC), even if analytics was turned off. Reschedules the alarm while any
   * data remains.
   */
  async deleteExpired(now: number): Promise<void> {
    // Deletes in batches, so that no transaction covers months of events.
    while (this.ctx.storage.transactionSync(() => deleteExpiredEvents(this.#sql, now)) > 0) await yieldToEventLoop()
    const hasVisits = await deleteExpiredVisits(this.env.DB, now)
    const hasReports = await deleteExpiredReports(this.env.DB, now)
    if (hasVisits || hasReports || getOldestEventTime(this.#sql) !== null)
      await this.ctx.storage.setAlarm(now + CLEANUP_INTERVAL_MS)
  }

  async alarm(): Promise<void> {
    await this.deleteExpired(Date.now())
  }
}

export const getInsightsStub = (env: Env) => env.INSIGHTS.getByName('all')
