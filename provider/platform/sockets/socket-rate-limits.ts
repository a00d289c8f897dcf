import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { FLOODED } from '../../../contract/wire/socket-close-codes.ts'
import { type Allowance, TokenBucket } from '../../../contract/wire/token-bucket.ts'

/** What one socket may send: messages, and their bytes (of text: characters). */
export interface SocketAllowance {
  readonly messages: Allowance
  readonly bytes: Allowance
}

/** What a page says while it watches: an offer, its candidates, an acknowledgement four times a second. */
export const OF_VIEWER: SocketAllowance = {
  messages: { burst: 300, perSecond: 30 },
  bytes: { burst: 512 * 1024, perSecond: 64 * 1024 },
}
/** What a bridge says for all of its cameras and all who watch them. */
export const OF_BRIDGE: SocketAllowance = {
  messages: { burst: 3000, perSecond: 300 },
  bytes: { burst: 8 * 1024 * 1024, perSecond: 1024 * 1024 },
}
/** The pictures of one rendition, or sound: what has come since the last keyframe at once, then as it happens. */
export const OF_SOURCE: SocketAllowance = {
  messages: { burst: 1200, perSecond: 240 },
  bytes: { burst: 32 * 1024 * 1024, perSecond: 4 * 1024 * 1024 },
}
/** A page says nothing on its feed. */
export const OF_FEED: SocketAllowance = {
  messages: { burst: 20, perSecond: 1 },
  bytes: { burst: 4096, perSecond: 100 },
}

/** Whoever has flooded a socket opens no other one for so long, ms. */
const BARRED_MS = 60_000

/** What each socket of an object has left. Whoever sends more is closed with `FLOODED`, so that nobody holds up the others. */
export class SocketRateLimiter {
  private readonly budgets = new WeakMap<WorkerSocket, { messages: TokenBucket; bytes: TokenBucket }>()
  private readonly barredUntil = new Map<string, number>()

  /**
   * Whether a message counts: false for one of a socket that has sent too much, or is being closed. `who` has opened it, where
   * that is an account; `now` in ms.
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

  /** Whether this account has flooded a socket of the object a moment ago: it opens none now. */
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
