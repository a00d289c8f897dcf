import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import * as v from 'valibot'
import { RELAY_MESSAGE_TYPES, viewerRelayMessage, type ViewerRelayMessage } from '../../contract/live/relay-protocol.ts'

/** Maximum bytes of one relay message, and of all cached messages of one GOP. */
const MESSAGE_MAX_BYTES = 1024 * 1024
const GOP_MAX_BYTES = 4 * 1024 * 1024
/**
 * Age of the oldest unacknowledged message above which a viewer is slow. A slow viewer gets no frames until it has
 * acknowledged the messages of this age and a keyframe arrives.
 */
const SLOW_VIEWER_TIMEOUT_MS = 2000
/** Time without new messages after which the cached GOP is stale. A new viewer does not get a stale GOP. */
const STALE_GOP_TIMEOUT_MS = 2000

const relayMessageSchema = v.pipe(v.string(), v.maxLength(200), v.parseJson(), viewerRelayMessage)

/** Parses a viewer's relay message; returns null for any other message. */
export function parseRelayMessage(data: string | ArrayBuffer): ViewerRelayMessage | null {
  const parsed = v.safeParse(relayMessageSchema, data)
  return parsed.success ? parsed.output : null
}

/** Result of `feed`. `unstarted`: the stream's initialization segment is missing, for example after hibernation. */
export type RelayFeedResult = 'passed' | 'malformed' | 'unstarted'

/**
 * State of one viewer. `unacknowledgedAt`: send times (ms UTC) of its unacknowledged messages in all streams, oldest
 * first. `waiting`: true while the viewer gets no frames until the next keyframe.
 */
interface ViewerStream {
  readonly unacknowledgedAt: number[]
  waiting: boolean
}

/**
 * Sends one rendition of a camera, or one of its extra tracks, to the viewers. Keeps its state in memory, so the bridge
 * must restart the stream after hibernation.
 */
export class RelayFanout {
  readonly #viewerStreams = new Map<WorkerSocket, ViewerStream>()
  #initSegment: ArrayBuffer | null = null
  #gopMessages: ArrayBuffer[] = []
  #gopBytes = 0
  #lastFedAt = 0
  readonly #messageKindOffset: number
  readonly #getUnacknowledgedAt: (socket: WorkerSocket) => number[]

  /**
   * `kindOffset`: added to the first byte (message kind) of this stream's messages. `getUnacknowledgedAt`: returns the
   * send times of a viewer's unacknowledged messages in all streams.
   */
  constructor(kindOffset: number, getUnacknowledgedAt: (socket: WorkerSocket) => number[]) {
    this.#messageKindOffset = kindOffset
    this.#getUnacknowledgedAt = getUnacknowledgedAt
  }

  /** Sends a new viewer the frames since the last keyframe. Returns false if there are none or they are stale. */
  addViewer(socket: WorkerSocket, now: number): boolean {
    const hasGop =
      this.#initSegment !== null && this.#gopMessages.length > 0 && now - this.#lastFedAt < STALE_GOP_TIMEOUT_MS
    if (hasGop) this.#startViewer(socket, now)
    return hasGop
  }

  feed(message: ArrayBuffer, viewers: readonly WorkerSocket[], now: number): RelayFeedResult {
    const kind = (new Uint8Array(message)[0] ?? 0) - this.#messageKindOffset
    if (message.byteLength === 0 || message.byteLength > MESSAGE_MAX_BYTES) return 'malformed'
    if (kind !== RELAY_MESSAGE_TYPES.init && kind !== RELAY_MESSAGE_TYPES.key && kind !== RELAY_MESSAGE_TYPES.delta)
      return 'malformed'
    if (kind !== RELAY_MESSAGE_TYPES.init && this.#initSegment === null) return 'unstarted'
    this.#lastFedAt = now
    this.#cacheMessage(kind, message)
    for (const socket of viewers) {
      const flow = this.#viewerStreams.get(socket)
      if (flow) this.#sendOrSkip(socket, flow, kind, message, now)
      else if (kind !== RELAY_MESSAGE_TYPES.delta) this.#startViewer(socket, now)
    }
    return 'passed'
  }

  hasViewer(socket: WorkerSocket): boolean {
    return this.#viewerStreams.has(socket)
  }

  removeViewer(socket: WorkerSocket): void {
    this.#viewerStreams.delete(socket)
  }

  /** Discards the state of the closed source. Returns true if this source had sent video. */
  removeSource(): boolean {
    const hadVideo = this.#gopMessages.length > 0
    this.#initSegment = null
    this.#gopMessages = []
    this.#viewerStreams.clear()
    return hadVideo
  }

  #cacheMessage(kind: number, message: ArrayBuffer): void {
    if (kind === RELAY_MESSAGE_TYPES.init) {
      this.#initSegment = message
      this.#gopMessages = []
      return
    }
    if (kind === RELAY_MESSAGE_TYPES.key) {
      this.#gopMessages = []
      this.#gopBytes = 0
    } else if (this.#gopMessages.length === 0) return
    this.#gopMessages.push(message)
    this.#gopBytes += message.byteLength
    if (this.#gopBytes > GOP_MAX_BYTES) this.#gopMessages = []
  }

  #startViewer(socket: WorkerSocket, now: number): void {
    if (this.#initSegment === null) return
    const viewerStream: ViewerStream = {
      unacknowledgedAt: this.#getUnacknowledgedAt(socket),
      waiting: this.#gopMessages.length === 0,
    }
    this.#viewerStreams.set(socket, viewerStream)
    for (const message of [this.#initSegment, ...this.#gopMessages]) this.#send(socket, viewerStream, message, now)
  }

  #sendOrSkip(socket: WorkerSocket, viewerStream: ViewerStream, kind: number, message: ArrayBuffer, now: number): void {
    const oldest = viewerStream.unacknowledgedAt[0]
    const isSlow = oldest !== undefined && now - oldest > SLOW_VIEWER_TIMEOUT_MS
    if (isSlow) viewerStream.waiting = true
    if (kind === RELAY_MESSAGE_TYPES.key && !isSlow) viewerStream.waiting = false
    if (kind === RELAY_MESSAGE_TYPES.init) viewerStream.waiting = true
    if (kind === RELAY_MESSAGE_TYPES.init || !viewerStream.waiting) this.#send(socket, viewerStream, message, now)
  }

  #send(socket: WorkerSocket, viewerStream: ViewerStream, message: ArrayBuffer, now: number): void {
    viewerStream.unacknowledgedAt.push(now)
    socket.send(message)
  }
}
