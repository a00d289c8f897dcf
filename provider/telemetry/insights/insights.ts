import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { StoredAnalyticsEvent } from '../../../contract/telemetry/telemetry-calls.ts'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { UTC_DAY_MS, type UtcSpan } from '../utc-days.ts'
import {
  addEvents,
  countEvents,
  deleteEventsBefore,
  deleteUserEvents,
  getOldestEventTime,
  hasEvents,
  INSIGHTS_SCHEMA,
  MAX_EVENTS_PER_OBJECT,
  scanEvents,
  type AddedEvents,
} from './analytics-event-rows.ts'
import { countEvent, createEventCounts, type EventCounts } from './event-counts.ts'
import { ARCHIVE_NAME, listObject, RETENTION_MS, unlistObject, type InsightsObject } from './insights-objects.ts'
import { deleteExpiredReports } from '../error-report-rows.ts'
import { deleteExpiredVisits } from '../visit-rows.ts'

const COUNTS_CACHE_MS = 60_000
const CLEANUP_INTERVAL_MS = UTC_DAY_MS

/** Counts of an object's events in a span. `left_out`: discarded events per day; `day` in ms UTC. */
interface ObjectCounts {
  readonly counts: EventCounts
  readonly left_out: { readonly day: number; readonly events: number }[]
}
interface CachedCounts {
  readonly at: number
  readonly sampleRate: number
  readonly from: number
  readonly counts: Promise<ObjectCounts>
}
/** Row of `self`. `listed_rate`: sample rate in `insights_objects`; 0 if the object is not listed yet. */
type SelfRow = Pick<InsightsObject, 'name' | 'day'> & { listed_rate: number; left_out: number }

/**
 * Stores the analytics events of one UTC day and shard (ANALYTICS-08), and deletes itself when they expire. The archive
 * `all` contains the events of earlier versions. Its alarm deletes them, and expired visits and error reports in D1.
 */
