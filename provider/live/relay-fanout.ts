import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { RELAY, relayOut, type RelayOut } from '../../contract/live/relay-protocol.ts'

/** A message is one picture; a group is what has come since the last keyframe. In bytes. */
const MESSAGE_MAX = 1024 * 1024
const GROUP_MAX = 4 * 1024 * 1024
/** A viewer whose oldest picture on the way is older than this, ms, gets none until the next keyframe that finds it up to date. */
const SLOW_MS = 2000
/** A group that nothing was added to for this long, ms, is no present any more. */
const STALE_MS = 2000

const readable = v.pipe(v.string(), v.maxLength(200), v.parseJson(), relayOut)

/** What a viewer says about the relay, or null when it speaks of something else. */
export function readRelay(data: string | ArrayBuffer): RelayOut | null {
  const parsed = v.safeParse(readable, data)
  return parsed.success ? parsed.output : null
}

/** `unstarted`: it continues what was lost in sleep. */
export type RelayFeedResult = 'passed' | 'malformed' | 'unstarted'

/** One viewer's stream: when the messages that are on the way to it were sent, ms UTC, and whether it waits for a keyframe. */
interface Flow {
  readonly onTheWay: number[]
  waiting: boolean
}

/**
 * The pictures of one camera, or its sound, on their way to its viewers. All of it is in memory only: after the object has slept there is
 * nothing, and the bridge has to begin anew.
 */
export class RelayFanout {
  private readonly flows = new Map<WorkerSocket, Flow>()
  private init: ArrayBuffer | null = null
  private group: ArrayBuffer[] = []
  private groupBytes = 0
  private fedAt = 0
  private readonly beside: number
  private readonly wayTo: (socket: WorkerSocket) => number[]

  /** `beside`: what the first byte of its messages is raised by; `wayTo`: the way to a viewer, which others use as well. */
  constructor(beside: number, wayTo: (socket: WorkerSocket) => number[]) {
    this.beside = beside
    this.wayTo = wayTo
  }

  /** Gives a new viewer what there is; false: there is nothing, or nothing new enough. */
  join(socket: WorkerSocket, now: number): boolean {
    const hasGroup = this.init !== null && this.group.length > 0 && now - this.fedAt < STALE_MS
    if (hasGroup) this.greet(socket, now)
    return hasGroup
  }

  /** Passes a message of the bridge on to the viewers. */
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

  /** Whether the viewer gets this. */
  has(socket: WorkerSocket): boolean {
    return this.flows.has(socket)
  }

  leave(socket: WorkerSocket): void {
    this.flows.delete(socket)
  }

  /** The source is gone; answers whether it had brought something. */
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
