import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { RelayFlows, type Fed } from './relay.ts'

/** The renditions of one camera on their way to its viewers; a viewer gets one of them at a time. */
export class RelayRenditions {
  private readonly renditions = new Map<string, RelayFlows>()

  /** Whether the viewer gets this rendition. */
  has(rendition: string, socket: WorkerSocket): boolean {
    return this.renditions.get(rendition)?.has(socket) ?? false
  }

  /** Gives a viewer this rendition instead of another, or for a start; false: there is nothing, or nothing new enough. */
  join(rendition: string, socket: WorkerSocket, now: number): boolean {
    const joined = this.renditions.get(rendition)?.join(socket, now) ?? false
    if (joined) this.leaveOthers(rendition, socket)
    return joined
  }

  /** `turned`: some viewers have left another rendition for this one. */
  feed(rendition: string, message: ArrayBuffer, viewers: readonly WorkerSocket[], now: number): Fed | 'turned' {
    const flows = this.renditions.get(rendition) ?? new RelayFlows()
    this.renditions.set(rendition, flows)
    const fed = flows.feed(message, viewers, now)
    if (fed !== 'passed' || this.renditions.size < 2) return fed
    const turned = viewers.filter((socket) => flows.has(socket) && this.leaveOthers(rendition, socket))
    return turned.length > 0 ? 'turned' : fed
  }

  acknowledge(socket: WorkerSocket, received: number): void {
    for (const flows of this.renditions.values()) flows.acknowledge(socket, received)
  }

  leave(socket: WorkerSocket): void {
    for (const flows of this.renditions.values()) flows.leave(socket)
  }

  /** The source is gone; answers whether it had brought something. */
  forget(rendition: string): boolean {
    const hadPictures = this.renditions.get(rendition)?.forget() ?? false
    this.renditions.delete(rendition)
    return hadPictures
  }

  private leaveOthers(rendition: string, socket: WorkerSocket): boolean {
    const others = [...this.renditions].filter(([name, flows]) => name !== rendition && flows.has(socket))
    for (const [, flows] of others) flows.leave(socket)
    return others.length > 0
  }
}
