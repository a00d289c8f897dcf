import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState, SqlStorage, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { CameraState, SignalIn } from '../../contract/signalling.ts'
import { encodePayload } from '../../contract/signalling.ts'
import type { Env } from '../env.ts'
import { NO_ACCESS, SIGNED_OUT } from '../home/home.ts'
import { migrate } from '../home/migrate.ts'
import { refuseTicketsBefore, spendTicket, TICKET_TABLES } from '../home/ticket-rows.ts'
import type { Ticket } from '../home/tickets.ts'
import { openSockets, socketPair, verifiedOf } from '../home/upgrade.ts'
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
}

/** One camera's signalling channel: its viewers' sockets, and what the camera is doing. The bridge is behind `Bridge`. */
export class Camera extends DurableObject<Env> {
  private readonly sql: SqlStorage
  /** One stub for all messages: calls on it arrive in the order they are made. */
  private bridgeStub: { id: string; stub: ReturnType<Env['BRIDGES']['getByName']> } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.sql = ctx.storage.sql
    ctx.storage.transactionSync(() => migrate(this.sql, SCHEMA))
  }

  /** Opens a viewer's socket; the Worker has checked origin, ticket and membership. */
  async fetch(request: Request): Promise<Response> {
    const { ticket, bridge } = verifiedOf<{ ticket: Ticket<'viewer'>; bridge: string }>(request)
    if (!spendTicket(this.sql, ticket, Date.now())) {
      return Response.json({ code: 401, msg: 'The ticket was used or is over.' }, { status: 401 })
    }
    const viewer: Viewer = { viewer: ticket.viewer, user: ticket.user, device: ticket.device, bridge }
    const { server, answer } = socketPair()
    this.ctx.acceptWebSocket(server, [`viewer:${viewer.viewer}`, `user:${viewer.user}`])
    server.serializeAttachment(viewer)
    const state = this.state()
    if (state) server.send(stateMessage(state))
    /* Not awaited, the viewer's picture is waiting; calls of one stub arrive in order, so its offer comes behind. */
    this.ctx.waitUntil(this.bridge(bridge).viewer(viewer.device, viewer.viewer, 'open'))
    return answer
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
    for (const socket of openSockets(this.ctx)) socket.send(message)
  }

  /** Viewers that a bridge which has just connected should know of. */
  viewers(): string[] {
    return openSockets(this.ctx).map((socket) => viewerOf(socket).viewer)
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
    await this.end(userId === null ? undefined : `user:${userId}`, NO_ACCESS, 'This camera may not be seen any more.')
  }

  /** Closes sockets and tells the bridge, from which the pictures come: they do not pass through here. */
  private async end(tag: string | undefined, code: number, reason: string): Promise<void> {
    await Promise.all(
      openSockets(this.ctx, tag).map((socket) => {
        socket.close(code, reason)
        return this.leave(socket)
      }),
    )
  }

  async webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
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

  async webSocketClose(socket: WorkerSocket): Promise<void> {
    socket.close()
    await this.leave(socket)
  }

  async webSocketError(socket: WorkerSocket): Promise<void> {
    await this.leave(socket)
  }

  private async leave(socket: WorkerSocket): Promise<void> {
    const { bridge, device, viewer } = viewerOf(socket)
    await this.bridge(bridge).viewer(device, viewer, 'close')
  }
}

const viewerOf = (socket: WorkerSocket) => socket.deserializeAttachment() as Viewer

function stateMessage(state: State): string {
  return JSON.stringify({ messageType: 'CAMERA_STATE', messagePayload: encodePayload(state) } satisfies SignalIn)
}
