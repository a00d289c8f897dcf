import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { CameraState, SignalIn } from '../../contract/signalling.ts'
import { RELAY_OVER, RELAY_UNWATCHED } from '../../contract/relay.ts'
import { encodePayload } from '../../contract/signalling.ts'
import type { Env } from '../env.ts'
import { NO_ACCESS, SIGNED_OUT } from '../home/home.ts'
import { migrate } from '../home/migrate.ts'
import { refuseTicketsBefore, spendTicket, TICKET_TABLES } from '../home/ticket-rows.ts'
import type { Ticket } from '../home/tickets.ts'
import { openSockets, socketPair, verifiedOf } from '../home/upgrade.ts'
import { readRelay } from './relay.ts'
import { RelayRenditions } from './relay-renditions.ts'
import { readSignal, refusalOf } from './signal.ts'

const SCHEMA = [
  `
  CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL, reason TEXT NOT NULL, since INTEGER NOT NULL);
  ${TICKET_TABLES}
  `,
]

type State = { state: CameraState; reason: string; since: number }
/** What is kept with a viewer's socket while the object sleeps. */
interface Viewer {
  viewer: string
  user: string
  device: string
  bridge: string
  /** Whether it wants pictures over this socket. */
  relay: boolean
  /** In which rendition it wants them; '': the lowest. */
  rendition: string
}
/** What the Worker has verified: a viewer, or a bridge that brings pictures. */
type Verified = { ticket: Ticket<'viewer'>; bridge: string; relay: boolean } | { rendition: string }
const VIEWER = 'viewer'
const SOURCE = 'source'
const LOWEST = ''

/**
 * One camera's signalling channel: its viewers' sockets, and what the camera is doing; also the relay of its pictures for
 * viewers without a better way. The bridge is behind `Bridge`, except for the socket on which it brings pictures.
 */
