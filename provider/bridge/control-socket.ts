import type { DurableObjectState, WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import type { ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import { createSocketPair, listOpenSockets } from '../platform/sockets/websocket-upgrade.ts'

/** Time without a heartbeat after which a bridge counts as disconnected. The bridge sends a heartbeat every 10 s. */
export const HEARTBEAT_TIMEOUT_MS = 25_000

interface ControlSocketState {
  bridge: string
  /** Sequence number of the connection. Of several open sockets, only the one with the highest number is used. */
  turn: number
  /** Last contact, ms UTC. */
  heard: number
}

/** Returns the state attached to a control socket, which survives hibernation. */
export const readSocketState = (socket: WorkerSocket) => socket.deserializeAttachment() as ControlSocketState

/**
 * Control connection between a bridge and its Durable Object. Holds the current socket and the time of the last
 * heartbeat.
 */
export class ControlSocket {
  readonly #ctx: DurableObjectState

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx
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

  recordHeartbeat(socket: WorkerSocket, now: number): void {
    socket.serializeAttachment({ ...readSocketState(socket), heard: now } satisfies ControlSocketState)
  }

  /**
   * Returns the time of the last contact, ms UTC; null for none. Combines `readStored` with the socket and the alarm,
   * because heartbeats are not stored.
   */
  async readLastContact(readStored: () => number | null): Promise<number | null> {
    const socket = this.getSocket()
    if (socket) return readSocketState(socket).heard
    const storedContactAt = readStored()
    /*
     * The alarm is due `HEARTBEAT_TIMEOUT_MS` after a contact: `Bridge` sets it when a socket opens, and again when the
     * alarm finds a later heartbeat. After a restart, the alarm may therefore prove a later contact than the stored
     * row.
     */
    const due = await this.#ctx.storage.getAlarm()
    return due === null || storedContactAt === null
      ? storedContactAt
      : Math.max(storedContactAt, due - HEARTBEAT_TIMEOUT_MS)
  }
}
