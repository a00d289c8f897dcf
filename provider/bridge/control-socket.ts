import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { HEARTBEAT_ANSWER_TEXT, HEARTBEAT_TEXT } from '../../contract/bridge/heartbeat.ts'
import type { ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import { createSocketPair, listOpenSockets } from '../platform/sockets/websocket-upgrade.ts'

/** Time without a heartbeat after which a bridge counts as disconnected. The bridge sends a heartbeat every 10 s. */
export const HEARTBEAT_TIMEOUT_MS = 25_000

interface ControlSocketState {
  bridge: string
  /** Sequence number of the connection. Of several open sockets, only the one with the highest number is used. */
  turn: number
  /** Time of the last message that the object handled, ms UTC. The runtime answers heartbeats, and records their time. */
  heard: number
  /** Until this time, ms UTC, `ConnectionWatch` assumes that a passive page is open. */
  watchedUntil?: number
  /** True once the bridge has sent its hello message. */
  hasHello?: boolean
  /** True once the end of the connection was handled. */
  hasEnded?: boolean
}

/** Returns the state attached to a control socket, which survives hibernation. */
export const readSocketState = (socket: WorkerSocket) => socket.deserializeAttachment() as ControlSocketState

/** Control connection between a bridge and its Durable Object. */
export class ControlSocket {
  readonly #ctx: DurableObjectState

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT_TEXT, HEARTBEAT_ANSWER_TEXT))
  }

  /** Returns the current control socket; null while the bridge is disconnected. */
  getSocket(): WorkerSocket | null {
    const open = listOpenSockets(this.#ctx)
    return open.sort((a, b) => readSocketState(b).turn - readSocketState(a).turn)[0] ?? null
  }

  /** Accepts a new socket, which becomes the current one. The caller closes `previous`. */
  accept(bridge: string): { answer: Response; previous: WorkerSocket | null } {
    const { server, answer } = createSocketPair()
    const previous = this.getSocket()
    const turn = (previous ? readSocketState(previous).turn : 0) + 1
    this.#ctx.acceptWebSocket(server)
    server.serializeAttachment({ bridge, turn, heard: Date.now() } satisfies ControlSocketState)
    return { answer, previous }
  }

  /** Sends a message to the bridge. Returns false if the bridge is disconnected. */
  send(message: ProviderMessage): boolean {
    const socket = this.getSocket()
    socket?.send(JSON.stringify(message))
    return socket !== null
  }

  /** Returns the time of the last message on the current connection, ms UTC; null before its hello message. */
  readLastHeardAt(): number | null {
    const socket = this.getSocket()
    return socket && readSocketState(socket).hasHello === true ? this.getLastHeardAt(socket) : null
  }

  changeState(socket: WorkerSocket, change: Partial<ControlSocketState>): void {
    socket.serializeAttachment({ ...readSocketState(socket), ...change } satisfies ControlSocketState)
  }

  /** Returns the time of the last message or heartbeat on the socket, ms UTC. */
  getLastHeardAt(socket: WorkerSocket): number {
    return Math.max(readSocketState(socket).heard, this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0)
  }
}