export class Insights extends DurableObject<Env> {
  readonly #sql: SqlStorage
  /** Null until the first event, and for the archive. */
  #self: SelfRow | null
  #eventCount: number | null = null
  #cachedCounts: CachedCounts | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    if (this.#hasEvents) this.#migrate()
    this.#self = this.#hasTable('self') ? (this.#sql.exec<SelfRow>('SELECT * FROM self').toArray()[0] ?? null) : null
  }

  /** Stores a batch of events in one transaction. */
  async storeEvents(object: InsightsObject, events: readonly StoredAnalyticsEvent[]): Promise<AddedEvents> {
    await this.#prepare(object)
    return this.ctx.storage.transactionSync(() => {
      this.#eventCount ??= countEvents(this.#sql)
      const result = addEvents(this.#sql, events, Math.max(0, MAX_EVENTS_PER_OBJECT - this.#eventCount))
      this.#eventCount += result.added
      if (result.leftOut > 0) this.#sql.exec('UPDATE self SET left_out = left_out + ?', result.leftOut)
      return result
    })
  }

  /**
   * Counts the events of a span. `sampleRate`: 1 in `sampleRate` browsers counts for sampled figures. `cachedAt`: null,
   * or the current time (ms UTC) if the counts may be up to a minute old.
   */
  countEvents(span: UtcSpan, sampleRate: number, cachedAt: number | null): Promise<ObjectCounts> {
    const cached = this.#cachedCounts
    const isValid =
      cached !== null &&
      cachedAt !== null &&
      cachedAt - cached.at < COUNTS_CACHE_MS &&
      cached.from === span.from &&
      cached.sampleRate === sampleRate
    if (isValid) return cached.counts
    const counts = this.#countEvents(span, sampleRate)
    if (cachedAt !== null) this.#cachedCounts = { at: cachedAt, sampleRate, from: span.from, counts }
    return counts
  }

  getOldestEventTime(): number | null {
    return this.#hasEvents ? getOldestEventTime(this.#sql) : null
  }

  async scheduleCleanup(now: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + CLEANUP_INTERVAL_MS)
  }

  async deleteUserData(user: string): Promise<void> {
    if (!this.#hasEvents) return
    while (this.ctx.storage.transactionSync(() => deleteUserEvents(this.#sql, user)) > 0) await yieldToEventLoop()
    this.#eventCount = null
    this.#cachedCounts = null
  }

  /**
   * Deletes the object if its day has expired at `now` (ms UTC). The archive deletes its expired events and expired
   * rows of D1, and reschedules the alarm while any data remains.
   */
  async deleteExpired(now: number): Promise<void> {
    if (this.#self === null) return this.#cleanUp(now)
    if (now < this.#self.day + RETENTION_MS) return this.ctx.storage.setAlarm(this.#self.day + RETENTION_MS)
    await unlistObject(this.env.DB, this.#self.name)
    await this.ctx.storage.deleteAll()
    this.#self = null
    this.#eventCount = null
    this.#cachedCounts = null
  }

  async alarm(): Promise<void> {
    await this.deleteExpired(Date.now())
  }

  /** Before the first event: lists the object, so that reports and account deletions find it, and sets its end. */
  async #prepare({ name, day, ...object }: InsightsObject): Promise<void> {
    if (this.#self === null) {
      this.#migrate()
      this.#self = { name, day, listed_rate: 0, left_out: 0 }
      this.#sql.exec('INSERT INTO self (name, day, listed_rate, left_out) VALUES (?, ?, 0, 0)', name, day)
    }
    if (this.#self.listed_rate >= object.sample_rate) return
    await this.ctx.storage.setAlarm(day + RETENTION_MS)
    await listObject(this.env.DB, { name, day, ...object })
    this.#self.listed_rate = Math.max(this.#self.listed_rate, object.sample_rate)
    this.#sql.exec('UPDATE self SET listed_rate = ?', this.#self.listed_rate)
  }

  #migrate(): void {
    this.ctx.storage.transactionSync(() => migrateSchema(this.#sql, INSIGHTS_SCHEMA))
  }

  async #countEvents(span: UtcSpan, sampleRate: number): Promise<ObjectCounts> {
    const counts = createEventCounts()
    if (!this.#hasEvents) return { counts, left_out: [] }
    if (hasEvents(this.#sql, span)) await scanEvents(this.#sql, span, (event) => countEvent(counts, event, sampleRate))
    const query = this.#isArchive
      ? 'SELECT day, left_out AS events FROM days WHERE left_out > 0'
      : 'SELECT day, left_out AS events FROM self WHERE left_out > 0'
    return { counts, left_out: this.#sql.exec<{ day: number; events: number }>(query).toArray() }
  }

  async #cleanUp(now: number): Promise<void> {
    const before = now - RETENTION_MS
    if (this.#isArchive) {
      // Deletes in batches, so that no transaction covers months of events.
      while (this.ctx.storage.transactionSync(() => deleteEventsBefore(this.#sql, before)) > 0) await yieldToEventLoop()
      this.#sql.exec('DELETE FROM days WHERE day < ?', before - UTC_DAY_MS)
    }
    const hasArchivedEvents = this.getOldestEventTime() !== null
    if (!hasArchivedEvents) await unlistObject(this.env.DB, ARCHIVE_NAME)
    const hasVisits = await deleteExpiredVisits(this.env.DB, now)
    const hasReports = await deleteExpiredReports(this.env.DB, now)
    if (hasVisits || hasReports || hasArchivedEvents) await this.ctx.storage.setAlarm(now + CLEANUP_INTERVAL_MS)
  }

  /** False until the first event, so that reading an empty object stores nothing. */
  get #hasEvents(): boolean {
    return this.#hasTable('events')
  }

  /** True for the object of an earlier version. */
  get #isArchive(): boolean {
    return this.#hasTable('days')
  }

  #hasTable(name: string): boolean {
    return this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name).toArray().length > 0
  }
}
