import type { Verdict } from '../../contract/feedback.ts'
import { OWNER } from '../../contract/roles.ts'
import type { HomeContext } from '../feed/home-context.ts'
import * as events from './event-rows.ts'
import * as feedback from './feedback-rows.ts'
import * as gone from './gone-rows.ts'
import type { HomeUpkeep } from './home-upkeep.ts'

/** The part of a home that does what its people ask of events: seen, deleted, brought back, judged. */
export class HomeChanges {
  private readonly home: HomeContext
  private readonly upkeep: HomeUpkeep

  constructor(home: HomeContext, upkeep: HomeUpkeep) {
    this.home = home
    this.upkeep = upkeep
  }

  /** Marks events as seen, or not seen, and answers how many of the ids are events that the account may see. */
  review(userId: string, eventIds: readonly string[], reviewed: boolean): number {
    const visible = this.home.access.visibleTo(userId)
    if (!visible) return 0
    const { changed, known } = events.reviewEvents(this.home.sql, visible, eventIds, reviewed)
    this.home.feed.pushEach((sees) => {
      const event_ids = idsSeen(changed, sees)
      return event_ids.length > 0 ? { type: 'reviewed', event_ids, reviewed } : null
    })
    return known
  }

  /** Takes events of the account's own cameras off the lists; `seen`: how many of the ids it could see at all. */
  deleteEvents(userId: string, eventIds: readonly string[], now: number): { seen: number; deleted: number } {
    const { sql, access, ctx, feed } = this.home
    const seen = gone.countEvents(sql, access.visibleTo(userId) ?? [], eventIds)
    const deleted = gone.deleteEvents(sql, this.owned(userId), eventIds, now)
    if (deleted.length > 0) ctx.waitUntil(this.upkeep.lookAgain(now))
    feed.pushEach((sees) => {
      const event_ids = idsSeen(deleted, sees)
      return event_ids.length > 0 ? { type: 'removed', event_ids } : null
    })
    return { seen, deleted: deleted.length }
  }

  /** Brings events back that were deleted a short while ago, and tells the open pages, those of a plan that shows them. */
  restoreEvents(userId: string, eventIds: readonly string[], now: number, free: boolean): number {
    const { sql, feed } = this.home
    const restored = gone.restoreEvents(sql, this.owned(userId), eventIds, now)
    for (const { event_id, device_id } of restored) {
      const event = events.findEvent(sql, device_id, event_id, free)
      if (event !== null) feed.pushOf(device_id, { type: 'event', event: JSON.parse(event) })
    }
    return restored.length
  }

  private owned(userId: string): string[] {
    const { access } = this.home
    return access.roleOf(userId) === OWNER ? (access.visibleTo(userId) ?? []) : []
  }

  /** False when the account sees no such event. */
  putFeedback(userId: string, eventId: string, verdict: Verdict, now: number, free: boolean): boolean {
    const visible = this.home.access.visibleTo(userId)
    if (visible === null || events.eventsByIds(this.home.sql, visible, [eventId], free) === '[]') return false
    feedback.putVerdict(this.home.sql, eventId, userId, verdict, now)
    return true
  }

  putFeedbackVideo(report: feedback.Submitted, stage: 'submit' | 'withdraw', now: number): void {
    if (stage === 'submit') feedback.submitVideo(this.home.sql, report, now)
    else feedback.withdrawVideo(this.home.sql, report.event_id, report.user_id)
  }
}

const idsSeen = (places: readonly events.EventPlace[], sees: (deviceId: string) => boolean) =>
  places.filter(({ device_id }) => sees(device_id)).map(({ event_id }) => event_id)
