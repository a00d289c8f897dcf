import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { MeasuredEvent } from '../../contract/telemetry.ts'
import { migrate } from '../base/migrate.ts'
import type { Env } from '../env.ts'
import { reportOf, type Span } from './insights-report.ts'
import { addEvents, dropOldEvents, forgetUser, INSIGHTS_SCHEMA, oldestEvent, SWEEP_MS } from './insight-rows.ts'
import { dropOldVisits } from './visits.ts'

/**
 * What the portal's pages told of themselves, for 90 days (ANALYTICS-08); its alarm also deletes old visits in D1. There is one,
 * `insightsOf`.
 */
export class Insights extends DurableObject<Env> {
  readonly #sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.#sql, INSIGHTS_SCHEMA))
  }

  /** Keeps the events of a batch, all or none; answers how many of them were new. `now` in ms UTC. */
  async take(events: readonly MeasuredEvent[], now: number): Promise<number> {
    const added = this.ctx.storage.transactionSync(() => addEvents(this.#sql, events, now))
    if (added > 0) await this.sweepLater(now)
    return added
  }

  /** What the events of a span say. */
  report(span: Span): ReturnType<typeof reportOf> {
    return reportOf(this.#sql, span)
  }

  /** Sees to it that what is kept by now is swept once it is old. */
  async sweepLater(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + SWEEP_MS)
  }

  /** Forgets what was measured of an account, by its id. */
  forget(user: string): void {
    this.ctx.storage.transactionSync(() => forgetUser(this.#sql, user))
  }

  /** Deletes what is too old at `now`, also where nothing is measured any more, and comes again as long as something is left. */
  async sweep(now: number): Promise<void> {
    // A part at a time, so that no transaction holds the events of months.
    while (this.ctx.storage.transactionSync(() => dropOldEvents(this.#sql, now)) > 0);
    const isVisited = await dropOldVisits(this.env.DB, now)
    if (isVisited || oldestEvent(this.#sql) !== null) await this.ctx.storage.setAlarm(now + SWEEP_MS)
  }

  async alarm(): Promise<void> {
    await this.sweep(Date.now())
  }
}

/** The one object that keeps what is measured. */
export const insightsOf = (env: Env) => env.INSIGHTS.getByName('all')
