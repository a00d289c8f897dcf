import type { MediaKind } from '../../contract/media/media-urls.ts'
import { OWNER } from '../../contract/auth/roles.ts'
import type { TimelineRun } from '../../contract/events/timeline.ts'
import { recordGuestView } from '../accounts/activity/record-activity.ts'
import { lastPictureKey } from '../platform/media-urls/object-keys.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { insertNamesInJson } from '../people/person-token.ts'
import { shownNames } from '../people/shown-names.ts'
import {
  listVisibleCameras,
  limitVisibility,
  viewFor,
  type HomeRequester,
  type EventVisibility,
} from '../billing/plans/event-visibility.ts'
import { anomalies, type Anomaly } from './anomalies.ts'
import * as events from './event-rows.ts'
import { listEvents, type EventQuery } from './event-list-rows.ts'
import { buildTimeline } from './timeline/timeline-rows.ts'
import { groupCamerasByBridge, type Watched } from './timeline/detection-gap-rows.ts'

/** Requests for byte ranges of one clip within this time count as one view. */
const NOTED_MS = 60_000

/**
 * Part of `Home` for queries of past events, within the retention of its owners' plans. Queries of an account without
 * access return null.
 */
export class HomePast {
  private readonly home: HomeContext
  /** Key of the last recorded clip view, so that requests for further ranges of the clip are not recorded. */
  private watched = ''

  constructor(home: HomeContext) {
    this.home = home
  }

  /** Returns null if the account has no access to this home. */
  private getVisibility(asker: HomeRequester): EventVisibility | null {
    return viewFor(asker, this.home.access.visibleTo(asker.userId))
  }

  /** Returns a JSON array of events, newest first. */
  async list(asker: HomeRequester, query: EventQuery): Promise<string | null> {
    const view = this.getVisibility(asker)
    return view && listEvents(this.home.sql, view, query, shownNames(this.home, asker))
  }

  /** Returns one event of the camera as JSON. */
  event(asker: HomeRequester, deviceId: string, eventId: string): string | null {
    const event = events.findEvent(this.home.sql, limitVisibility(this.getVisibility(asker) ?? [], [deviceId]), eventId)
    return event && insertNamesInJson(event, shownNames(this.home, asker).at)
  }

  /** Returns a JSON array of the visible events among the ids, in their order. */
  byIds(asker: HomeRequester, ids: readonly string[]): string | null {
    const view = this.getVisibility(asker)
    return view && insertNamesInJson(events.eventsByIds(this.home.sql, view, ids), shownNames(this.home, asker).at)
  }

  anomalies(asker: HomeRequester, ids: readonly string[]): Anomaly[] {
    return anomalies(this.home.sql, this.getVisibility(asker) ?? [], ids)
  }

  /** Returns the event id of the clip that covers the range. */
  clip(asker: HomeRequester, range: events.ClipRange): string | null {
    return events.findOverlappingClip(this.home.sql, this.getVisibility(asker) ?? [], range)
  }

  /** Returns the detections in an event's clip as JSON. */
  found(asker: HomeRequester, eventId: string): string | null {
    return events.findFound(this.home.sql, this.getVisibility(asker) ?? [], eventId)
  }

  /** Returns the event id of a clip that began in the range and is still uploading. */
  comingClip(asker: HomeRequester, range: events.ClipRange): string | null {
    return events.findComing(this.home.sql, this.getVisibility(asker) ?? [], range)
  }

  /**
   * Returns the storage key of an event's clip; the key is null while the clip uploads. Returns null if the account may
   * not see the event.
   */
  clipState(asker: HomeRequester, eventId: string): { object: string | null; uploading: boolean } | null {
    const found = events.findObject(this.home.sql, this.getVisibility(asker) ?? [], 'clip', eventId)
    if (found?.object) this.recordGuestClipView(asker, found.device_id, eventId)
    return found && { object: found.object, uploading: found.uploading === 1 }
  }

  /** Returns the storage key of a clip, of an event's thumbnail, or of a camera's last picture. */
  mediaObject(homeId: string, asker: HomeRequester, { kind, id }: { kind: MediaKind; id: string }): string | null {
    const { access, sql } = this.home
    if (kind === 'last') return access.visibleTo(asker.userId)?.includes(id) ? lastPictureKey(homeId, id) : null
    const found = events.findObject(sql, this.getVisibility(asker) ?? [], kind, id)
    if (found?.object && kind === 'clip') this.recordGuestClipView(asker, found.device_id, id)
    return found?.object ?? null
  }

  /**
   * Records clip views by accounts that are not owners. A player requests a clip in byte ranges, so views are
   * deduplicated.
   */
  private recordGuestClipView({ userId: userId, now }: HomeRequester, camera: string, clip: string): void {
    const { access, env, ctx } = this.home
    const homeId = ctx.id.name
    const watched = `${userId} ${clip} ${Math.floor(now / NOTED_MS)}`
    if (homeId === undefined || watched === this.watched || access.roleAt(userId, camera) === OWNER) return
    this.watched = watched
    recordGuestView(env, homeId, { who: userId, camera, clip }, now)
  }

  async timeline(
    asker: HomeRequester,
    ids: readonly string[],
    range: { begin: number; end: number },
  ): Promise<{ device_id: string; runs: TimelineRun[] }[]> {
    const { now } = asker
    const view = this.getVisibility(asker) ?? []
    const visibleIds = listVisibleCameras(limitVisibility(view, ids))
    const watched = await this.fetchWatched(visibleIds)
    return visibleIds.map((device_id) => ({
      device_id,
      runs: buildTimeline(this.home.sql, device_id, { ...range, now }, view, watched.get(device_id)),
    }))
  }

  /** Returns the detection coverage that the cameras' bridges report; bridges of earlier versions report none. */
  private async fetchWatched(ids: readonly string[]): Promise<Map<string, Watched>> {
    const bridges = [...groupCamerasByBridge(this.home.sql, ids)]
    const { BRIDGES } = this.home.env
    const results = await Promise.all(bridges.map(([bridge, cameras]) => BRIDGES.getByName(bridge).watched(cameras)))
    /* The types of remote calls turn inner tuples into arrays. */
    return new Map((results.flat() as unknown as Watched[]).map((watched) => [watched.device_id, watched]))
  }
}
