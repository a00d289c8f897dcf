import { parseRtspUrl } from './rtsp-address.ts'

/** Waits after a refusal, ms: cameras lock a user after a few wrong tries, and the maker's app with it. */
const FIRST_WAIT_MS = 60_000
const NEXT_WAIT_MS = 600_000
/** How long the others wait while one stream asks, ms. */
const ASKING_MS = 30_000

interface Refusal {
  /** What its owner reads. */
  readonly reason: string
  /** When it was told, and when it may be asked again: ms of the caller's clock. */
  readonly at: number
  readonly until: number
}

/** `login`: the camera does not know it. `right`: it may not watch this stream. */
export type RefusalKind = 'login' | 'right'

/**
 * What cameras have refused. All streams of one camera share a login, so that it sees one wrong try a minute later, and then
 * one every ten minutes. A corrected password is another login, which nothing holds up.
 */
export class RefusedLogins {
  private readonly refusals = new Map<string, Refusal>()

  /** How long to wait before asking, ms, and why; undefined: ask now, and the others with this login wait for the answer. */
  wait(address: string, now: number): { readonly ms: number; readonly reason: string } | undefined {
    for (const key of backoffKeys(address)) {
      const refusal = this.refusals.get(key)
      if (!refusal) continue
      if (now < refusal.until) return { ms: refusal.until - now, reason: refusal.reason }
      this.refusals.set(key, { ...refusal, until: now + ASKING_MS })
    }
    return undefined
  }

  /** The camera has refused what it was asked at `askedAt`. Answers how long to wait, ms; refusals of one moment count once. */
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

/** When the camera is asked again, as its owner reads it. */
export function askedAgain(waitMs: number): string {
  return `It is asked again within ${waitMs <= FIRST_WAIT_MS ? 'a minute' : 'ten minutes'}.`
}

function loginKey(address: string): string {
  const { host, username, password } = parseRtspUrl(address)
  return `${username}:${password}@${host}`
}
