import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { extraTrackOffset } from '../../contract/live/relay-protocol.ts'
import { RelayFanout, type RelayFeedResult } from './relay-fanout.ts'

/**
 * Streams from one camera to its viewers, by name: renditions, one per viewer at a time, and extra tracks
 * (`RELAY_BESIDE`).
 */
export class RelayStreams {
  private readonly lines = new Map<string, RelayFanout>()
  /** Send times of each viewer's unacknowledged messages, ms UTC, across all streams. */
  private readonly onTheWay = new Map<WorkerSocket, number[]>()

  has(name: string, socket: WorkerSocket): boolean {
    return this.lines.get(name)?.has(socket) ?? false
  }

  /**
   * Starts sending this stream to a viewer, in place of another rendition. Returns false if there is no such stream or
   * the stream is stale.
   */
  join(name: string, socket: WorkerSocket, now: number): boolean {
    const joined = this.lines.get(name)?.join(socket, now) ?? false
    if (joined) this.leaveOthers(name, socket)
    return joined
  }

  /**
   * Sends a message of a stream to the viewers. Returns `turned` if this made viewers switch to this rendition from
   * another one.
   */
  feed(name: string, message: ArrayBuffer, viewers: readonly WorkerSocket[], now: number): RelayFeedResult | 'turned' {
    const flows = this.lines.get(name) ?? new RelayFanout(extraTrackOffset(name), (socket) => this.wayTo(socket))
    this.lines.set(name, flows)
    const fed = flows.feed(message, viewers, now)
    if (fed !== 'passed' || this.lines.size < 2) return fed
    const turned = viewers.filter((socket) => flows.has(socket) && this.leaveOthers(name, socket))
    return turned.length > 0 ? 'turned' : fed
  }

  acknowledge(socket: WorkerSocket, received: number): void {
    this.onTheWay.get(socket)?.splice(0, received)
  }

  leave(socket: WorkerSocket): void {
    for (const flows of this.lines.values()) flows.leave(socket)
    this.onTheWay.delete(socket)
  }

  drop(name: string, socket: WorkerSocket): void {
    this.lines.get(name)?.leave(socket)
  }

  /** Removes the source; returns true if it had sent video. */
  removeSource(name: string): boolean {
    const hadPictures = this.lines.get(name)?.removeSource() ?? false
    this.lines.delete(name)
    return hadPictures
  }

  private wayTo(socket: WorkerSocket): number[] {
    const way = this.onTheWay.get(socket) ?? []
    this.onTheWay.set(socket, way)
    return way
  }

  private leaveOthers(rendition: string, socket: WorkerSocket): boolean {
    if (extraTrackOffset(rendition) > 0) return false
    const others = [...this.lines].filter(
      ([name, flows]) => name !== rendition && extraTrackOffset(name) === 0 && flows.has(socket),
    )
    for (const [, flows] of others) flows.leave(socket)
    return others.length > 0
  }
}
