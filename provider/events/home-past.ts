import type { MediaKind } from '../../contract/media.ts'
import type { TimelineRun } from '../../contract/timeline.ts'
import { lastPictureKey } from '../base/media-keys.ts'
import type { HomeContext } from '../feed/home-context.ts'
import { anomalies, type Anomaly } from './anomaly.ts'
import * as events from './event-rows.ts'
import { timelineOf } from './timeline-rows.ts'

/**
 * The part of a home that answers what was when. Questions of an account go by its user id and are answered null when it
 * sees nothing here; `free`: only what every plan shows.
 */
export class HomePast {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  private sees(userId: string, deviceId: string): boolean {
    return this.home.access.visibleTo(userId)?.includes(deviceId) ?? false
  }

  /** JSON array of events, newest first. */
  list(userId: string, query: events.EventQuery): string | null {
    const visible = this.home.access.visibleTo(userId)
    return visible && events.listEvents(this.home.sql, visible, query)
  }

  /** One event as JSON. */
  event(userId: string, deviceId: string, eventId: string, free: boolean): string | null {
    return this.sees(userId, deviceId) ? events.findEvent(this.home.sql, deviceId, eventId, free) : null
  }

  /** JSON array of the events among the ids, in their order. */
  byIds(userId: string, ids: readonly string[], free: boolean): string | null {
    const visible = this.home.access.visibleTo(userId)
    return visible && events.eventsByIds(this.home.sql, visible, ids, free)
  }

  anomalies(userId: string, ids: readonly string[], free: boolean): Anomaly[] {
    return anomalies(this.home.sql, this.home.access.visibleTo(userId) ?? [], ids, free)
  }

  /** Event id of the clip that covers the range, ms UTC. */
  clip(userId: string, deviceId: string, start: number, end: number, free: boolean): string | null {
    return this.sees(userId, deviceId) ? events.findClip(this.home.sql, deviceId, start, end, free) : null
  }

  /** Event id of a clip that is on its way and was begun in the range, ms UTC. */
  comingClip(userId: string, deviceId: string, start: number, end: number, free: boolean): string | null {
    return this.sees(userId, deviceId) ? events.findComing(this.home.sql, deviceId, start, end, free) : null
  }

  /** Where the clip of an event is stored, null while it is on its way; null altogether for an event it may not see. */
  clipState(userId: string, eventId: string, free: boolean): { object: string | null; uploading: boolean } | null {
    const found = events.findObject(this.home.sql, 'clip', eventId, free)
    if (!found || !this.sees(userId, found.device_id)) return null
    return { object: found.object, uploading: found.uploading === 1 }
  }

  /** Storage key of a clip, of a picture of an event, or of the last picture of a camera. */
  mediaObject(homeId: string, userId: string, asked: { kind: MediaKind; id: string; free: boolean }): string | null {
    const { kind, id, free } = asked
    if (kind === 'last') return this.sees(userId, id) ? lastPictureKey(homeId, id) : null
    const found = events.findObject(this.home.sql, kind, id, free)
    return found && this.sees(userId, found.device_id) ? found.object : null
  }

  /** What the cameras did, of those among `ids` that the account may see. */
  timeline(
    userId: string,
    ids: readonly string[],
    range: { begin: number; end: number; now: number; free: boolean },
  ): { device_id: string; runs: TimelineRun[] }[] {
    const visible = this.home.access.visibleTo(userId) ?? []
    const shown = ids.filter((id) => visible.includes(id))
    return shown.map((device_id) => ({ device_id, runs: timelineOf(this.home.sql, device_id, range) }))
  }
}
