import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { BridgeEvent, CameraSettings, PostClip, RegisterCamera, WelcomeCamera } from '../../contract/bridge.ts'
import type { WireDevice } from '../../contract/devices.ts'
import type { FeedMessage } from '../../contract/feed.ts'
import type { MediaKind } from '../../contract/media.ts'
import { HomeSearch } from '../search/home-search.ts'
import * as choices from '../devices/device-choices.ts'
import * as devices from '../devices/device-rows.ts'
import * as events from '../events/event-rows.ts'
import { isFreeEvent } from '../events/free-events.ts'
import { lastPictureKey } from '../base/media-keys.ts'
import { listRuns, recordPast, recordRun, type StateRun } from '../events/state-runs.ts'
import { refuseTicketsBefore, spendTicket } from '../base/ticket-rows.ts'
import type { Ticket } from '../base/tickets.ts'
import { socketPair, verifiedOf } from '../base/upgrade.ts'

/** Close code of a socket whose account has signed out: a new ticket is needed. */
export const SIGNED_OUT = 4401
/** Close code of a socket whose account may no longer see what it shows. */
export const NO_ACCESS = 4403

/**
 * One home: its members, cameras, events, and the sockets of its feed. Every question that an account asks goes by its
 * user id and is answered null when it is not a member.
 */
export class Home extends HomeSearch {
  putMember(userId: string, role: number): void {
    this.access.putMember(userId, role)
  }

  /** The account is neither a member nor sees a shared camera any more. */
  dropMember(userId: string): void {
    this.access.drop(userId)
  }

  /** Lets an account see a camera; `feedHome` is where its feed is opened, when not here. */
  share(deviceId: string, userId: string, role: number, feedHome: string | null): void {
    this.access.share(deviceId, userId, role)
    this.access.follow(userId, feedHome)
    this.tellAccess(userId)
  }

  /** Ends a share, and the account's feed when it sees nothing else here. */
  unshare(deviceId: string, userId: string): void {
    this.tellAccess(userId)
    this.access.unshare(deviceId, userId)
    if (this.access.visibleTo(userId) === null) this.feed.close(userId, NO_ACCESS, 'Nothing is shared any more.')
  }

  /** The account's feed is opened at another home, which passes on what happens here. */
  follow(userId: string, feedHome: string): void {
    if (this.access.visibleTo(userId) !== null) this.access.follow(userId, feedHome)
  }

  /** Passes a message of another home on to the account's open pages. */
  relay(userId: string, text: string): void {
    this.feed.relay(userId, text)
  }

  private tellAccess(userId: string): void {
    this.feed.tell(userId, { type: 'access' })
  }

  devices(userId: string): WireDevice[] {
    const visible = this.access.visibleTo(userId) ?? []
    const rows = devices.listDevices(this.sql).filter((row) => visible.includes(row.device_id))
    return rows.map((row) =>
      devices.wireDevice(row, this.access.roleAt(userId, row.device_id) ?? 0, this.env.PORTAL_ORIGIN),
    )
  }

  /** Every camera, in the order of the list. */
  cameraIds(): string[] {
    return devices.listDevices(this.sql).map((row) => row.device_id)
  }

  /** Facts of the cameras among `ids` that the account may see and that have a live picture. */
  streams(userId: string, ids: readonly string[]): devices.StreamFacts[] {
    const visible = this.access.visibleTo(userId) ?? []
    const rows = devices.listDevices(this.sql).filter(devices.hasLivePicture)
    return rows.filter(({ device_id: id }) => ids.includes(id) && visible.includes(id)).map(devices.streamFacts)
  }

  /** JSON array of events, newest first. */
  eventList(userId: string, query: events.EventQuery): string | null {
    const visible = this.access.visibleTo(userId)
    return visible && events.listEvents(this.sql, visible, query)
  }

  /** One event as JSON; `free`: only when every plan shows it. */
  event(userId: string, deviceId: string, eventId: string, free: boolean): string | null {
    const mine = this.access.visibleTo(userId)?.includes(deviceId)
    return mine ? events.findEvent(this.sql, deviceId, eventId, free) : null
  }

  /** Event id of the clip that covers the range. */
  clip(userId: string, deviceId: string, start: number, end: number, free: boolean): string | null {
    const mine = this.access.visibleTo(userId)?.includes(deviceId)
    return mine ? events.findClip(this.sql, deviceId, start, end, free) : null
  }

  /** Storage key of a clip, of a picture of an event, or of the last picture of a camera. */
  mediaObject(homeId: string, userId: string, asked: { kind: MediaKind; id: string; free: boolean }): string | null {
    const { kind, id, free } = asked
    const visible = this.access.visibleTo(userId)
    if (!visible) return null
    if (kind === 'last') return visible.includes(id) ? lastPictureKey(homeId, id) : null
    const found = events.findObject(this.sql, kind, id, free)
    return found && visible.includes(found.device_id) ? found.object : null
  }

  putDevice(bridgeId: string, deviceId: string, camera: RegisterCamera): void {
    if (devices.putDevice(this.sql, bridgeId, deviceId, camera, Date.now())) this.feed.push({ type: 'access' })
  }

