import type { Env } from '../env.ts'

/** Attempts at signing in that fail, by address and by origin (security: Decisions 9). */
const SIGN_IN_LIMIT = { count: 10, windowMs: 300_000 } as const
const ACTION = 'sign-in'

interface Attempt {
  /** 0, or the milliseconds until another attempt is taken. */
  readonly waitMs: number
  /** Takes the attempt back: only failures count. */
  succeeded(): Promise<void>
}

/** Counts an attempt at signing in before the password is looked at, so that parallel ones cannot slip through. */
export async function beginAttempt(env: Env, email: string, ip: string, now: number): Promise<Attempt> {
  const { count, windowMs } = SIGN_IN_LIMIT
  const counters = [`email:${email.trim().toLowerCase().slice(0, 254)}`, `ip:${ip}`].map((name) =>
    env.ACCOUNTS.getByName(name),
  )
  const waits = await Promise.all(counters.map((counter) => counter.attempt(ACTION, count, windowMs, now)))
  return {
    waitMs: Math.max(...waits),
    async succeeded() {
      await Promise.all(counters.map((counter) => counter.takeBack(ACTION)))
    },
  }
}
