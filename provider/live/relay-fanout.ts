import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { RELAY, relayOut, type RelayOut } from '../../contract/live/relay-protocol.ts'

/** Limits in bytes. A message contains one frame; a group (GOP) contains all frames since the last keyframe. */
const MESSAGE_MAX = 1024 * 1024
const GROUP_MAX = 4 * 1024 * 1024
/**
 * If a viewer's oldest unacknowledged frame is older than this, ms, the viewer gets no frames until a keyframe arrives
 * after it has caught up.
 */
const SLOW_MS = 2000
/** A group without new frames for this long, ms, is stale. */
const STALE_MS = 2000

const readable = v.pipe(v.string(), v.maxLength(200), v.parseJson(), relayOut)

/** Parses a viewer's relay message; null if it is another kind of message. */
export function readRelay(data: string | ArrayBuffer): RelayOut | null {
  const parsed = v.safeParse(readable, data)
  return parsed.success ? parsed.output : null
}

/** Result of feeding a message. `unstarted`: the message continues a stream whose start was lost in hibernation. */
export type RelayFeedResult = 'passed' | 'malformed' | 'unstarted'

/** Stream of one viewer: send times of its unacknowledged messages, ms UTC, and whether it waits for a keyframe. */
interface Flow {
  readonly onTheWay: number[]
  waiting: boolean
}

/**
 * Sends one camera's video, or one of its extra tracks, to the viewers. Held in memory only: after hibernation, the
 * bridge must send the stream from its start.
 */
export class RelayFanout {
  private readonly flows = new Map<WorkerSocket, Flow>()
  private init: ArrayBuffer | null = null
  private group: ArrayBuffer[] = []
  private groupBytes = 0
  private fedAt = 0
  private readonly beside: number
  private readonly wayTo: (socket: WorkerSocket) => number[]

  /**
   * `beside`: offset added to the first byte of this stream's messages; `wayTo`: returns the send times of a viewer's
   * unacknowledged messages, which all streams share.
   */
  constructor(beside: number, wayTo: (socket: WorkerSocket) => number[]) {
    this.beside = beside
    this.wayTo = wayTo
  }

  /** Sends a new viewer the current group; false if there is none or it is stale. */
  join(socket: WorkerSocket, now: number): boolean {
    const hasGroup = this.init !== null && this.group.length > 0 && now - this.fedAt < STALE_MS
    if (hasGroup) this.greet(socket, now)
    return hasGroup
  }

  feed(message: ArrayBuffer, viewers: readonly WorkerSocket[], now: number): RelayFeedResult {
    const kind = (new Uint8Array(message)[0] ?? 0) - this.beside
    if (message.byteLength === 0 || message.byteLength > MESSAGE_MAX) return 'malformed'
    if (kind !== RELAY.init && kind !== RELAY.key && kind !== RELAY.delta) return 'malformed'
    if (kind !== RELAY.init && this.init === null) return 'unstarted'
    this.fedAt = now
    this.cacheMessage(kind, message)
    for (const socket of viewers) {
      const flow = this.flows.get(socket)
      if (flow) this.pass(socket, flow, kind, message, now)
      else if (kind !== RELAY.delta) this.greet(socket, now)
    }
    return 'passed'
  }

  has(socket: WorkerSocket): boolean {
    return this.flows.has(socket)
  }

  leave(socket: WorkerSocket): void {
    this.flows.delete(socket)
  }

  /** Removes the source; returns true if it had sent video. */
  removeSource(): boolean {
    const hadPictures = this.group.length > 0
    this.init = null
    this.group = []
    this.flows.clear()
    return hadPictures
  }

  private cacheMessage(kind: number, message: ArrayBuffer): void {
    if (kind === RELAY.init) {
      this.init = message
      this.group = []
      return
    }
    if (kind === RELAY.key) {
      this.group = []
      this.groupBytes = 0
    } else if (this.group.length === 0) return
    this.group.push(message)
    this.groupBytes += message.byteLength
    if (this.groupBytes > GROUP_MAX) this.group = []
  }

  private greet(socket: WorkerSocket, now: number): void {
    if (this.init === null) return
    const flow: Flow = { onTheWay: this.wayTo(socket), waiting: this.group.length === 0 }
    this.flows.set(socket, flow)
    for (const message of [this.init, ...this.group]) this.send(socket, flow, message, now)
  }

  private pass(socket: WorkerSocket, flow: Flow, kind: number, message: ArrayBuffer, now: number): void {
    const oldest = flow.onTheWay[0]
    const isSlow = oldest !== undefined && now - oldest > SLOW_MS
    if (isSlow) flow.waiting = true
    if (kind === RELAY.key && !isSlow) flow.waiting = false
    if (kind === RELAY.init) flow.waiting = true
    if (kind === RELAY.init || !flow.waiting) this.send(socket, flow, message, now)
  }

  private send(socket: WorkerSocket, flow: Flow, message: ArrayBuffer, now: number): void {
    flow.onTheWay.push(now)
    socket.send(message)
  }
}
