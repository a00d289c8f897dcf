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

/** Pieces of one clip within this time are one look at it. */
const NOTED_MS = 60_000

/**
 * The part of a home that answers what was when, as far as plans of its owners keep it. Questions of an account that sees
 * nothing here are answered null.
 */
export class HomePast {
  private readonly home: HomeContext
  /** The clip that was noted last, whose pieces are not noted again. */
  private watched = ''

  constructor(home: HomeContext) {
    this.home = home
  }

  /** What the account is shown; null: nothing here. */
  private getVisibility(asker: HomeRequester): EventVisibility | null {
    return viewFor(asker, this.home.access.visibleTo(asker.userId))
  }

  /** JSON array of events, newest first. */
  async list(asker: HomeRequester, query: EventQuery): Promise<string | null> {
    const view = this.getVisibility(asker)
    return view && listEvents(this.home.sql, view, query, shownNames(this.home, asker))
  }

  /** One event of the camera as JSON. */
  event(asker: HomeRequester, deviceId: string, eventId: string): string | null {
    const event = events.findEvent(this.home.sql, limitVisibility(this.getVisibility(asker) ?? [], [deviceId]), eventId)
    return event && insertNamesInJson(event, shownNames(this.home, asker).at)
  }

  /** JSON array of the events among the ids, in their order. */
  byIds(asker: HomeRequester, ids: readonly string[]): string | null {
    const view = this.getVisibility(asker)
    return view && insertNamesInJson(events.eventsByIds(this.home.sql, view, ids), shownNames(this.home, asker).at)
  }

  anomalies(asker: HomeRequester, ids: readonly string[]): Anomaly[] {
    return anomalies(this.home.sql, this.getVisibility(asker) ?? [], ids)
  }

  /** Event id of the clip that covers the range. */
  clip(asker: HomeRequester, range: events.ClipRange): string | null {
    return events.findClip(this.home.sql, this.getVisibility(asker) ?? [], range)
  }

  /** What was found in the clip of an event, as JSON. */
  found(asker: HomeRequester, eventId: string): string | null {
    return events.findFound(this.home.sql, this.getVisibility(asker) ?? [], eventId)
  }

  /** Event id of a clip that is on its way and was begun in the range. */
  comingClip(asker: HomeRequester, range: events.ClipRange): string | null {
    return events.findComing(this.home.sql, this.getVisibility(asker) ?? [], range)
  }

  /** Where the clip of an event is stored, null while it is on its way; null altogether for an event it may not see. */
  clipState(asker: HomeRequester, eventId: string): { object: string | null; uploading: boolean } | null {
    const found = events.findObject(this.home.sql, this.getVisibility(asker) ?? [], 'clip', eventId)
    if (found?.object) this.recordGuestClipView(asker, found.device_id, eventId)
    return found && { object: found.object, uploading: found.uploading === 1 }
  }

  /** Storage key of a clip, of a picture of an event, or of the last picture of a camera. */
  mediaObject(homeId: string, asker: HomeRequester, { kind, id }: { kind: MediaKind; id: string }): string | null {
    const { access, sql } = this.home
    if (kind === 'last') return access.visibleTo(asker.userId)?.includes(id) ? lastPictureKey(homeId, id) : null
    const found = events.findObject(sql, this.getVisibility(asker) ?? [], kind, id)
    if (found?.object && kind === 'clip') this.recordGuestClipView(asker, found.device_id, id)
    return found?.object ?? null
  }

  /** Somebody else than an owner reads a clip; a player asks for it in pieces. */
  private recordGuestClipView({ userId: userId, now }: HomeRequester, camera: string, clip: string): void {
    const { access, env, ctx } = this.home
    const homeId = ctx.id.name
    const watched = `${userId} ${clip} ${Math.floor(now / NOTED_MS)}`
    if (homeId === undefined || watched === this.watched || access.roleAt(userId, camera) === OWNER) return
    this.watched = watched
    recordGuestView(env, homeId, { who: userId, camera, clip }, now)
  }

  /** What the cameras did, of those among `ids` that the account may see. */
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

  /** How far the bridges of the cameras have watched them; those of earlier versions do not say. */
  private async fetchWatched(ids: readonly string[]): Promise<Map<string, Watched>> {
    const bridges = [...groupCamerasByBridge(this.home.sql, ids)]
    const { BRIDGES } = this.home.env
    const results = await Promise.all(bridges.map(([bridge, cameras]) => BRIDGES.getByName(bridge).watched(cameras)))
    /* The types of remote calls make arrays of the tuples inside. */
    return new Map((results.flat() as unknown as Watched[]).map((watched) => [watched.device_id, watched]))
  }
}
