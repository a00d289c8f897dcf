import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage } from '@cloudflare/workers-types'
import type { Verdict } from '../../contract/feedback.ts'
import type { TimelineRun } from '../../contract/timeline.ts'
import type { Env } from '../env.ts'
import { Access } from '../access/access-rows.ts'
import * as events from './event-rows.ts'
import { FeedSockets } from '../feed/feed-sockets.ts'
import { keptDays, OWNER } from '../access/lookup.ts'
import { migrate } from '../base/migrate.ts'
import { HOME_SCHEMA } from '../home/schema.ts'
import { anomalies, type Anomaly } from './anomaly.ts'
import * as exports from './export-rows.ts'
import * as feedback from './feedback-rows.ts'
import * as gone from './gone-rows.ts'
import { LOOK_MS, nextLook, readLog, retentionStep, type LogRow } from './retention.ts'
import { timelineOf } from './timeline-rows.ts'

/**
 * The half of a home's Durable Object that answers about its past: what was when, what is kept, deleted and brought back.
 * Questions of an account go by its user id and are answered null when it sees nothing here.
 */
export abstract class EventKeeper extends DurableObject<Env> {
  protected readonly sql: SqlStorage
  protected readonly access: Access
  protected readonly feed: FeedSockets
  /** Whether the alarm is known to be set. */
  private awaits = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.sql, HOME_SCHEMA))
    this.access = new Access(this.sql)
    this.feed = new FeedSockets(ctx, env, this.access)
  }

  /** JSON array of the events among the ids, in their order. */
  eventsByIds(userId: string, ids: readonly string[], free: boolean): string | null {
    const visible = this.access.visibleTo(userId)
    return visible && events.eventsByIds(this.sql, visible, ids, free)
  }

  anomalies(userId: string, ids: readonly string[], free: boolean): Anomaly[] {
    return anomalies(this.sql, this.access.visibleTo(userId) ?? [], ids, free)
  }

  /** Event id of a clip that is on its way and was begun in the range. */
  comingClip(userId: string, deviceId: string, start: number, end: number, free: boolean): string | null {
    const mine = this.access.visibleTo(userId)?.includes(deviceId)
    return mine ? events.findComing(this.sql, deviceId, start, end, free) : null
  }

  /** Where the clip of an event is stored, null while it is on its way; null altogether for an event it may not see. */
  clipState(userId: string, eventId: string, free: boolean): { object: string | null; uploading: boolean } | null {
    const found = events.findObject(this.sql, 'clip', eventId, free)
    if (!found || !this.access.visibleTo(userId)?.includes(found.device_id)) return null
    return { object: found.object, uploading: found.uploading === 1 }
  }

  /** What the cameras did, of those among `ids` that the account may see. */
  timeline(
    userId: string,
    ids: readonly string[],
    range: { begin: number; end: number; now: number; free: boolean },
  ): { device_id: string; runs: TimelineRun[] }[] {
    const visible = this.access.visibleTo(userId) ?? []
    const shown = ids.filter((id) => visible.includes(id))
    return shown.map((device_id) => ({ device_id, runs: timelineOf(this.sql, device_id, range) }))
  }

  /** Marks events as seen, or not seen, and answers how many of the ids are events that the account may see. */
  review(userId: string, eventIds: readonly string[], reviewed: boolean): number {
    const visible = this.access.visibleTo(userId)
    if (!visible) return 0
    const { changed, known } = events.reviewEvents(this.sql, visible, eventIds, reviewed)
    this.feed.pushEach((sees) => {
      const event_ids = idsSeen(changed, sees)
      return event_ids.length > 0 ? { type: 'reviewed', event_ids, reviewed } : null
    })
    return known
  }

  /** Takes events of the account's own cameras off the lists; `seen`: how many of the ids it could see at all. */
  deleteEvents(userId: string, eventIds: readonly string[], now: number): { seen: number; deleted: number } {
    const visible = this.access.visibleTo(userId) ?? []
    const seen = gone.countEvents(this.sql, visible, eventIds)
    const deleted = gone.deleteEvents(this.sql, this.owned(userId), eventIds, now)
    if (deleted.length > 0) this.ctx.waitUntil(this.lookAgain(now))
    this.feed.pushEach((sees) => {
      const event_ids = idsSeen(deleted, sees)
      return event_ids.length > 0 ? { type: 'removed', event_ids } : null
    })
    return { seen, deleted: deleted.length }
  }

  /** Brings events back that were deleted a short while ago, and tells the open pages, those of a plan that shows them. */
  restoreEvents(userId: string, eventIds: readonly string[], now: number, free: boolean): number {
    const restored = gone.restoreEvents(this.sql, this.owned(userId), eventIds, now)
    for (const { event_id, device_id } of restored) {
      const event = events.findEvent(this.sql, device_id, event_id, free)
      if (event !== null) this.feed.pushOf(device_id, { type: 'event', event: JSON.parse(event) })
    }
    return restored.length
  }

  private owned(userId: string): string[] {
    return this.access.roleOf(userId) === OWNER ? (this.access.visibleTo(userId) ?? []) : []
  }

  /** False when the account sees no such event. */
  putFeedback(userId: string, eventId: string, verdict: Verdict, now: number, free: boolean): boolean {
    if (this.eventsByIds(userId, [eventId], free) === '[]' || this.access.visibleTo(userId) === null) return false
    feedback.putVerdict(this.sql, eventId, userId, verdict, now)
    return true
  }

  putFeedbackVideo(report: feedback.Submitted, stage: 'submit' | 'withdraw', now: number): void {
    if (stage === 'submit') feedback.submitVideo(this.sql, report, now)
    else feedback.withdrawVideo(this.sql, report.event_id, report.user_id)
  }

  /** Clips of events among the ids that the account may see, with what is known of their bytes. */
  exportClips(userId: string, ids: readonly string[], free: boolean): exports.ExportClip[] {
    return exports.clipsOf(this.sql, this.access.visibleTo(userId) ?? [], ids, free)
  }

  noteClips(facts: readonly exports.ClipFacts[]): void {
    exports.noteClips(this.sql, facts)
  }

  async putExport(exportId: string, userId: string, entries: string, now: number): Promise<void> {
    exports.putExport(this.sql, exportId, userId, entries, now)
    await this.keepWatch(now)
  }

  export(exportId: string, userId: string): string | null {
    return exports.readExport(this.sql, exportId, userId)
  }

  retention(): { last_run: number | null; deleted: LogRow[] } {
    return readLog(this.sql)
  }

  /** Sees to it that the home is looked through before long. */
  protected async keepWatch(now: number): Promise<void> {
    if (this.awaits) return
    this.awaits = true
    this.noteName()
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(now + LOOK_MS)
  }

  /** An alarm does not say whose it is. */
  private noteName(): void {
    const { name } = this.ctx.id
    if (name !== undefined) this.sql.exec('INSERT OR IGNORE INTO self (one, home_id) VALUES (1, ?)', name)
  }

  private async lookAgain(now: number): Promise<void> {
    this.noteName()
    await this.ctx.storage.setAlarm(nextLook(this.sql, now) ?? now + LOOK_MS)
  }

  /** One step of retention at `now`; true when there is more to do at once. `cap`: bytes that all storage may take, 0: any. */
  async look(now: number, cap = Number(this.env.MEDIA_CAP_BYTES ?? '0')): Promise<boolean> {
    this.noteName()
    const self = this.sql.exec<{ home_id: string }>('SELECT home_id FROM self').toArray()[0]
    if (!self) return false
    const days = await keptDays(this.env, self.home_id, now)
    const place = {
      sql: this.sql,
      media: this.env.MEDIA,
      atomically: (work: () => void) => this.ctx.storage.transactionSync(work),
    }
    return retentionStep(place, { id: self.home_id, days, cap: cap > 0 ? cap : null }, now)
  }

  /** Runs again after a failure or a restart: each step begins where the last one ended. */
  async alarm(): Promise<void> {
    const now = Date.now()
    this.awaits = false
    const next = (await this.look(now)) ? now : nextLook(this.sql, now)
    if (next !== null) await this.ctx.storage.setAlarm(next)
    this.awaits = next !== null
  }
}

const idsSeen = (places: readonly events.EventPlace[], sees: (deviceId: string) => boolean) =>
  places.filter(({ device_id }) => sees(device_id)).map(({ event_id }) => event_id)
