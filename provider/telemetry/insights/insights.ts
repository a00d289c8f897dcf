import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { MeasuredEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { migrate } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import { giveWay, lastDays, type Span } from '../utc-days.ts'
import { buildReport, type Measured } from './insights-report.ts'
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

/** How long a dashboard is answered the same, however often it asks. */
const FRESH_MS = 60_000

/**
 * What the portal's pages told of themselves, for 90 days (ANALYTICS-08); its alarm also deletes old visits and error reports in
 * D1. There is one, `insightsOf`.
 */
export class Insights extends DurableObject<Env> {
  readonly #sql: SqlStorage
  #today: { readonly at: number; readonly report: Promise<Measured> } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.#sql, INSIGHTS_SCHEMA))
  }

  /** Keeps the events of a batch, all or none; answers how many of them were new. `now` in ms UTC. */
  async storeEvents(events: readonly MeasuredEvent[], now: number): Promise<number> {
    const added = this.ctx.storage.transactionSync(() => addEvents(this.#sql, events, now))
    if (added > 0) await this.scheduleCleanup(now)
    return added
  }

  /** What the events of a span say. */
  report(span: Span): Promise<Measured> {
    return buildReport(this.#sql, span)
  }

  /** What those of today say, or said within the last minute. `now` in ms UTC. */
  today(now: number): Promise<Measured> {
    if (this.#today !== null && now - this.#today.at < FRESH_MS) return this.#today.report
    const report = this.report(lastDays(1, now))
    this.#today = { at: now, report }
    return report
  }

  /** Sees to it that what is kept by now is swept once it is old. */
  async scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + SWEEP_MS)
  }

  /** Forgets what was measured of an account, by its id. */
  async deleteUserData(user: string): Promise<void> {
    while (this.ctx.storage.transactionSync(() => deleteUserEvents(this.#sql, user)) > 0) await giveWay()
  }

  /** Deletes what is too old at `now`, also where nothing is measured any more, and comes again as long as something is left. */
  async deleteExpired(now: number): Promise<void> {
    // A part at a time, so that no transaction holds the events of months.
    while (this.ctx.storage.transactionSync(() => dropOldEvents(this.#sql, now)) > 0) await giveWay()
    const isVisited = await dropOldVisits(this.env.DB, now)
    const isReported = await dropOldReports(this.env.DB, now)
    if (isVisited || isReported || oldestEvent(this.#sql) !== null) await this.ctx.storage.setAlarm(now + SWEEP_MS)
  }

  async alarm(): Promise<void> {
    await this.deleteExpired(Date.now())
  }
}

/** The one object that keeps what is measured. */
export const getInsights = (env: Env) => env.INSIGHTS.getByName('all')
