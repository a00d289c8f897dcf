import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { extraTrackOffset } from '../../contract/live/relay-protocol.ts'
import { RelayFanout, type RelayFeedResult } from './relay-fanout.ts'

/**
 * What one camera sends to its viewers: its renditions, of which a viewer gets one at a time, and what there is beside the
 * main picture (`RELAY_BESIDE`); each by its name.
 */
export class RelayStreams {
  private readonly lines = new Map<string, RelayFanout>()
  /** When the messages that are on the way to a viewer were sent, ms UTC, whatever they are of. */
  private readonly onTheWay = new Map<WorkerSocket, number[]>()

  /** Whether the viewer gets this. */
  has(name: string, socket: WorkerSocket): boolean {
    return this.lines.get(name)?.has(socket) ?? false
  }

  /** Gives a viewer this, instead of another rendition or for a start; false: there is nothing, or nothing new enough. */
  join(name: string, socket: WorkerSocket, now: number): boolean {
    const joined = this.lines.get(name)?.join(socket, now) ?? false
    if (joined) this.leaveOthers(name, socket)
    return joined
  }

  /** `turned`: some viewers have left another rendition for this one. */
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

  /** The viewer gets nothing more. */
  leave(socket: WorkerSocket): void {
    for (const flows of this.lines.values()) flows.leave(socket)
    this.onTheWay.delete(socket)
  }

  /** The viewer does not get this any more. */
  drop(name: string, socket: WorkerSocket): void {
    this.lines.get(name)?.leave(socket)
  }

  /** The source is gone; answers whether it had brought something. */
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
