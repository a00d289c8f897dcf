import { formatLoginWait } from './login-texts.ts'

const ATTEMPTS_MAX = 3
const WINDOW_MS = 60_000
const HOSTS_MAX = 256

/**
 * Limits the attempts with a login per host, across all checks, because cameras lock after a few wrong attempts. An
 * attempt that the camera accepted no longer counts.
 */
export class LoginAttempts {
  readonly #times = new Map<string, number[]>()
  readonly #now: () => number

  /** `now`: returns the time of a monotonic clock, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Counts an attempt and returns 0, or returns the time until the next attempt is allowed, ms. */
  startAttempt(host: string): number {
    const now = this.#now()
    for (const [key, times] of this.#times) if (times.every((time) => time <= now - WINDOW_MS)) this.#times.delete(key)
    const times = (this.#times.get(host) ?? []).filter((time) => time > now - WINDOW_MS)
    const oldest = times[0]
    if (oldest !== undefined && times.length >= ATTEMPTS_MAX) return oldest + WINDOW_MS - now
    if (!this.#times.has(host) && this.#times.size >= HOSTS_MAX) return WINDOW_MS
    this.#times.set(host, [...times, now])
    return 0
  }

  /** Stops counting the latest attempt, because the camera accepted its login. */
  accept(host: string): void {
    this.#times.get(host)?.pop()
  }
}

/** Counts the login of one check as one attempt, even if the check sends the login several times. */
export class LoginGate {
  readonly #attempts: LoginAttempts
  readonly #host: string
  #isOpen = false

  constructor(attempts: LoginAttempts, host: string) {
    this.#attempts = attempts
    this.#host = host
  }

  /** Call it before the check sends the login. Throws an Error for the owner if there were too many attempts. */
  open(): void {
    if (this.#isOpen) return
    const waitMs = this.#attempts.startAttempt(this.#host)
    if (waitMs > 0) throw new Error(formatLoginWait(waitMs))
    this.#isOpen = true
  }

  accept(): void {
    if (this.#isOpen) this.#attempts.accept(this.#host)
    this.#isOpen = false
  }
}
