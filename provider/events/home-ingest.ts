import type { BridgeEvent, PostClipRequest } from '../../contract/bridge/bridge-protocol.ts'
import type { PostMomentsRequest } from '../../contract/bridge/event-descriptions.ts'
import { backfillStateHistory } from '../homes/devices/state-history-rows.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { recognizeEvent, recognizeDescription } from '../people/recognize-event.ts'
import { pushEvent } from '../people/push-event.ts'
import type { HomePlans } from '../billing/plans/entitlements.ts'
import { getEventVisibility } from '../billing/plans/event-visibility.ts'
import * as events from './event-rows.ts'
import * as grants from './upload-grant-rows.ts'
import { describeEvent } from './description-rows.ts'
import type { HomeRetention } from './retention/home-retention.ts'
import { recordGaps, type CoverageGap } from './timeline/detection-gap-rows.ts'

export interface IngestContext {
  readonly plans: HomePlans
  readonly isDemo: boolean
}

/** Thumbnail of a new event, and the clip that its bridge will upload until `until` (ms UTC); null for none. */
interface EarlyIngestContext {
  readonly jpeg: Uint8Array | null
  readonly upload: (grants.RequestedUpload & { readonly until: number }) | null
}

export interface ClipIngestContext {
  readonly plans: HomePlans
  /** Length of the clip; null without a clip. */
  readonly clipBytes: number | null
}

export class HomeIngest {
  readonly #home: HomeContext
  readonly #retention: HomeRetention

  constructor(home: HomeContext, retention: HomeRetention) {
    this.#home = home
    this.#retention = retention
  }

  /**
   * Stores an event, and notifies open pages if the plans show the event. Idempotent. Returns true if `upload` is
   * permitted: only for a new event, within the limits of `reserveUploads`.
   */
  async addEvent(
    posted: BridgeEvent,
    { plans, isDemo, clipBytes, jpeg, upload }: IngestContext & ClipIngestContext & EarlyIngestContext,
    now: number,
  ): Promise<boolean> {
    const event = recognizeEvent(this.#home.sql, posted, isDemo, now)
    const storeResult = events.storeEvent(this.#home.sql, event, clipBytes, jpeg)
    const isPermitted =
      storeResult === 'new' &&
      upload !== null &&
      grants.reserveUploads(this.#home.sql, [upload], upload.until, now) === 'reserved'
    await this.#retention.ensureScheduled(now)
    const {
      clip_object: _clip,
      thumb_object: _thumb,
      moments: _moments,
      found: _found,
      thumb_at_s: _at,
      ...wire
    } = event
    if (!this.#isVisible(event, plans, now)) return isPermitted
    if (storeResult === 'new') pushEvent(this.#home, JSON.stringify(wire), { plans, now })
    if (storeResult === 'clip-added') this.#publishClip(event)
    return isPermitted
  }

  /** Adds the clip of an event that was stored without a clip; returns null if the event is unknown. */
  addClip(clip: PostClipRequest, { plans, clipBytes }: ClipIngestContext, now: number): events.ClipAttachResult | null {
    const result = events.attachClipToEvent(this.#home.sql, clip, clipBytes)
    if (result === 'added' && this.#isVisible(clip, plans, now)) this.#publishClip(clip)
    return result
  }

  /**
   * Stores an event description and updates open pages. Removes the event from pages if it became hidden. Returns false
   * if nothing changed, null for an unknown event.
   */
  addMoments(posted: PostMomentsRequest, { plans, isDemo }: IngestContext, now: number): boolean | null {
    const { sql, feed } = this.#home
    const recognized = recognizeDescription(sql, posted, isDemo, now)
    const { device_id, event_id } = recognized
    const visibility = getEventVisibility({ plans, now }, [device_id]) ?? []
    const before = events.findEvent(sql, visibility, event_id)
    const isChanged = describeEvent(sql, recognized)
    if (!isChanged) return isChanged
    const event = events.findEvent(sql, visibility, event_id)
    if (event !== null) pushEvent(this.#home, event, { plans, now })
    else if (before !== null) feed.pushForCamera(device_id, { type: 'removed', event_ids: [event_id] })
    return true
  }

  /** Permits uploads by a bridge until `until` (ms UTC), or returns the reason for the rejection. */
  async reserveObjects(uploads: readonly grants.RequestedUpload[], until: number, now: number) {
    await this.#retention.ensureScheduled(now)
    return grants.reserveUploads(this.#home.sql, uploads, until, now)
  }

  #isVisible(
    { event_id, device_id }: Pick<PostClipRequest, 'event_id' | 'device_id'>,
    plans: HomePlans,
    now: number,
  ): boolean {
    return events.findEvent(this.#home.sql, getEventVisibility({ plans, now }, [device_id]) ?? [], event_id) !== null
  }

  #publishClip({ device_id, event_id, event_resources }: PostClipRequest): void {
    for (const resource of event_resources)
      this.#home.feed.pushForCamera(device_id, { type: 'clip', event_id, resource })
  }

  recordGaps(deviceId: string, gaps: readonly CoverageGap[]): void {
    recordGaps(this.#home.sql, deviceId, gaps)
  }

  /**
   * Stores the past events whose ids are not stored yet, in one transaction. Returns the number of these events. Does
   * not notify open pages.
   */
  async addHistory(batch: readonly BridgeEvent[], now: number): Promise<number> {
    await this.#retention.ensureScheduled(now)
    const { sql, ctx } = this.#home
    return ctx.storage.transactionSync(() => {
      const added = batch.filter((event) => events.insertEvent(sql, recognizeEvent(sql, event, true, now))).length
      for (const id of new Set(batch.map(({ device_id }) => device_id))) backfillStateHistory(sql, id)
      return added
    })
  }
}
