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

/** The home that a bridge sends something to. */
export interface IntakeHome {
  readonly plans: HomePlans
  /** The home has demo data. */
  readonly isDemo: boolean
}

/** The part of a home that stores what its bridges bring, and tells the open pages. */
export class HomeIntake {
  private readonly home: HomeContext
  private readonly upkeep: HomeUpkeep

  constructor(home: HomeContext, upkeep: HomeUpkeep) {
    this.home = home
    this.upkeep = upkeep
  }

  /** Stores an event and tells the open pages, those of a plan that shows it. Storing it again changes nothing. */
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

  /** Adds the clip to an event that was listed before; null when the event is not known. */
  addClip(clip: PostClip, plans: HomePlans, now: number): events.Attached | null {
    const attached = events.attachClip(this.home.sql, clip)
    if (attached !== null) grants.claimObjects(this.home.sql, [clip.clip_object, clip.thumb_object])
    if (attached === 'added' && this.shows(clip, plans, now)) this.publishClip(clip)
    return attached
  }

  /**
   * Takes what is said of an event afterwards, and tells the open pages of those who see it; those of a plan that does not show it any
   * more are told that it is gone. False: nothing changed, null: the event is not known.
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

  /** Lets a bridge bring objects until `until`, or says why not (`reserve`). */
  async reserveObjects(uploads: readonly grants.RequestedUpload[], until: number, now: number) {
    await this.upkeep.ensureScheduled(now)
    return grants.reserve(this.home.sql, uploads, until, now)
  }

  /** Whether what covers the camera keeps the event. */
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

  /** Nobody looked for motion at the camera in these times. */
  recordGaps(deviceId: string, gaps: readonly Gap[]): void {
    recordGaps(this.home.sql, deviceId, gaps)
  }

  /** Stores past events whose ids are not known yet, all or none, and tells nobody. Answers how many. */
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
