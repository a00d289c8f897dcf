import type { MediaKind } from '../../contract/media/media-urls.ts'
import { getObject } from '../platform/objects.ts'
import { OWNER_ROLE } from '../../contract/auth/roles.ts'
import type { TimelineRun } from '../../contract/events/timeline.ts'
import { recordGuestView } from '../accounts/activity/record-activity.ts'
import { getLastPictureKey } from '../platform/media-urls/object-keys.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { insertNamesInJson } from '../people/person-token.ts'
import { getShownNames } from '../people/shown-names.ts'
import {
  listVisibleCameras,
  limitVisibility,
  getEventVisibility,
  type HomeRequester,
  type EventVisibility,
} from '../billing/plans/event-visibility.ts'
import { judgeAnomalies, type Anomaly } from './anomalies.ts'
import * as events from './event-rows.ts'
import { findThumbnail, type StoredMedia } from './thumbnail-rows.ts'
import { listEvents, type EventQuery } from './event-list-rows.ts'
import { buildTimeline } from './timeline/timeline-rows.ts'
import { groupCamerasByBridge, type StoredCoverage } from './timeline/detection-gap-rows.ts'

/** Time within which repeated requests for one clip count as one view. A player requests a clip in byte ranges. */
const VIEW_DEDUPE_MS = 60_000

/**
 * Part of `Home` that queries past events within the retention periods. If the account has no access, methods return
 * null or an empty array.
 */
export class HomeEventQueries {
  readonly #home: HomeContext
  #lastRecordedView = ''

  constructor(home: HomeContext) {
    this.#home = home
  }

  #getVisibility(requester: HomeRequester): EventVisibility | null {
    return getEventVisibility(requester, this.#home.access.findVisibleCameras(requester.userId))
  }

  /** Returns a JSON array of events, newest first. */
  async list(requester: HomeRequester, query: EventQuery): Promise<string | null> {
    const visibility = this.#getVisibility(requester)
    return visibility && listEvents(this.#home.sql, visibility, query, getShownNames(this.#home, requester))
  }

  /** Returns one event of the camera as JSON. */
  findEvent(requester: HomeRequester, deviceId: string, eventId: string): string | null {
    const event = events.findEvent(
      this.#home.sql,
      limitVisibility(this.#getVisibility(requester) ?? [], [deviceId]),
      eventId,
    )
    return event && insertNamesInJson(event, getShownNames(this.#home, requester).getCameraNames)
  }

  /** Returns a JSON array of the visible events among the ids, in order of the ids. */
  listEventsByIds(requester: HomeRequester, ids: readonly string[]): string | null {
    const visibility = this.#getVisibility(requester)
    return (
      visibility &&
      insertNamesInJson(
        events.listEventsByIds(this.#home.sql, visibility, ids),
        getShownNames(this.#home, requester).getCameraNames,
      )
    )
  }

  judgeAnomalies(requester: HomeRequester, ids: readonly string[]): Anomaly[] {
    return judgeAnomalies(this.#home.sql, this.#getVisibility(requester) ?? [], ids)
  }

  findClipEventId(requester: HomeRequester, range: events.ClipRange): string | null {
    return events.findOverlappingClip(this.#home.sql, this.#getVisibility(requester) ?? [], range)
  }

  findDetections(requester: HomeRequester, eventId: string): string | null {
    return events.findDetections(this.#home.sql, this.#getVisibility(requester) ?? [], eventId)
  }

  findUploadingClip(requester: HomeRequester, range: events.ClipRange): string | null {
    return events.findUploadingClip(this.#home.sql, this.#getVisibility(requester) ?? [], range)
  }

  /**
   * Returns the storage key of an event's clip (null if no clip is stored) and whether the clip is uploading. Returns
   * null if the account may not see the event. Records the clip view of a guest or member.
   */
  findClipState(requester: HomeRequester, eventId: string): { object: string | null; uploading: boolean } | null {
    const found = events.findClipObject(this.#home.sql, this.#getVisibility(requester) ?? [], eventId)
    if (found?.object) this.#recordGuestClipView(requester, found.device_id, eventId)
    return found && { object: found.object, uploading: found.uploading === 1 }
  }

  /**
   * Returns where a clip, an event's thumbnail, or a camera's last picture is stored. For a clip, records the view of a
   * guest or member.
   */
  findMediaObject(
    homeId: string,
    requester: HomeRequester,
    { kind, id }: { kind: MediaKind; id: string },
  ): StoredMedia | null {
    const { access, sql } = this.#home
    if (kind === 'last') {
      const isVisible = access.findVisibleCameras(requester.userId)?.includes(id) === true
      return isVisible ? { object: getLastPictureKey(homeId, id), lastBytes: null } : null
    }
    const visibility = this.#getVisibility(requester) ?? []
    if (kind === 'thumb') return findThumbnail(sql, visibility, id)
    const found = events.findClipObject(sql, visibility, id)
    if (found?.object) this.#recordGuestClipView(requester, found.device_id, id)
    return found?.object ? { object: found.object, lastBytes: null } : null
  }

  #recordGuestClipView({ userId, now }: HomeRequester, camera: string, clip: string): void {
    const { access, env, ctx } = this.#home
    const homeId = ctx.id.name
    const viewKey = `${userId} ${clip} ${Math.floor(now / VIEW_DEDUPE_MS)}`
    if (
      homeId === undefined ||
      viewKey === this.#lastRecordedView ||
      access.findCameraRole(userId, camera) === OWNER_ROLE
    )
      return
    this.#lastRecordedView = viewKey
    recordGuestView(env, homeId, { who: userId, camera, clip }, now)
  }

  async buildTimeline(
    requester: HomeRequester,
    ids: readonly string[],
    range: { begin: number; end: number },
  ): Promise<{ device_id: string; runs: TimelineRun[] }[]> {
    const { now } = requester
    const visibility = this.#getVisibility(requester) ?? []
    const visibleIds = listVisibleCameras(limitVisibility(visibility, ids))
    const watched = await this.#fetchCoverage(visibleIds)
    return visibleIds.map((device_id) => ({
      device_id,
      runs: buildTimeline(this.#home.sql, device_id, { ...range, now }, visibility, watched.get(device_id)),
    }))
  }

  /** Returns the detection coverage that the cameras' bridges report, by camera id. Older bridges report none. */
  async #fetchCoverage(ids: readonly string[]): Promise<Map<string, StoredCoverage>> {
    const bridges = [...groupCamerasByBridge(this.#home.sql, ids)]
    const { env } = this.#home
    const results = await Promise.all(
      bridges.map(([bridge, cameras]) => getObject(env, 'BRIDGES', bridge).getDetectionCoverage(cameras)),
    )
    /* The RPC result type turns inner tuples into arrays, so restore the tuple type. */
    return new Map((results.flat() as unknown as StoredCoverage[]).map((watched) => [watched.device_id, watched]))
  }
}
