import type { BridgeEvent, PostClip } from '../../contract/bridge/bridge-protocol.ts'
import type { PostMoments } from '../../contract/bridge/event-descriptions.ts'
import { recordPast } from '../homes/devices/state-history-rows.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import { recognizedEvent, recognizedMoments } from '../people/recognized.ts'
import { pushEvent } from '../people/push-event.ts'
import type { HomePlans } from '../billing/plans/entitlements.ts'
import { viewFor } from '../billing/plans/event-visibility.ts'
import * as events from './event-rows.ts'
import * as grants from './upload-grant-rows.ts'
import { describeEvent } from './description-rows.ts'
import type { HomeUpkeep } from './retention/home-retention.ts'
import { recordGaps, type Gap } from './timeline/detection-gap-rows.ts'

export interface IntakeHome {
  readonly plans: HomePlans
  readonly isDemo: boolean
}

export class HomeIntake {
  private readonly home: HomeContext
  private readonly upkeep: HomeUpkeep

  constructor(home: HomeContext, upkeep: HomeUpkeep) {
    this.home = home
    this.upkeep = upkeep
  }

  /** Stores an event and notifies open pages whose plan shows it. Idempotent. */
  async addEvent(posted: BridgeEvent, { plans, isDemo }: IntakeHome, now: number): Promise<void> {
    const event = recognizedEvent(this.home.sql, posted, isDemo, now)
    const stored = events.storeEvent(this.home.sql, event)
    grants.claimObjects(this.home.sql, [event.clip_object, event.thumb_object])
    await this.upkeep.ensureScheduled(now)
    const { clip_object: _clip, thumb_object: _thumb, moments: _moments, found: _found, ...wire } = event
    if (!this.shows(event, plans, now)) return
    if (stored === 'new') pushEvent(this.home, JSON.stringify(wire), { plans, now })
    if (stored === 'clip-added') this.publishClip(event)
  }

  /** Adds the clip to a listed event; null if the event is unknown. */
  addClip(clip: PostClip, plans: HomePlans, now: number): events.Attached | null {
    const attached = events.attachClipToEvent(this.home.sql, clip)
    if (attached !== null) grants.claimObjects(this.home.sql, [clip.clip_object, clip.thumb_object])
    if (attached === 'added' && this.shows(clip, plans, now)) this.publishClip(clip)
    return attached
  }

  /**
   * Stores the description of an event and notifies open pages that see it; pages that no longer see it get a removal.
   * Returns false if nothing changed, null if the event is unknown.
   */
  addMoments(posted: PostMoments, { plans, isDemo }: IntakeHome, now: number): boolean | null {
    const { sql, feed } = this.home
    const recognized = recognizedMoments(sql, posted, isDemo, now)
    const { device_id, event_id } = recognized
    const view = viewFor({ plans, now }, [device_id]) ?? []
    const before = events.findEvent(sql, view, event_id)
    const isChanged = describeEvent(sql, recognized)
    if (!isChanged) return isChanged
    const event = events.findEvent(sql, view, event_id)
    if (event !== null) pushEvent(this.home, event, { plans, now })
    else if (before !== null) feed.pushForCamera(device_id, { type: 'removed', event_ids: [event_id] })
    return true
  }

  /**
   * Grants a bridge the upload of objects until `until` (ms UTC), or returns the reason for a rejection (`reserve`).
   */
  async reserveObjects(uploads: readonly grants.RequestedUpload[], until: number, now: number) {
    await this.upkeep.ensureScheduled(now)
    return grants.reserve(this.home.sql, uploads, until, now)
  }

  /** Returns true if the camera's entitlement makes the event visible. */
  private shows(
    { event_id, device_id }: Pick<PostClip, 'event_id' | 'device_id'>,
    plans: HomePlans,
    now: number,
  ): boolean {
    return events.findEvent(this.home.sql, viewFor({ plans, now }, [device_id]) ?? [], event_id) !== null
  }

  private publishClip({ device_id, event_id, event_resources }: PostClip): void {
    for (const resource of event_resources)
      this.home.feed.pushForCamera(device_id, { type: 'clip', event_id, resource })
  }

  recordGaps(deviceId: string, gaps: readonly Gap[]): void {
    recordGaps(this.home.sql, deviceId, gaps)
  }

  /**
   * Stores those past events whose ids are new, in one transaction and without notifying open pages. Returns the number
   * of added events.
   */
  async addHistory(batch: readonly BridgeEvent[], now: number): Promise<number> {
    await this.upkeep.ensureScheduled(now)
    const { sql, ctx } = this.home
    return ctx.storage.transactionSync(() => {
      const added = batch.filter((event) => events.insertEvent(sql, recognizedEvent(sql, event, true, now))).length
      for (const id of new Set(batch.map(({ device_id }) => device_id))) recordPast(sql, id)
      return added
    })
  }
}
