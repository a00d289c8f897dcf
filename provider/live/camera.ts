import type { CameraState } from '../../contract/cameras/devices.ts'
import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { type SignalFromService, encodePayload } from '../../contract/live/signaling.ts'
import type { Env } from '../env.ts'
import { CLOSE_NO_ACCESS, CLOSE_SIGNED_OUT } from '../../contract/wire/socket-close-codes.ts'
import { migrateSchema } from '../platform/migrate-schema.ts'
import { invalidateTicketsBefore, consumeTicket, TICKET_TABLES } from '../platform/tickets/ticket-rows.ts'
import type { Ticket } from '../platform/tickets/tickets.ts'
import { SOURCE_LIMITS, VIEWER_LIMITS, SocketRateLimiter } from '../platform/sockets/socket-rate-limits.ts'
import {
  FLOODING_MESSAGE,
  listOpenSockets,
  rejectSocket,
  createSocketPair,
  readVerifiedData,
} from '../platform/sockets/websocket-upgrade.ts'
import { CameraRelay, LOWEST_RENDITION, VIEWER_TAG } from './camera-relay.ts'
import { parseRelayMessage } from './relay-fanout.ts'
import { isLocalDeployment } from '../platform/local-deployment.ts'
import { toStatusResponse, SignalingFilter } from './signaling.ts'
import { readViewerAttachment, type ViewerAttachment } from './viewer-attachment.ts'
import { getObject } from '../platform/objects.ts'

const CAMERA_SCHEMA = [
  `
  CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL, reason TEXT NOT NULL, since INTEGER NOT NULL);
  ${TICKET_TABLES}
  `,
]

/** WebSocket request that the Worker has verified: from a viewer, or from a bridge that sends video. */
type VerifiedSocketRequest =
  | { ticket: Ticket<'viewer'>; bridge: string; relay: boolean; sendsChecks: boolean; lan: boolean }
  | { rendition: string }
/** Maximum sockets of one account per camera, across all tabs and browsers. */
const MAX_SOCKETS_PER_ACCOUNT = 12

