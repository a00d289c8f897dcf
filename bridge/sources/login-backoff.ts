import { parseRtspUrl } from './rtsp-address.ts'

/**
 * Delays after the first and after each further rejected login, ms: after a few wrong attempts, cameras lock a user,
 * even in the vendor's app.
 */
const FIRST_WAIT_MS = 60_000
const NEXT_WAIT_MS = 600_000
/** Time for which other streams with the same login wait while one stream tries it, ms. */
const ASKING_MS = 30_000

interface Refusal {
  readonly reason: string
  /** Time of the rejection (`at`) and of the next allowed attempt (`until`), ms of the caller's clock. */
  readonly at: number
  readonly until: number
}

/** `login`: the camera does not accept the credentials. `right`: the user may not watch this stream. */
export type RefusalKind = 'login' | 'right'

/**
 * Backoff for rejected logins. All streams of a camera share a login, so the camera sees one wrong attempt after a
 * minute, then one every ten minutes. A corrected password is a different login and is tried immediately.
 */
export class RefusedLogins {
  private readonly refusals = new Map<string, Refusal>()

  /**
   * Returns the delay before the next attempt, ms, and its reason. Undefined: the caller may try now, and other streams
   * with this login wait for the result.
   */
  wait(address: string, now: number): { readonly ms: number; readonly reason: string } | undefined {
    for (const key of backoffKeys(address)) {
      const refusal = this.refusals.get(key)
      if (!refusal) continue
      if (now < refusal.until) return { ms: refusal.until - now, reason: refusal.reason }
      this.refusals.set(key, { ...refusal, until: now + ASKING_MS })
    }
    return undefined
  }

  /** Records the rejection of an attempt made at `askedAt`. Returns the delay, ms; concurrent rejections count once. */
  refuse(
    address: string,
    { kind, reason }: { kind: RefusalKind; reason: string },
    askedAt: number,
    now: number,
  ): number {
    const key = kind === 'login' ? loginKey(address) : address
    const before = this.refusals.get(key)
    if (before && askedAt < before.at) return Math.max(0, before.until - now)
    const wait = before ? NEXT_WAIT_MS : FIRST_WAIT_MS
    this.refusals.set(key, { reason, at: now, until: now + wait })
    return wait
  }

  accept(address: string): void {
    for (const key of backoffKeys(address)) this.refusals.delete(key)
  }
}

const backoffKeys = (address: string) => [loginKey(address), address]

export function askedAgain(waitMs: number): string {
  return `It is asked again within ${waitMs <= FIRST_WAIT_MS ? 'a minute' : 'ten minutes'}.`
}

function loginKey(address: string): string {
  const { host, username, password } = parseRtspUrl(address)
  return `${username}:${password}@${host}`
}
