import type { Env } from '../env.ts'

/** Attempts at signing in that fail, by address and by origin. */
const SIGN_IN_LIMIT = { count: 10, windowMs: 300_000 } as const
const ACTION = 'sign-in'

interface Attempt {
  /** 0, or the milliseconds until another attempt is taken. */
  readonly waitMs: number
  /** Takes the attempt back: only failures count. */
  succeeded(): Promise<void>
}

/**
 * Counts an attempt before the password or code is looked at, so that parallel ones cannot slip through. `names` are what
 * it is counted by, `email:…` or `ip:…`; 10 failures within five minutes are too many.
 */
export async function beginAttempt(env: Env, names: readonly string[], now: number): Promise<Attempt> {
  const { count, windowMs } = SIGN_IN_LIMIT
  const counters = names.map((name) => env.GUARDS.getByName(name))
  const waits = await Promise.all(counters.map((counter) => counter.attempt(ACTION, count, windowMs, now)))
  return {
    waitMs: Math.max(...waits),
    async succeeded() {
      await Promise.all(counters.map((counter) => counter.takeBack(ACTION)))
    },
  }
}

/** The counter of an address that somebody typed. */
export function emailCounter(email: string): string {
  return `email:${email.trim().toLowerCase().slice(0, 254)}`
}
