import type { Env } from '../../env.ts'
import { canonicalEmail } from '../../accounts/account-rows.ts'
import { clientNetwork } from './client-network.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** One counter and how many attempts it takes within a time. `name` is the `Guard` object that counts, `action` what. */
export interface Limit {
  readonly name: string
  readonly action: string
  readonly count: number
  readonly windowMs: number
}

/** An attempt that was counted. */
export interface Attempt {
  /** 0, or the milliseconds until another attempt is taken. */
  readonly waitMs: number
  /** Takes the attempt back: only failures count. */
  succeeded(): Promise<void>
}

/**
 * Counts an attempt before the password or code is looked at, so that parallel ones cannot slip through. Limits are asked
 * in their order: what one refuses is counted by none, so that a counter holds only guesses that were looked at.
 */
export async function countAttempt(env: Env, limits: readonly Limit[], now: number): Promise<Attempt> {
  const counted: Limit[] = []
  const undoAttempts = async () => {
    await Promise.all(counted.map(({ name, action }) => env.GUARDS.getByName(name).undoAttempt(action)))
  }
  for (const limit of limits) {
    const { name, action, count, windowMs } = limit
    const waitMs = await env.GUARDS.getByName(name).attempt(action, count, windowMs, now)
    if (waitMs > 0) {
      await undoAttempts()
      return { waitMs, succeeded: () => Promise.resolve() }
    }
    counted.push(limit)
  }
  return { waitMs: 0, succeeded: undoAttempts }
}

/** What one place (`originPrefix`) may guess of passwords and setup codes, whatever the accounts. */
export function originLimit(ip: string): Limit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'sign-in', count: 30, windowMs: 5 * MINUTE }
}

/** Requests for a new password from one place. */
export function forgottenLimit(ip: string): Limit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'forgotten', count: 20, windowMs: HOUR }
}

/** Mails with a link to choose a new password, to one address. With those about shared cameras they are five an hour. */
export function passwordMailLimit(email: string): Limit {
  return { name: `email:${canonicalEmail(email).slice(0, 254)}`, action: 'forgotten', count: 3, windowMs: HOUR }
}

/** What one place may guess of the codes that enrol a bridge. */
export function enrolLimit(ip: string): Limit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'enrol', count: 10, windowMs: 5 * MINUTE }
}

/** What guesses the password of the account `email`, typed in any spelling that finds it. */
export interface Guesser {
  readonly email: string
  readonly ip: string
  /** Id of the proof that this browser has signed in as that account before (provider/identity/sign-in/known-browser.ts), or null. */
  readonly known: string | null
}

const browserLimit = (knownBrowserId: string): Limit => ({
  name: `browser:${knownBrowserId}`,
  action: 'sign-in',
  count: 10,
  windowMs: 5 * MINUTE,
})

/** The limits of a sign-in by a passkey, which nobody guesses: they keep a flood of forged ones away. */
export function passkeyLimits(ip: string, knownBrowserId: string | null): Limit[] {
  return [knownBrowserId === null ? originLimit(ip) : browserLimit(knownBrowserId)]
}

/**
 * The limits of a sign-in. One place gets 10 guesses at an account in five minutes and 20 in an hour; all places together
 * get 100 in an hour. A browser that has signed in before stands outside of all that with a budget of its own, so that
 * nobody's guesses keep its owner out.
 */
export function signInLimits({ email, ip, known: knownBrowserId }: Guesser): Limit[] {
  if (knownBrowserId !== null) return [browserLimit(knownBrowserId)]
  const address = canonicalEmail(email).slice(0, 254)
  const pair = `pair:${clientNetwork(ip)} ${address}`
  return [
    originLimit(ip),
    { name: pair, action: 'sign-in', count: 10, windowMs: 5 * MINUTE },
    { name: pair, action: 'sign-in-hour', count: 20, windowMs: HOUR },
    { name: `email:${address}`, action: 'sign-in', count: 100, windowMs: HOUR },
  ]
}

/** Attempts at the second factor of an account, by somebody who has its password. */
export interface FactorGuesser {
  readonly userId: string
  readonly ip: string
  /** As in `Guesser`. */
  readonly known: string | null
}

/**
 * Limits of attempts at the second factor. They count by place first, so that a stranger who has the password does not use up
 * the owner's. A browser that has signed in before has a budget of its own.
 */
export function factorLimits({ userId, ip, known: knownBrowserId }: FactorGuesser): [Limit, ...Limit[]] {
  const name = knownBrowserId === null ? `factor:${clientNetwork(ip)} ${userId}` : `browser:${knownBrowserId}`
  return [
    { name, action: 'factor', count: 5, windowMs: 5 * MINUTE },
    { name, action: 'factor-day', count: 30, windowMs: 24 * HOUR },
    ...(knownBrowserId === null
      ? [{ name: `factor:${userId}`, action: 'factor-day', count: 100, windowMs: 24 * HOUR }]
      : []),
  ]
}
