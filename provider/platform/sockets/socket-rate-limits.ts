import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { FLOODED } from '../../../contract/wire/socket-close-codes.ts'
import { type Allowance, TokenBucket } from '../../../contract/wire/token-bucket.ts'

/** Rate limit of one socket: messages, and their bytes (characters for text). */
export interface SocketAllowance {
  readonly messages: Allowance
  readonly bytes: Allowance
}

/** Limits for a page that watches a camera: an offer, its ICE candidates, and four acknowledgments per second. */
export const OF_VIEWER: SocketAllowance = {
  messages: { burst: 300, perSecond: 30 },
  bytes: { burst: 512 * 1024, perSecond: 64 * 1024 },
}
/** Limits for a bridge: messages for all of its cameras and their viewers. */
export const OF_BRIDGE: SocketAllowance = {
  messages: { burst: 3000, perSecond: 300 },
  bytes: { burst: 8 * 1024 * 1024, perSecond: 1024 * 1024 },
}
/**
 * Limits for a source of frames (one rendition) or audio: first a burst of all data since the last keyframe, then real
 * time.
 */
export const OF_SOURCE: SocketAllowance = {
  messages: { burst: 1200, perSecond: 240 },
  bytes: { burst: 32 * 1024 * 1024, perSecond: 4 * 1024 * 1024 },
}
/** Limits for a feed socket, on which pages have nothing to send. */
export const OF_FEED: SocketAllowance = {
  messages: { burst: 20, perSecond: 1 },
  bytes: { burst: 4096, perSecond: 100 },
}

/** Time in ms during which an account that flooded a socket cannot open another one. */
const BARRED_MS = 60_000

/** Rate limits of an object's sockets. Closes sockets that exceed them with `FLOODED`. */
export class SocketRateLimiter {
  private readonly budgets = new WeakMap<WorkerSocket, { messages: TokenBucket; bytes: TokenBucket }>()
  private readonly barredUntil = new Map<string, number>()

  /**
   * Returns false for a message that exceeds the limit, or on a socket that is closing. `userId` is the account that
   * opened it, if any; `now` in ms.
   */
  allows(
    socket: WorkerSocket,
    data: string | ArrayBuffer,
    allowance: SocketAllowance,
    now: number,
    userId?: string,
  ): boolean {
    if (socket.readyState !== WebSocket.OPEN) return false
    const { messages, bytes } = this.of(socket, allowance, now)
    const size = typeof data === 'string' ? data.length : data.byteLength
    if (messages.consume(now) && bytes.consume(now, size)) return true
    if (userId !== undefined) this.bar(userId, now)
    socket.close(FLOODED, 'Too much was sent over this socket. Connect again and send less.')
    return false
  }

  isBarred(userId: string, now: number): boolean {
    return (this.barredUntil.get(userId) ?? 0) > now
  }

  private bar(userId: string, now: number): void {
    for (const [other, until] of this.barredUntil) if (until <= now) this.barredUntil.delete(other)
    this.barredUntil.set(userId, now + BARRED_MS)
  }

  private of(socket: WorkerSocket, allowance: SocketAllowance, now: number) {
    const existing = this.budgets.get(socket)
    if (existing) return existing
    const fresh = { messages: new TokenBucket(allowance.messages, now), bytes: new TokenBucket(allowance.bytes, now) }
    this.budgets.set(socket, fresh)
    return fresh
  }
}