export class Camera extends DurableObject<Env> {
  private readonly sql: SqlStorage
  private readonly flows = new RelayRenditions()
  /** Renditions, each once in a life of the object: one that has slept has lost the beginning of the pictures. */
  private readonly askedAgain = new Set<string>()
  /** One stub for all messages: calls on it arrive in the order they are made. */
  private bridgeStub: { id: string; stub: ReturnType<Env['BRIDGES']['getByName']> } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.sql, SCHEMA))
  }

  /** Opens a viewer's socket, or one on which its bridge brings pictures; the Worker has checked who asks. */
  async fetch(request: Request): Promise<Response> {
    const verified = verifiedOf<Verified>(request)
    return 'rendition' in verified ? this.openSource(verified.rendition) : this.openViewer(verified)
  }

  private openViewer({ ticket, bridge, relay }: Exclude<Verified, { rendition: string }>): Response {
    if (!spendTicket(this.sql, ticket, Date.now())) {
      return Response.json({ code: 401, msg: 'The ticket was used or is over.' }, { status: 401 })
    }
    const viewer: Viewer = {
      viewer: ticket.viewer,
      user: ticket.user,
      device: ticket.device,
      bridge,
      relay,
      rendition: LOWEST,
    }
    const { server, answer } = socketPair()
    this.ctx.acceptWebSocket(server, [VIEWER, `viewer:${viewer.viewer}`, `user:${viewer.user}`])
    server.serializeAttachment(viewer)
    const state = this.state()
    if (state) server.send(stateMessage(state))
    /* Not awaited, the viewer's picture is waiting; calls of one stub arrive in order, so its offer comes behind. */
    if (relay && !this.flows.join(LOWEST, server, Date.now())) this.ctx.waitUntil(this.askForPictures(LOWEST))
    this.ctx.waitUntil(this.bridge(bridge).viewer(viewer.device, viewer.viewer, 'open'))
    return answer
  }

  /** The newest socket of the bridge for a rendition replaces the former. */
  private openSource(rendition: string): Response {
    const { server, answer } = socketPair()
    this.closeSource(rendition, RELAY_OVER, 'Another socket has taken its place.')
    this.ctx.acceptWebSocket(server, [SOURCE, sourceTag(rendition)])
    if (!this.isWatched(rendition)) server.close(RELAY_UNWATCHED, 'Nobody watches.')
    return answer
  }

  private closeSource(rendition: string, code: number, reason: string): void {
    for (const source of openSockets(this.ctx, sourceTag(rendition))) source.close(code, reason)
    this.flows.forget(rendition)
  }

  private closeSources(reason: string): void {
    for (const rendition of this.sources()) this.closeSource(rendition, RELAY_OVER, reason)
  }

  /** Renditions that the bridge brings. */
  private sources(): string[] {
    return openSockets(this.ctx, SOURCE).map((socket) => this.renditionOf(socket))
  }

  private relayViewers(): WorkerSocket[] {
    return openSockets(this.ctx, VIEWER).filter((socket) => viewerOf(socket).relay)
  }

  /** Viewers that want this rendition, and those that get it until the one that they want has begun. */
  private viewersOf(rendition: string): WorkerSocket[] {
    return this.relayViewers().filter(
      (socket) => viewerOf(socket).rendition === rendition || this.flows.has(rendition, socket),
    )
  }

  private isWatched(rendition: string): boolean {
    return this.viewersOf(rendition).length > 0
  }

  /** Asks the bridge for pictures from the start, if somebody wants them and the camera can have some. */
  private async askForPictures(rendition: string): Promise<void> {
    const socket = this.relayViewers().find((one) => viewerOf(one).rendition === rendition)
    if (!socket || this.state()?.state !== 'awake') return
    const { bridge, device } = viewerOf(socket)
    const asked = { type: 'command', device_id: device, command: 'relay' } as const
    await this.bridge(bridge).pass(rendition === LOWEST ? asked : { ...asked, rendition })
  }

  private async askForAll(): Promise<void> {
    const wanted = new Set(this.relayViewers().map((socket) => viewerOf(socket).rendition))
    await Promise.all([...wanted].map((rendition) => this.askForPictures(rendition)))
  }

  private state(): State | null {
    return this.sql.exec<State>('SELECT state, reason, since FROM state').toArray()[0] ?? null
  }

  private bridge(id: string) {
    if (this.bridgeStub?.id !== id) this.bridgeStub = { id, stub: this.env.BRIDGES.getByName(id) }
    return this.bridgeStub.stub
  }

  /** Tells every viewer what the camera is doing now. */
  setState(state: CameraState, reason: string, since: number): void {
    this.sql.exec(
      'INSERT INTO state (one, state, reason, since) VALUES (1, ?1, ?2, ?3) ON CONFLICT DO UPDATE SET state = ?1, reason = ?2, since = ?3',
      state,
      reason,
      since,
    )
    const message = stateMessage({ state, reason, since })
    for (const socket of openSockets(this.ctx, VIEWER)) socket.send(message)
    if (state === 'bridge_off') this.closeSources('The bridge is away.')
    if (state === 'awake' && openSockets(this.ctx, SOURCE).length === 0) this.ctx.waitUntil(this.askForAll())
  }

  /** Viewers that a bridge which has just connected should know of. */
  viewers(): string[] {
    return openSockets(this.ctx, VIEWER).map((socket) => viewerOf(socket).viewer)
  }

  /** Passes a message of the bridge on to one viewer. */
  deliver(viewerId: string, message: SignalIn): void {
    for (const socket of openSockets(this.ctx, `viewer:${viewerId}`)) socket.send(JSON.stringify(message))
  }

  /** Ends the account's watching: it has signed out. */
  async signOut(userId: string, at: number): Promise<void> {
    refuseTicketsBefore(this.sql, userId, at)
    await this.end(`user:${userId}`, SIGNED_OUT, 'Signed out.')
  }

  /** Ends the account's watching, or everybody's: the camera is not shared any more, or gone. */
  async cutOff(userId: string | null, at: number): Promise<void> {
    if (userId !== null) refuseTicketsBefore(this.sql, userId, at)
    await this.end(userId === null ? VIEWER : `user:${userId}`, NO_ACCESS, 'This camera may not be seen any more.')
  }

  /** Closes sockets and tells the bridge: pictures of WebRTC do not pass through here. */
  private async end(tag: string, code: number, reason: string): Promise<void> {
    await Promise.all(
      openSockets(this.ctx, tag).map((socket) => {
        socket.close(code, reason)
        return this.leave(socket)
      }),
    )
  }

  async webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    if (this.isSource(socket)) return this.passPicture(socket, data)
    const relay = readRelay(data)
    if (relay?.action === 'RELAY_ACK') return this.flows.acknowledge(socket, relay.received)
    if (relay?.action === 'RELAY_RENDITION') return this.turnRelay(socket, relay.name)
    if (relay?.action === 'RELAY_STOP') return this.stopRelay(socket)
    const viewer = viewerOf(socket)
    const signal = readSignal(data)
    if (!signal.ok) {
      socket.send(JSON.stringify(refusalOf(signal)))
      return
    }
    const { action, messagePayload } = signal.message
    const message: SignalIn = { messageType: action, messagePayload, senderClientId: viewer.viewer }
    await this.bridge(viewer.bridge).signal(viewer.device, viewer.viewer, message)
  }

  private isSource(socket: WorkerSocket): boolean {
    return this.ctx.getTags(socket)[0] === SOURCE
  }

  private renditionOf(source: WorkerSocket): string {
    return (this.ctx.getTags(source)[1] ?? sourceTag(LOWEST)).slice(sourceTag('').length)
  }

  private async passPicture(source: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    if (source.readyState !== WebSocket.OPEN) return
    const rendition = this.renditionOf(source)
    const fed =
      typeof data === 'string' ? 'malformed' : this.flows.feed(rendition, data, this.viewersOf(rendition), Date.now())
    if (fed === 'malformed') source.close(1007, 'The message is not one of the contract.')
    if (fed === 'turned') this.endUnwatched()
    if (fed === 'unstarted' && !this.askedAgain.has(rendition)) {
      this.askedAgain.add(rendition)
      await this.askForPictures(rendition)
    }
  }

  /** The viewer is shown another rendition as soon as there is one; until then it sees what it saw. */
  private async turnRelay(socket: WorkerSocket, rendition: string): Promise<void> {
    const viewer = viewerOf(socket)
    if (!viewer.relay || viewer.rendition === rendition) return
    socket.serializeAttachment({ ...viewer, rendition } satisfies Viewer)
    if (this.flows.has(rendition, socket) || this.flows.join(rendition, socket, Date.now())) this.endUnwatched()
    else await this.askForPictures(rendition)
  }

  private stopRelay(socket: WorkerSocket): void {
    socket.serializeAttachment({ ...viewerOf(socket), relay: false } satisfies Viewer)
    this.flows.leave(socket)
    this.endUnwatched()
  }

  private endUnwatched(): void {
    for (const rendition of this.sources())
      if (!this.isWatched(rendition)) this.closeSource(rendition, RELAY_UNWATCHED, 'Nobody watches.')
  }

  async webSocketClose(socket: WorkerSocket): Promise<void> {
    socket.close()
    await (this.isSource(socket) ? this.sourceEnded(socket) : this.leave(socket))
  }

  async webSocketError(socket: WorkerSocket): Promise<void> {
    await (this.isSource(socket) ? this.sourceEnded(socket) : this.leave(socket))
  }

  /** A source that has brought nothing is not asked for again: its viewers try anew by themselves. */
  private async sourceEnded(source: WorkerSocket): Promise<void> {
    const rendition = this.renditionOf(source)
    if (openSockets(this.ctx, sourceTag(rendition)).length > 0) return
    const hadPictures = this.flows.forget(rendition)
    if (hadPictures) await this.askForPictures(rendition)
  }

  private async leave(socket: WorkerSocket): Promise<void> {
    const { bridge, device, viewer } = viewerOf(socket)
    this.flows.leave(socket)
    this.endUnwatched()
    await this.bridge(bridge).viewer(device, viewer, 'close')
  }
}

const sourceTag = (rendition: string) => `source:${rendition}`
const viewerOf = (socket: WorkerSocket) => socket.deserializeAttachment() as Viewer

function stateMessage(state: State): string {
  return JSON.stringify({ messageType: 'CAMERA_STATE', messagePayload: encodePayload(state) } satisfies SignalIn)
}
