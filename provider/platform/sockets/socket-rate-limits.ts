import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { CLOSE_RATE_LIMITED } from '../../../contract/wire/socket-close-codes.ts'
import { type TokenBucketLimits, TokenBucket } from '../../../contract/wire/token-bucket.ts'

/** Rate limits of one socket: number of messages, and total bytes (characters for text messages). */
export interface SocketLimits {
  readonly messages: TokenBucketLimits
  readonly bytes: TokenBucketLimits
}

/** Limits of a viewer's socket. They allow an offer, its ICE candidates, and four acknowledgments per second. */
export const VIEWER_LIMITS: SocketLimits = {
  messages: { burst: 300, perSecond: 30 },
  bytes: { burst: 512 * 1024, perSecond: 64 * 1024 },
}
/** Limits of a bridge's control socket, which carries the messages for all of its cameras and viewers. */
export const BRIDGE_LIMITS: SocketLimits = {
  messages: { burst: 3000, perSecond: 300 },
  bytes: { burst: 8 * 1024 * 1024, perSecond: 1024 * 1024 },
}
/**
 * Limits of a bridge socket that sends one rendition or extra track. The burst allows all data since the last keyframe,
 * and the rate allows live video.
 */
export const SOURCE_LIMITS: SocketLimits = {
  messages: { burst: 1200, perSecond: 240 },
  bytes: { burst: 32 * 1024 * 1024, perSecond: 4 * 1024 * 1024 },
}
/** Limits of a feed socket, on which pages only request checks. */
export const FEED_LIMITS: SocketLimits = {
  messages: { burst: 20, perSecond: 1 },
  bytes: { burst: 4096, perSecond: 100 },
}

/** Time for which an account that flooded a socket cannot open another socket. */
const BLOCK_DURATION_MS = 60_000

/**
 * Enforces the rate limits of the sockets of a Durable Object. Closes a socket that exceeds the limits, and blocks its
 * account for `BLOCK_DURATION_MS`.
 */
export class SocketRateLimiter {
  readonly #buckets = new WeakMap<WorkerSocket, { messages: TokenBucket; bytes: TokenBucket }>()
  readonly #blockedUntil = new Map<string, number>()

  /**
   * Returns false if the message exceeds the limits or the socket is closing. `userId`: account that opened the socket,
   * if any. `now`: ms.
   */
  allows(
    socket: WorkerSocket,
    data: string | ArrayBuffer,
    limits: SocketLimits,
    now: number,
    userId?: string,
  ): boolean {
    if (socket.readyState !== WebSocket.OPEN) return false
    const { messages, bytes } = this.#getBuckets(socket, limits, now)
    const size = typeof data === 'string' ? data.length : data.byteLength
    if (messages.consume(now) && bytes.consume(now, size)) return true
    if (userId !== undefined) this.#block(userId, now)
    socket.close(CLOSE_RATE_LIMITED, 'This socket sent too much data. Reconnect and send less.')
    return false
  }

  isBlocked(userId: string, now: number): boolean {
    return (this.#blockedUntil.get(userId) ?? 0) > now
  }

  #block(userId: string, now: number): void {
    for (const [other, until] of this.#blockedUntil) if (until <= now) this.#blockedUntil.delete(other)
    this.#blockedUntil.set(userId, now + BLOCK_DURATION_MS)
  }

  #getBuckets(socket: WorkerSocket, limits: SocketLimits, now: number) {
    const existing = this.#buckets.get(socket)
    if (existing) return existing
    const newBuckets = { messages: new TokenBucket(limits.messages, now), bytes: new TokenBucket(limits.bytes, now) }
    this.#buckets.set(socket, newBuckets)
    return newBuckets
  }
}
