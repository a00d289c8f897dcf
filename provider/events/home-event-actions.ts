import type { Verdict } from '../../contract/events/feedback.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { pushEvent } from '../people/push-event.ts'
import {
  limitVisibility,
  getEventVisibility,
  type HomeRequester,
  type EventVisibility,
} from '../billing/plans/event-visibility.ts'
import * as events from './event-rows.ts'
import * as feedback from './feedback-rows.ts'
import * as gone from './retention/tombstone-rows.ts'
import type { HomeRetention } from './retention/home-retention.ts'

export class HomeEventActions {
  readonly #home: HomeContext
  readonly #retention: HomeRetention

  constructor(home: HomeContext, retention: HomeRetention) {
    this.#home = home
    this.#retention = retention
  }

  /** Marks events as reviewed or not reviewed. Returns how many of the events the account may see. */
  review(requester: HomeRequester, eventIds: readonly string[], reviewed: boolean): number {
    const { changed, known: visibleCount } = events.storeReviewMarks(
      this.#home.sql,
      this.#getVisibility(requester),
      eventIds,
      reviewed,
    )
    this.#home.feed.pushToEachAccount((canSee) => {
      const event_ids = filterVisibleIds(changed, canSee)
      return event_ids.length > 0 ? { type: 'reviewed', event_ids, reviewed } : null
    })
    return visibleCount
  }

  /**
   * Deletes events of the account's own cameras. Returns the number of deleted events. `seen`: number of the events
   * that the account may see.
   */
  deleteEvents(requester: HomeRequester, eventIds: readonly string[]): { seen: number; deleted: number } {
    const { sql, ctx, feed } = this.#home
    const visibility = this.#getVisibility(requester)
    const seen = gone.countEvents(sql, visibility, eventIds)
    const deleted = gone.tombstoneEvents(
      sql,
      limitVisibility(visibility, this.#listOwnCameras(requester.userId)),
      eventIds,
      requester.now,
    )
    if (deleted.length > 0) ctx.waitUntil(this.#retention.reschedule(requester.now))
    feed.pushToEachAccount((canSee) => {
      const event_ids = filterVisibleIds(deleted, canSee)
      return event_ids.length > 0 ? { type: 'removed', event_ids } : null
    })
    return { seen, deleted: deleted.length }
  }

  /**
   * Restores recently deleted events of the account's own cameras, and sends those that the plans show to open pages.
   * Returns the number of restored events.
   */
  restoreEvents(requester: HomeRequester, eventIds: readonly string[]): number {
    const { sql } = this.#home
    const visibility = this.#getVisibility(requester)
    const restored = gone.restoreTombstones(sql, this.#listOwnCameras(requester.userId), eventIds, requester.now)
    for (const { event_id } of restored) {
      const event = events.findEvent(sql, visibility, event_id)
      if (event !== null) pushEvent(this.#home, event, requester)
    }
    return restored.length
  }

  #getVisibility(requester: HomeRequester): EventVisibility {
    return getEventVisibility(requester, this.#home.access.findVisibleCameras(requester.userId)) ?? []
  }

  #listOwnCameras(userId: string): string[] {
    const { access } = this.#home
    return access.findRole(userId) === OWNER_ROLE ? (access.findVisibleCameras(userId) ?? []) : []
  }

  /** Stores an account's feedback on an event. Returns false if the account may not see the event. */
  putFeedback(requester: HomeRequester, eventId: string, verdict: Verdict): boolean {
    if (events.findEvent(this.#home.sql, this.#getVisibility(requester), eventId) === null) return false
    feedback.putVerdict(this.#home.sql, eventId, requester.userId, verdict, requester.now)
    return true
  }

  putFeedbackVideo(report: feedback.SubmittedVideo, stage: 'submit' | 'withdraw', now: number): void {
    if (stage === 'submit') feedback.submitVideo(this.#home.sql, report, now)
    else feedback.withdrawVideo(this.#home.sql, report.event_id, report.user_id)
  }
}

const filterVisibleIds = (eventCameras: readonly events.EventCamera[], canSee: (deviceId: string) => boolean) =>
  eventCameras.filter(({ device_id }) => canSee(device_id)).map(({ event_id }) => event_id)