  /** Takes a camera off the list; with `forGood` its shares end too. */
  removeDevice(deviceId: string, forGood: boolean): void {
    this.feed.pushOf(deviceId, { type: 'access' })
    devices.hideDevice(this.sql, deviceId, Date.now())
    if (!forGood) return
    for (const userId of this.access.sharers(deviceId)) this.unshare(deviceId, userId)
  }

  setCameraState(change: devices.StateChange): void {
    const { from, ...shown } = change
    if (!devices.setDeviceState(this.sql, shown)) return
    recordRun(this.sql, shown.device_id, { state: shown.state, reason: shown.reason, from })
    this.feed.pushOf(shown.device_id, { type: 'camera-state', ...shown })
  }

  /** What the camera did between two times, ms UTC. */
  stateRuns(deviceId: string, begin: number, end: number): StateRun[] {
    return listRuns(this.sql, deviceId, begin, end)
  }

  setLastPicture(deviceId: string): void {
    devices.setLastPicture(this.sql, deviceId)
  }

  bridgeCameras(bridgeId: string): WelcomeCamera[] {
    return devices.bridgeCameras(this.sql, bridgeId)
  }

  setPower(deviceId: string, on: boolean): void {
    choices.setPower(this.sql, deviceId, on)
    this.feed.pushOf(deviceId, { type: 'access' })
  }

  setRendition(deviceId: string, name: string): boolean {
    return choices.setRendition(this.sql, deviceId, name)
  }

  exchangePip(deviceId: string): boolean | null {
    return choices.exchangePip(this.sql, deviceId)
  }

  cameraSettings(deviceId: string): CameraSettings {
    return choices.readSettings(this.sql, deviceId)
  }

  setCameraSettings(deviceId: string, settings: CameraSettings): void {
    choices.writeSettings(this.sql, deviceId, settings)
  }

  renameCamera(deviceId: string, nickname: string): void {
    choices.renameDevice(this.sql, deviceId, nickname)
    this.feed.pushOf(deviceId, { type: 'access' })
  }

  orderCameras(ids: readonly string[]): void {
    this.ctx.storage.transactionSync(() => choices.orderDevices(this.sql, ids, this.cameraIds()))
    this.feed.push({ type: 'access' })
  }

  /** Stores an event and tells the open pages, those of a plan that shows it. Storing it again changes nothing. */
  async addEvent(event: BridgeEvent, paid: boolean): Promise<void> {
    const stored = events.storeEvent(this.sql, event)
    await this.keepWatch(Date.now())
    const { clip_object: _clip, thumb_object: _thumb, moments: _moments, ...wire } = event
    if (!paid && !isFreeEvent(event.tags)) return
    if (stored === 'new') this.feed.pushOf(wire.device_id, { type: 'event', event: wire })
    if (stored === 'clip-added') this.tellClip(event)
  }

  /** Adds the clip to an event that was listed before; null when the event is not known. */
  addClip(clip: PostClip, paid: boolean): events.Attached | null {
    const attached = events.attachClip(this.sql, clip)
    const shown = paid || events.findEvent(this.sql, clip.device_id, clip.event_id, true) !== null
    if (attached === 'added' && shown) this.tellClip(clip)
    return attached
  }

  private tellClip({ device_id, event_id, event_resources }: PostClip): void {
    for (const resource of event_resources) this.feed.pushOf(device_id, { type: 'clip', event_id, resource })
  }

  /** Stores past events whose ids are not known yet, all or none, and tells nobody. */
  async addHistory(batch: readonly BridgeEvent[]): Promise<number> {
    await this.keepWatch(Date.now())
    return this.ctx.storage.transactionSync(() => {
      const added = batch.filter((event) => events.insertEvent(this.sql, event)).length
      for (const id of new Set(batch.map(({ device_id }) => device_id))) recordPast(this.sql, id)
      return added
    })
  }

  /** Opens a feed socket; the Worker has checked origin and ticket. */
  fetch(request: Request): Response {
    const ticket = verifiedOf<Ticket<'feed'>>(request)
    const now = Date.now()
    if (this.access.visibleTo(ticket.user) === null || !spendTicket(this.sql, ticket, now)) {
      return Response.json({ code: 401, msg: 'The ticket was used or is over.' }, { status: 401 })
    }
    this.access.follow(ticket.user, null)
    const { server, answer } = socketPair()
    this.ctx.acceptWebSocket(server, [ticket.user])
    server.send(JSON.stringify({ type: 'hello', now } satisfies FeedMessage))
    return answer
  }

  /** Ends the account's feed and answers the cameras whose sockets must end too. */
  signOut(userId: string, at: number): string[] {
    refuseTicketsBefore(this.sql, userId, at)
    this.feed.close(userId, SIGNED_OUT, 'Signed out.')
    return this.access.visibleTo(userId) ?? []
  }

  /** The feed takes nothing from a page; what it sends is let pass. */
  webSocketMessage(): void {}

  webSocketClose(socket: WorkerSocket): void {
    socket.close()
  }
}