/** Signaling of one camera: viewer sockets, camera state, and the relay for viewers that cannot use WebRTC. */
export class Camera extends DurableObject<Env> {
  readonly #sql: SqlStorage
  readonly #relay = new CameraRelay(this.ctx, {
    isAwake: () => this.#readState()?.state === 'awake',
    forwardToBridge: (bridge, message) => this.#getBridgeStub(bridge).forwardToBridge(message),
  })
  readonly #rateLimiter = new SocketRateLimiter()
  readonly #signalingFilter = new SignalingFilter(isLocalDeployment(this.env))
  /** One stub for all messages to the bridge. Only calls of the same stub arrive in order. */
  #bridgeStub: { id: string; stub: ReturnType<Env['BRIDGES']['getByName']> } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrateSchema(this.#sql, CAMERA_SCHEMA))
  }

  async fetch(request: Request): Promise<Response> {
    const verified = readVerifiedData<VerifiedSocketRequest>(request)
    return 'rendition' in verified ? this.#relay.openSource(verified.rendition) : this.#openViewer(verified)
  }

  #openViewer(request: Exclude<VerifiedSocketRequest, { rendition: string }>): Response {
    const { ticket, bridge, relay, sendsChecks, lan } = request
    if (this.#rateLimiter.isBlocked(ticket.user, Date.now())) return rejectSocket(429, FLOODING_MESSAGE)
    if (!consumeTicket(this.#sql, ticket, Date.now()))
      return rejectSocket(401, 'The ticket was already used or has expired.')
    if (listOpenSockets(this.ctx, `user:${ticket.user}`).length >= MAX_SOCKETS_PER_ACCOUNT)
      return rejectSocket(
        429,
        `You have this camera open in ${MAX_SOCKETS_PER_ACCOUNT} tabs across your devices. Close a tab, then try again.`,
      )
    const viewer: ViewerAttachment = {
      viewer: ticket.viewer,
      user: ticket.user,
      device: ticket.device,
      bridge,
      sendsChecks,
      relay,
      lan,
      renditions: ticket.renditions,
      rendition: LOWEST_RENDITION,
    }
    const { server, answer } = createSocketPair()
    this.ctx.acceptWebSocket(server, [VIEWER_TAG, `viewer:${viewer.viewer}`, `user:${viewer.user}`])
    server.serializeAttachment(viewer)
    const state = this.#readState()
    if (state) server.send(encodeStateMessage(state))
    /*
     * Do not await the calls to the bridge, so that video starts early. The bridge still gets `open` before the
     * viewer's offer, because calls of one stub arrive in order.
     */
    if (relay) this.#relay.addViewer(server)
    this.ctx.waitUntil(
      this.#getBridgeStub(bridge).notifyViewerChange(viewer.device, viewer.viewer, 'open', sendsChecks),
    )
    return answer
  }

  #readState(): CameraStatePeriod | null {
    return this.#sql.exec<CameraStatePeriod>('SELECT state, reason, since FROM state').toArray()[0] ?? null
  }

  #getBridgeStub(id: string) {
    if (this.#bridgeStub?.id !== id) this.#bridgeStub = { id, stub: getObject(this.env, 'BRIDGES', id) }
    return this.#bridgeStub.stub
  }

  setState(state: CameraState, reason: string, since: number): void {
    this.#sql.exec(
      'INSERT INTO state (one, state, reason, since) VALUES (1, ?1, ?2, ?3) ON CONFLICT DO UPDATE SET state = ?1, reason = ?2, since = ?3',
      state,
      reason,
      since,
    )
    const message = encodeStateMessage({ state, reason, since })
    for (const socket of listOpenSockets(this.ctx, VIEWER_TAG)) socket.send(message)
    if (state === 'bridge_off') this.#relay.closeAllSources('The camera’s hub isn’t connected.')
    if (state === 'awake' && !this.#relay.hasSources()) this.ctx.waitUntil(this.#relay.requestAllRelays())
  }

  listViewerIds(): string[] {
    return listOpenSockets(this.ctx, VIEWER_TAG).map((socket) => readViewerAttachment(socket).viewer)
  }

  /** Returns true if a viewer is connected whose page does not request checks of the bridge. */
  hasPassiveViewers(): boolean {
    return listOpenSockets(this.ctx, VIEWER_TAG).some((socket) => !readViewerAttachment(socket).sendsChecks)
  }

  /** Forwards a bridge message to one viewer, without the ICE candidates that this viewer may not see. */
  deliverToViewer(viewerId: string, message: SignalFromService): void {
    for (const socket of listOpenSockets(this.ctx, `viewer:${viewerId}`)) {
      const viewerMessage = this.#signalingFilter.filterForViewer(readViewerAttachment(socket), message)
      if (viewerMessage) socket.send(JSON.stringify(viewerMessage))
    }
  }

  async signOut(userId: string, at: number): Promise<void> {
    invalidateTicketsBefore(this.#sql, userId, at)
    await this.#disconnectViewers(`user:${userId}`, CLOSE_SIGNED_OUT, 'Logged out.')
  }

  /**
   * If `userId` is null, disconnects all accounts from a deleted camera. Otherwise, disconnects an account whose share
   * has ended, and invalidates its unused tickets that were created at or before `at` (ms UTC).
   */
  async revokeAccess(userId: string | null, at: number): Promise<void> {
    if (userId !== null) invalidateTicketsBefore(this.#sql, userId, at)
    await this.#disconnectViewers(
      userId === null ? VIEWER_TAG : `user:${userId}`,
      CLOSE_NO_ACCESS,
      'You no longer have access to this camera.',
    )
  }

  async deleteCamera(at: number): Promise<void> {
    await this.revokeAccess(null, at)
    await this.ctx.storage.deleteAll()
  }

  /** Closes the sockets that the account opened while it was being deleted, and deletes its data. */
  async deleteAccountData(userId: string): Promise<void> {
    await this.#disconnectViewers(`user:${userId}`, CLOSE_SIGNED_OUT, 'Logged out.')
    this.#sql.exec('DELETE FROM signed_out WHERE user_id = ?', userId)
  }

  /**
   * Closes the sockets with this tag. Also notifies the bridge, because WebRTC video does not pass through this object.
   */
  async #disconnectViewers(tag: string, code: number, reason: string): Promise<void> {
    await Promise.all(
      listOpenSockets(this.ctx, tag).map((socket) => {
        socket.close(code, reason)
        return this.#handleViewerClose(socket)
      }),
    )
  }

  async webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    const isSource = this.#relay.isSource(socket)
    const userId = isSource ? undefined : readViewerAttachment(socket).user
    if (!this.#rateLimiter.allows(socket, data, isSource ? SOURCE_LIMITS : VIEWER_LIMITS, Date.now(), userId)) return
    if (isSource) return this.#relay.relaySourceMessage(socket, data)
    const relayMessage = parseRelayMessage(data)
    if (relayMessage) return this.#relay.handleViewerMessage(socket, relayMessage)
    const viewer = readViewerAttachment(socket)
    const signal = this.#signalingFilter.parseViewerMessage(socket, data)
    if (!signal.ok) {
      socket.send(JSON.stringify(toStatusResponse(signal)))
      return
    }
    if (signal.message === null) return
    const { action, messagePayload } = signal.message
    const message: SignalFromService = { messageType: action, messagePayload, senderClientId: viewer.viewer }
    await this.#getBridgeStub(viewer.bridge).forwardSignal(viewer.device, viewer.viewer, message)
  }

  async webSocketClose(socket: WorkerSocket): Promise<void> {
    socket.close()
    await this.#handleSocketEnd(socket)
  }

  async webSocketError(socket: WorkerSocket): Promise<void> {
    await this.#handleSocketEnd(socket)
  }

  async #handleSocketEnd(socket: WorkerSocket): Promise<void> {
    await (this.#relay.isSource(socket) ? this.#relay.handleSourceClose(socket) : this.#handleViewerClose(socket))
  }

  async #handleViewerClose(socket: WorkerSocket): Promise<void> {
    const { bridge, device, viewer, sendsChecks } = readViewerAttachment(socket)
    this.#relay.removeViewer(socket)
    await this.#getBridgeStub(bridge).notifyViewerChange(device, viewer, 'close', sendsChecks)
  }
}

/** Camera state, its reason, and its start (`since`) in ms UTC. */
type CameraStatePeriod = { state: CameraState; reason: string; since: number }

function encodeStateMessage(state: CameraStatePeriod): string {
  return JSON.stringify({
    messageType: 'CAMERA_STATE',
    messagePayload: encodePayload(state),
  } satisfies SignalFromService)
}
