import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { CameraState, SignalIn } from '../../contract/live/signaling.ts'
import { RELAY_BESIDE, RELAY_OVER, RELAY_UNWATCHED, type ExtraTrackName } from '../../contract/live/relay-protocol.ts'
import type { Env } from '../env.ts'
import { NO_ACCESS, SIGNED_OUT } from '../../contract/wire/socket-close-codes.ts'
import { migrateSchema } from '../platform/migrate-schema.ts'
import { invalidateTicketsBefore, consumeTicket, TICKET_TABLES } from '../platform/tickets/ticket-rows.ts'
import type { Ticket } from '../platform/tickets/tickets.ts'
import { OF_SOURCE, OF_VIEWER, SocketRateLimiter } from '../platform/sockets/socket-rate-limits.ts'
import { FLOODER, openSockets, refusedSocket, socketPair, readVerified } from '../platform/sockets/websocket-upgrade.ts'
import { readRelay } from './relay-fanout.ts'
import { RelayStreams } from './relay-streams.ts'
import { stateMessage, type State } from './camera-state.ts'
import { isLocalDeployment } from '../platform/local-deployment.ts'
import { toStatusResponse, Signals } from './signaling.ts'
import {
  canRequestStream,
  updateViewer,
  readViewer,
  listRequestedStreams,
  type ViewerAttachment,
} from './viewer-attachment.ts'

const SCHEMA = [
  `
  CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL, reason TEXT NOT NULL, since INTEGER NOT NULL);
  ${TICKET_TABLES}
  `,
]

/** WebSocket request that the Worker has verified: from a viewer, or from a bridge that sends video. */
type Verified = { ticket: Ticket<'viewer'>; bridge: string; relay: boolean; lan: boolean } | { rendition: string }
const VIEWER = 'viewer'
const SOURCE = 'source'
const LOWEST = ''
/** Maximum sockets of one account per camera, across tabs and devices. */
const VIEWERS_MAX = 12
const BESIDE = Object.keys(RELAY_BESIDE) as ExtraTrackName[]

