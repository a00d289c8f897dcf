import type { Verdict } from '../../contract/events/feedback.ts'
import { OWNER } from '../../contract/auth/roles.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { pushEvent } from '../people/push-event.ts'
import {
  limitVisibility,
  viewFor,
  type HomeRequester,
  type EventVisibility,
} from '../billing/plans/event-visibility.ts'
import * as events from './event-rows.ts'
import * as feedback from './feedback-rows.ts'
import * as gone from './retention/tombstone-rows.ts'
import type { HomeUpkeep } from './retention/home-retention.ts'

export class HomeChanges {
  private readonly home: HomeContext
  private readonly upkeep: HomeUpkeep

  constructor(home: HomeContext, upkeep: HomeUpkeep) {
    this.home = home
    this.upkeep = upkeep
  }

  /** Marks events as reviewed or not reviewed. Returns the number of ids whose events the account may see. */
  review(asker: HomeRequester, eventIds: readonly string[], reviewed: boolean): number {
    const { changed, known: visibleCount } = events.storeReviewMarks(
      this.home.sql,
      this.getVisibility(asker),
      eventIds,
      reviewed,
    )
    this.home.feed.pushEach((sees) => {
      const event_ids = idsSeen(changed, sees)
      return event_ids.length > 0 ? { type: 'reviewed', event_ids, reviewed } : null
    })
    return visibleCount
  }

  /** Deletes events of the account's own cameras. `seen`: number of ids that the account may see. */
  deleteEvents(asker: HomeRequester, eventIds: readonly string[]): { seen: number; deleted: number } {
    const { sql, ctx, feed } = this.home
    const view = this.getVisibility(asker)
    const seen = gone.countEvents(sql, view, eventIds)
    const deleted = gone.tombstoneEvents(sql, limitVisibility(view, this.owned(asker.userId)), eventIds, asker.now)
    if (deleted.length > 0) ctx.waitUntil(this.upkeep.reschedule(asker.now))
    feed.pushEach((sees) => {
      const event_ids = idsSeen(deleted, sees)
      return event_ids.length > 0 ? { type: 'removed', event_ids } : null
    })
    return { seen, deleted: deleted.length }
  }

  /** Restores recently deleted events and notifies the open pages whose plan shows them. */
  restoreEvents(asker: HomeRequester, eventIds: readonly string[]): number {
    const { sql } = this.home
    const view = this.getVisibility(asker)
    const restored = gone.restoreTombstones(sql, this.owned(asker.userId), eventIds, asker.now)
    for (const { event_id } of restored) {
      const event = events.findEvent(sql, view, event_id)
      if (event !== null) pushEvent(this.home, event, asker)
    }
    return restored.length
  }

  private getVisibility(asker: HomeRequester): EventVisibility {
    return viewFor(asker, this.home.access.visibleTo(asker.userId)) ?? []
  }

  private owned(userId: string): string[] {
    const { access } = this.home
    return access.findRole(userId) === OWNER ? (access.visibleTo(userId) ?? []) : []
  }

  /** Stores an account's feedback on an event. Returns false if the account may not see the event. */
  putFeedback(asker: HomeRequester, eventId: string, verdict: Verdict): boolean {
    if (events.findEvent(this.home.sql, this.getVisibility(asker), eventId) === null) return false
    feedback.putVerdict(this.home.sql, eventId, asker.userId, verdict, asker.now)
    return true
  }

  putFeedbackVideo(report: feedback.Submitted, stage: 'submit' | 'withdraw', now: number): void {
    if (stage === 'submit') feedback.submitVideo(this.home.sql, report, now)
    else feedback.withdrawVideo(this.home.sql, report.event_id, report.user_id)
  }
}

const idsSeen = (places: readonly events.EventPlace[], sees: (deviceId: string) => boolean) =>
  places.filter(({ device_id }) => sees(device_id)).map(({ event_id }) => event_id)
