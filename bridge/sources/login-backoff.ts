import { parseRtspUrl } from './rtsp-address.ts'

/**
 * Delay after the first rejected login, and after each further one, ms. Both are long, because cameras lock a user
 * after a few wrong attempts, even in the vendor's app.
 */
const FIRST_WAIT_MS = 60_000
const NEXT_WAIT_MS = 600_000
/** Maximum time that other streams with the same login wait for the result of one stream's attempt, ms. */
const ATTEMPT_TIMEOUT_MS = 30_000

interface LoginRejection {
  readonly reason: string
  /** Time of the rejection (`at`) and of the next allowed attempt (`until`), ms of the caller's clock. */
  readonly at: number
  readonly until: number
}

/** `login`: the camera does not accept the credentials. `right`: the user may not watch this stream. */
export type LoginRejectionKind = 'login' | 'right'

/**
 * Backoff for rejected logins. A rejection of kind `login` delays all streams with the same login and host; a rejection
 * of kind `right` delays only one address. The camera sees the first retry after a minute, then one every ten minutes.
 * A corrected password is a different login, so it has no delay.
 */
export class LoginBackoff {
  readonly #rejections = new Map<string, LoginRejection>()

  /**
   * Returns the delay before the next attempt (`ms`) and the reason of the last rejection; undefined if the caller may
   * try now. After an earlier rejection, other streams with this login wait for the result of the attempt.
   */
  getDelay(address: string, now: number): { readonly ms: number; readonly reason: string } | undefined {
    for (const key of getBackoffKeys(address)) {
      const refusal = this.#rejections.get(key)
      if (!refusal) continue
      if (now < refusal.until) return { ms: refusal.until - now, reason: refusal.reason }
      this.#rejections.set(key, { ...refusal, until: now + ATTEMPT_TIMEOUT_MS })
    }
    return undefined
  }

  /**
   * Records a rejected attempt that started at `attemptedAt`. Returns the delay, ms. Concurrent rejections count once.
   */
  recordRejection(
    address: string,
    { kind, reason }: { kind: LoginRejectionKind; reason: string },
    attemptedAt: number,
    now: number,
  ): number {
    const key = kind === 'login' ? getLoginKey(address) : address
    const before = this.#rejections.get(key)
    if (before && attemptedAt < before.at) return Math.max(0, before.until - now)
    const delayMs = before ? NEXT_WAIT_MS : FIRST_WAIT_MS
    this.#rejections.set(key, { reason, at: now, until: now + delayMs })
    return delayMs
  }

  recordSuccess(address: string): void {
    for (const key of getBackoffKeys(address)) this.#rejections.delete(key)
  }
}

const getBackoffKeys = (address: string) => [getLoginKey(address), address]

export function formatRetryNotice(waitMs: number): string {
  return `Trying again within ${waitMs <= FIRST_WAIT_MS ? 'a minute' : 'ten minutes'}.`
}

function getLoginKey(address: string): string {
  const { host, username, password } = parseRtspUrl(address)
  return `${username}:${password}@${host}`
}