/** Signaling of one camera: viewer sockets, camera state, and the relay for viewers without a better transport. */
export class Camera extends DurableObject<Env> {
  private readonly sql: SqlStorage
  private readonly flows = new RelayStreams()
  private readonly budgets = new SocketRateLimiter()
  private readonly signals = new Signals(isLocalDeployment(this.env))
  /** Names of sources already asked to restart since this object woke: hibernation loses the keyframe. */
  private readonly askedAgain = new Set<string>()
  /** One stub for all messages: its calls arrive in the order they are made. */
  private bridgeStub: { id: string; stub: ReturnType<Env['BRIDGES']['getByName']> } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrateSchema(this.sql, SCHEMA))
  }

  /** Opens a socket of a viewer or of its bridge; the Worker has verified the request. */
  async fetch(request: Request): Promise<Response> {
    const verified = readVerified<Verified>(request)
    return 'rendition' in verified ? this.openSource(verified.rendition) : this.openViewer(verified)
  }

  private openViewer({ ticket, bridge, relay, lan }: Exclude<Verified, { rendition: string }>): Response {
    if (this.budgets.isBarred(ticket.user, Date.now())) return refusedSocket(429, FLOODER)
    if (!consumeTicket(this.sql, ticket, Date.now())) return refusedSocket(401, 'The ticket was used or is over.')
    if (openSockets(this.ctx, `user:${ticket.user}`).length >= VIEWERS_MAX)
      return refusedSocket(429, `This camera is open ${VIEWERS_MAX} times already. Close a page that shows it.`)
    const viewer: ViewerAttachment = {
      ...{ viewer: ticket.viewer, user: ticket.user, device: ticket.device },
      ...{ bridge, relay, lan, renditions: ticket.renditions, rendition: LOWEST },
    }
    const { server, answer } = socketPair()
    this.ctx.acceptWebSocket(server, [VIEWER, `viewer:${viewer.viewer}`, `user:${viewer.user}`])
    server.serializeAttachment(viewer)
    const state = this.state()
    if (state) server.send(stateMessage(state))
    /* Not awaited, because the viewer waits for video; calls of one stub arrive in order, so its offer comes later. */
    if (relay && !this.flows.join(LOWEST, server, Date.now())) this.ctx.waitUntil(this.requestRelay(LOWEST))
    this.ctx.waitUntil(this.bridge(bridge).viewer(viewer.device, viewer.viewer, 'open'))
    return answer
  }

  /** Accepts the bridge's socket for a rendition or an extra track; it replaces the former one. */
  private openSource(name: string): Response {
    const { server, answer } = socketPair()
    this.closeSource(name, RELAY_OVER, 'Another socket has taken its place.')
    this.ctx.acceptWebSocket(server, [SOURCE, sourceTag(name)])
    if (!this.isWatched(name)) server.close(RELAY_UNWATCHED, 'Nobody watches.')
    return answer
  }

  private closeSource(name: string, code: number, reason: string): void {
    for (const source of openSockets(this.ctx, sourceTag(name))) source.close(code, reason)
    this.flows.removeSource(name)
  }

  private closeSources(reason: string): void {
    for (const name of this.sources()) this.closeSource(name, RELAY_OVER, reason)
  }

  private sources(): string[] {
    return openSockets(this.ctx, SOURCE).map((socket) => this.getSourceName(socket))
  }

  private viewerSockets(): WorkerSocket[] {
    return openSockets(this.ctx, VIEWER)
  }

  /** Returns viewers that want this stream, and viewers that still get it until their requested rendition starts. */
  private listViewerSockets(name: string): WorkerSocket[] {
    return this.viewerSockets().filter(
      (socket) => listRequestedStreams(socket).includes(name) || this.flows.has(name, socket),
    )
  }

  private isWatched(name: string): boolean {
    return this.listViewerSockets(name).length > 0
  }

  /** Requests this stream from its start if a viewer wants it and the camera is awake. */
  private async requestRelay(name: string): Promise<void> {
    const socket = this.viewerSockets().find((viewerSocket) => listRequestedStreams(viewerSocket).includes(name))
    if (!socket || this.state()?.state !== 'awake') return
    const { bridge, device } = readViewer(socket)
    const command = { type: 'command', device_id: device, command: 'relay' } as const
    await this.bridge(bridge).pass(name === LOWEST ? command : { ...command, rendition: name })
  }

  private async requestAllRelays(): Promise<void> {
    const names = new Set(this.viewerSockets().flatMap(listRequestedStreams))
    await Promise.all([...names].map((name) => this.requestRelay(name)))
  }

  private state(): State | null {
    return this.sql.exec<State>('SELECT state, reason, since FROM state').toArray()[0] ?? null
  }

  private bridge(id: string) {
    if (this.bridgeStub?.id !== id) this.bridgeStub = { id, stub: this.env.BRIDGES.getByName(id) }
    return this.bridgeStub.stub
  }

  /** Stores the camera state and notifies every viewer. */
  setState(state: CameraState, reason: string, since: number): void {
    this.sql.exec(
      'INSERT INTO state (one, state, reason, since) VALUES (1, ?1, ?2, ?3) ON CONFLICT DO UPDATE SET state = ?1, reason = ?2, since = ?3',
      state,
      reason,
      since,
    )
    const message = stateMessage({ state, reason, since })
    for (const socket of openSockets(this.ctx, VIEWER)) socket.send(message)
    if (state === 'bridge_off') this.closeSources('The box at home is not connected.')
    if (state === 'awake' && openSockets(this.ctx, SOURCE).length === 0) this.ctx.waitUntil(this.requestAllRelays())
  }

  viewers(): string[] {
    return openSockets(this.ctx, VIEWER).map((socket) => readViewer(socket).viewer)
  }

  /** Forwards a bridge message to one viewer, filtered by its access. */
  deliver(viewerId: string, message: SignalIn): void {
    for (const socket of openSockets(this.ctx, `viewer:${viewerId}`)) {
      const viewerMessage = this.signals.toViewer(readViewer(socket), message)
      if (viewerMessage) socket.send(JSON.stringify(viewerMessage))
    }
  }

  async signOut(userId: string, at: number): Promise<void> {
    invalidateTicketsBefore(this.sql, userId, at)
    await this.end(`user:${userId}`, SIGNED_OUT, 'Signed out.')
  }

  /** Ends viewing for an account, or for all with null: the share has ended or the camera was deleted. */
  async cutOff(userId: string | null, at: number): Promise<void> {
    if (userId !== null) invalidateTicketsBefore(this.sql, userId, at)
    await this.end(userId === null ? VIEWER : `user:${userId}`, NO_ACCESS, 'This camera may not be seen any more.')
  }

  /** Deletes the camera and its stored data. */
  async remove(at: number): Promise<void> {
    await this.cutOff(null, at)
    await this.ctx.storage.deleteAll()
  }

  deleteAccountData(userId: string): void {
    this.sql.exec('DELETE FROM signed_out WHERE user_id = ?', userId)
  }

  /** Closes sockets and notifies the bridge, because WebRTC video does not pass through this object. */
  private async end(tag: string, code: number, reason: string): Promise<void> {
    await Promise.all(
      openSockets(this.ctx, tag).map((socket) => {
        socket.close(code, reason)
        return this.leave(socket)
      }),
    )
  }

  async webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    const isSource = this.isSource(socket)
    const userId = isSource ? undefined : readViewer(socket).user
    if (!this.budgets.allows(socket, data, isSource ? OF_SOURCE : OF_VIEWER, Date.now(), userId)) return
    if (isSource) return this.passPicture(socket, data)
    const relay = readRelay(data)
    if (relay?.action === 'RELAY_ACK') return this.flows.acknowledge(socket, relay.received)
    if (relay?.action === 'RELAY_RENDITION') return this.turnRelay(socket, relay.name)
    if (relay?.action === 'RELAY_BESIDE') return this.turnBeside(socket, relay)
    if (relay?.action === 'RELAY_STOP') return this.stopRelay(socket)
    const viewer = readViewer(socket)
    const signal = this.signals.read(socket, data)
    if (!signal.ok) {
      socket.send(JSON.stringify(toStatusResponse(signal)))
      return
    }
    if (signal.message === null) return
    const { action, messagePayload } = signal.message
    const message: SignalIn = { messageType: action, messagePayload, senderClientId: viewer.viewer }
    await this.bridge(viewer.bridge).signal(viewer.device, viewer.viewer, message)
  }

  private isSource(socket: WorkerSocket): boolean {
    return this.ctx.getTags(socket)[0] === SOURCE
  }

  private getSourceName(source: WorkerSocket): string {
    return (this.ctx.getTags(source)[1] ?? sourceTag(LOWEST)).slice(sourceTag('').length)
  }

  private async passPicture(source: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    const name = this.getSourceName(source)
    const fed =
      typeof data === 'string' ? 'malformed' : this.flows.feed(name, data, this.listViewerSockets(name), Date.now())
    if (fed === 'malformed') source.close(1007, 'The message is not one of the contract.')
    if (fed === 'turned') this.endUnwatched()
    if (fed === 'unstarted' && !this.askedAgain.has(name)) {
      this.askedAgain.add(name)
      await this.requestRelay(name)
    }
  }

  /** Requests another rendition for the viewer. The previous rendition continues until the new one has started. */
  private async turnRelay(socket: WorkerSocket, rendition: string): Promise<void> {
    const viewer = readViewer(socket)
    if (!viewer.relay || viewer.rendition === rendition || !canRequestStream(viewer, rendition)) return
    updateViewer(socket, { rendition })
    if (this.flows.has(rendition, socket) || this.flows.join(rendition, socket, Date.now())) this.endUnwatched()
    else await this.requestRelay(rendition)
  }

  /** Sets the viewer's extra tracks. */
  private async turnBeside(socket: WorkerSocket, selection: Record<ExtraTrackName, boolean>): Promise<void> {
    if (!readViewer(socket).relay) return
    const beside = BESIDE.filter((name) => selection[name])
    updateViewer(socket, { beside })
    for (const name of BESIDE) if (!selection[name]) this.flows.drop(name, socket)
    this.endUnwatched()
    for (const name of beside)
      if (!this.flows.has(name, socket) && !this.flows.join(name, socket, Date.now())) await this.requestRelay(name)
  }

  private stopRelay(socket: WorkerSocket): void {
    updateViewer(socket, { relay: false })
    this.flows.leave(socket)
    this.endUnwatched()
  }

  private endUnwatched(): void {
    for (const name of this.sources())
      if (!this.isWatched(name)) this.closeSource(name, RELAY_UNWATCHED, 'Nobody watches.')
  }

  async webSocketClose(socket: WorkerSocket): Promise<void> {
    socket.close()
    await (this.isSource(socket) ? this.sourceEnded(socket) : this.leave(socket))
  }

  async webSocketError(socket: WorkerSocket): Promise<void> {
    await (this.isSource(socket) ? this.sourceEnded(socket) : this.leave(socket))
  }

  /** A source that sent no video is not requested again: its viewers retry. */
  private async sourceEnded(source: WorkerSocket): Promise<void> {
    const name = this.getSourceName(source)
    if (openSockets(this.ctx, sourceTag(name)).length > 0) return
    const hadPictures = this.flows.removeSource(name)
    if (hadPictures) await this.requestRelay(name)
  }

  private async leave(socket: WorkerSocket): Promise<void> {
    const { bridge, device, viewer } = readViewer(socket)
    this.flows.leave(socket)
    this.endUnwatched()
    await this.bridge(bridge).viewer(device, viewer, 'close')
  }
}

const sourceTag = (name: string) => `source:${name}`
