import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { getExtraTrackOffset } from '../../contract/live/relay-protocol.ts'
import { RelayFanout, type RelayFeedResult } from './relay-fanout.ts'

/**
 * Streams from one camera to its viewers, by stream name. A viewer gets one rendition at a time, plus extra tracks
 * (`RELAY_BESIDE`).
 */
export class RelayStreams {
  readonly #fanouts = new Map<string, RelayFanout>()
  /** Send times of each viewer's unacknowledged messages, ms UTC, across all streams. */
  readonly #unacknowledgedAt = new Map<WorkerSocket, number[]>()

  hasViewer(name: string, socket: WorkerSocket): boolean {
    return this.#fanouts.get(name)?.hasViewer(socket) ?? false
  }

  /**
   * Sends this stream to a viewer. If the stream is a rendition, it replaces the viewer's previous rendition. Returns
   * false if the stream does not exist, has no keyframe yet or is stale.
   */
  addViewer(name: string, socket: WorkerSocket, now: number): boolean {
    const isAdded = this.#fanouts.get(name)?.addViewer(socket, now) ?? false
    if (isAdded) this.#leaveOtherRenditions(name, socket)
    return isAdded
  }

  /**
   * Sends a stream message to the viewers. Returns `turned` if at least one viewer switched to this rendition with the
   * message, otherwise the result of `RelayFanout.feed`.
   */
  feed(name: string, message: ArrayBuffer, viewers: readonly WorkerSocket[], now: number): RelayFeedResult | 'turned' {
    const fanout =
      this.#fanouts.get(name) ??
      new RelayFanout(getExtraTrackOffset(name), (socket) => this.#getUnacknowledgedAt(socket))
    this.#fanouts.set(name, fanout)
    const result = fanout.feed(message, viewers, now)
    if (result !== 'passed' || this.#fanouts.size < 2) return result
    const switchedViewers = viewers.filter(
      (socket) => fanout.hasViewer(socket) && this.#leaveOtherRenditions(name, socket),
    )
    return switchedViewers.length > 0 ? 'turned' : result
  }

  acknowledge(socket: WorkerSocket, received: number): void {
    this.#unacknowledgedAt.get(socket)?.splice(0, received)
  }

  removeViewer(socket: WorkerSocket): void {
    for (const flows of this.#fanouts.values()) flows.removeViewer(socket)
    this.#unacknowledgedAt.delete(socket)
  }

  removeViewerFromStream(name: string, socket: WorkerSocket): void {
    this.#fanouts.get(name)?.removeViewer(socket)
  }

  /** Discards a stream whose source has closed. Returns true if this source had sent video. */
  removeSource(name: string): boolean {
    const hadVideo = this.#fanouts.get(name)?.removeSource() ?? false
    this.#fanouts.delete(name)
    return hadVideo
  }

  #getUnacknowledgedAt(socket: WorkerSocket): number[] {
    const sentAt = this.#unacknowledgedAt.get(socket) ?? []
    this.#unacknowledgedAt.set(socket, sentAt)
    return sentAt
  }

  #leaveOtherRenditions(rendition: string, socket: WorkerSocket): boolean {
    if (getExtraTrackOffset(rendition) > 0) return false
    const others = [...this.#fanouts].filter(
      ([name, flows]) => name !== rendition && getExtraTrackOffset(name) === 0 && flows.hasViewer(socket),
    )
    for (const [, flows] of others) flows.removeViewer(socket)
    return others.length > 0
  }
}
