import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { BridgeEvent, RegisterCamera } from '../../contract/bridge.ts'
import type { WireDevice } from '../../contract/devices.ts'
import type { FeedMessage } from '../../contract/feed.ts'
import type { MediaKind } from '../../contract/media.ts'
import type { Env } from '../env.ts'
import * as devices from './device-rows.ts'
import * as events from './event-rows.ts'
import { lastPictureKey } from './media-keys.ts'
import { migrate } from './migrate.ts'
import { HOME_SCHEMA } from './schema.ts'
import { refuseTicketsBefore, spendTicket } from './ticket-rows.ts'
import type { Ticket } from './tickets.ts'
import { openSockets, socketPair, verifiedOf } from './upgrade.ts'

/** Close code of a socket whose account has signed out: a new ticket is needed. */
export const SIGNED_OUT = 4401

/**
 * One home: its members, cameras, events, and the sockets of its feed. Every question that an account asks goes by its
 * user id and is answered null when it is not a member.
 */
export class Home extends DurableObject<Env> {
  private readonly sql: SqlStorage

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.sql, HOME_SCHEMA))
  }

  putMember(userId: string, role: number): void {
    this.sql.exec(
      'INSERT INTO members (user_id, role) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET role = ?2',
      userId,
      role,
    )
  }

  dropMember(userId: string): void {
    this.sql.exec('DELETE FROM members WHERE user_id = ?', userId)
  }

  /** The account's role here, or null. */
  private roleOf(userId: string): number | null {
    return (
      this.sql.exec<{ role: number }>('SELECT role FROM members WHERE user_id = ?', userId).toArray()[0]?.role ?? null
    )
  }

  /** Cameras that the account may see, or null when it is not a member. */
  private visibleTo(userId: string): string[] | null {
    return this.roleOf(userId) === null ? null : devices.deviceIds(this.sql)
  }

  devices(userId: string): WireDevice[] | null {
    const role = this.roleOf(userId)
    if (role === null) return null
    return devices.listDevices(this.sql).map((row) => devices.wireDevice(row, role, this.env.PORTAL_ORIGIN))
  }

  /** Facts of the cameras among `ids` that the account may see. */
  streams(userId: string, ids: readonly string[]): devices.StreamFacts[] {
    if (this.roleOf(userId) === null) return []
    const rows = devices.listDevices(this.sql).filter((row) => ids.includes(row.device_id))
    return rows.map(devices.streamFacts)
  }

  /** JSON array of events, newest first. */
  eventList(userId: string, query: events.EventQuery): string | null {
    const visible = this.visibleTo(userId)
    return visible && events.listEvents(this.sql, visible, query)
  }

  /** One event as JSON. */
  event(userId: string, deviceId: string, eventId: string): string | null {
    return this.visibleTo(userId)?.includes(deviceId) ? events.findEvent(this.sql, deviceId, eventId) : null
  }

  /** Event id of the clip that covers the range. */
  clip(userId: string, deviceId: string, start: number, end: number): string | null {
    return this.visibleTo(userId)?.includes(deviceId) ? events.findClip(this.sql, deviceId, start, end) : null
  }

  /** Storage key of a clip, of a picture of an event, or of the last picture of a camera. */
  mediaObject(homeId: string, userId: string, kind: MediaKind, id: string): string | null {
    const visible = this.visibleTo(userId)
    if (!visible) return null
    if (kind === 'last') return visible.includes(id) ? lastPictureKey(homeId, id) : null
    const found = events.findObject(this.sql, kind, id)
    return found && visible.includes(found.device_id) ? found.object : null
  }

  /** Marks events as seen and answers how many of the ids are events of this home. */
  review(userId: string, eventIds: readonly string[]): number {
    const visible = this.visibleTo(userId)
    if (!visible) return 0
    const { changed, known } = events.reviewEvents(this.sql, visible, eventIds)
    if (changed.length > 0) this.push({ type: 'reviewed', event_ids: changed })
    return known
  }

  putDevice(bridgeId: string, deviceId: string, camera: RegisterCamera): void {
    if (devices.putDevice(this.sql, bridgeId, deviceId, camera, Date.now())) this.push({ type: 'access' })
  }

  removeDevice(deviceId: string): void {
    devices.hideDevice(this.sql, deviceId, Date.now())
    this.push({ type: 'access' })
  }

  setCameraState(change: devices.StateChange): void {
    if (devices.setDeviceState(this.sql, change)) this.push({ type: 'camera-state', ...change })
  }

  setLastPicture(deviceId: string): void {
    devices.setLastPicture(this.sql, deviceId)
  }

  bridgeCameras(bridgeId: string) {
    return devices.bridgeCameras(this.sql, bridgeId)
  }

  /** Stores an event and tells the open pages. Storing it again changes nothing. */
  addEvent(event: BridgeEvent): void {
    const stored = events.storeEvent(this.sql, event)
    const { clip_object: _clip, thumb_object: _thumb, ...wire } = event
    if (stored === 'new') this.push({ type: 'event', event: wire })
    if (stored !== 'clip-added') return
    for (const resource of wire.event_resources) this.push({ type: 'clip', event_id: wire.event_id, resource })
  }

  /** Stores past events whose ids are not known yet, all or none, and tells nobody. */
  addHistory(batch: readonly BridgeEvent[]): number {
    return this.ctx.storage.transactionSync(() => batch.filter((event) => events.insertEvent(this.sql, event)).length)
  }

  /** Opens a feed socket; the Worker has checked origin and ticket. */
  fetch(request: Request): Response {
    const ticket = verifiedOf<Ticket<'feed'>>(request)
    const now = Date.now()
    if (this.roleOf(ticket.user) === null || !spendTicket(this.sql, ticket, now)) {
      return Response.json({ code: 401, msg: 'The ticket was used or is over.' }, { status: 401 })
    }
    const { server, answer } = socketPair()
    this.ctx.acceptWebSocket(server, [ticket.user])
    server.send(JSON.stringify({ type: 'hello', now } satisfies FeedMessage))
    return answer
  }

  /** Ends the account's feed and answers the cameras whose sockets must end too. */
  signOut(userId: string, at: number): string[] {
    refuseTicketsBefore(this.sql, userId, at)
    for (const socket of openSockets(this.ctx, userId)) socket.close(SIGNED_OUT, 'Signed out.')
    return devices.deviceIds(this.sql)
  }

  /** The feed takes nothing from a page; what it sends is let pass. */
  webSocketMessage(): void {}

  webSocketClose(socket: WorkerSocket): void {
    socket.close()
  }

  private push(message: FeedMessage): void {
    const text = JSON.stringify(message)
    for (const socket of openSockets(this.ctx)) socket.send(text)
  }
}
