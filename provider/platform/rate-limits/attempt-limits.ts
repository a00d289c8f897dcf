import type { Env } from '../../env.ts'
import { canonicalEmail } from '../../accounts/account-rows.ts'
import { clientNetwork } from './client-network.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'

/** Counter and its limit per time window. `name` is the `Guard` object that counts, `action` the counter in it. */
export interface Limit {
  readonly name: string
  readonly action: string
  readonly count: number
  readonly windowMs: number
}

export interface Attempt {
  /** 0, or milliseconds until another attempt is allowed. */
  readonly waitMs: number
  /** Removes the attempt from the counters, because only failures count. */
  succeeded(): Promise<void>
}

/**
 * Counts an attempt before the password or code is checked, so that parallel attempts cannot bypass the limit. Checks
 * the limits in order. An attempt over a limit is removed from all counters, so counters contain only guesses that were
 * checked.
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

/** Limit of password and setup code guesses per client network, across all accounts. */
export function originLimit(ip: string): Limit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'sign-in', count: 30, windowMs: 5 * MINUTE_MS }
}

export function forgottenLimit(ip: string): Limit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'forgotten', count: 20, windowMs: HOUR_MS }
}

/**
 * Limit of password reset emails per address. With emails about shared cameras, an address gets at most five an hour.
 */
export function passwordMailLimit(email: string): Limit {
  return { name: `email:${canonicalEmail(email).slice(0, 254)}`, action: 'forgotten', count: 3, windowMs: HOUR_MS }
}

export function enrolLimit(ip: string): Limit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'enrol', count: 10, windowMs: 5 * MINUTE_MS }
}

/** Sign-in attempt with a password. `email` may be any spelling that finds the account. */
export interface Guesser {
  readonly email: string
  readonly ip: string
  /**
   * Id of the known browser: proof of an earlier sign-in to that account (provider/identity/sign-in/known-browser.ts),
   * or null.
   */
  readonly known: string | null
}

const browserLimit = (knownBrowserId: string): Limit => ({
  name: `browser:${knownBrowserId}`,
  action: 'sign-in',
  count: 10,
  windowMs: 5 * MINUTE_MS,
})

/** Returns the limits of passkey sign-ins. Passkeys cannot be guessed; the limits stop floods of forged assertions. */
export function passkeyLimits(ip: string, knownBrowserId: string | null): Limit[] {
  return [knownBrowserId === null ? originLimit(ip) : browserLimit(knownBrowserId)]
}

/**
 * Limits of a password sign-in: per client network 10 guesses at an account in five minutes and 20 in an hour, and 100
 * from all networks in an hour. A known browser has only its own limit, so that attackers cannot lock out the owner.
 */
export function signInLimits({ email, ip, known: knownBrowserId }: Guesser): Limit[] {
  if (knownBrowserId !== null) return [browserLimit(knownBrowserId)]
  const address = canonicalEmail(email).slice(0, 254)
  const pair = `pair:${clientNetwork(ip)} ${address}`
  return [
    originLimit(ip),
    { name: pair, action: 'sign-in', count: 10, windowMs: 5 * MINUTE_MS },
    { name: pair, action: 'sign-in-hour', count: 20, windowMs: HOUR_MS },
    { name: `email:${address}`, action: 'sign-in', count: 100, windowMs: HOUR_MS },
  ]
}

/** Second-factor attempt on an account whose password was correct. */
export interface FactorGuesser {
  readonly userId: string
  readonly ip: string
  /** Id of the known browser, as in `Guesser`. */
  readonly known: string | null
}

/**
 * Returns the limits of second-factor attempts. The first limit is per client network, so that an attacker who knows
 * the password does not use up the owner's attempts. A known browser has its own limit.
 */
export function factorLimits({ userId, ip, known: knownBrowserId }: FactorGuesser): [Limit, ...Limit[]] {
  const name = knownBrowserId === null ? `factor:${clientNetwork(ip)} ${userId}` : `browser:${knownBrowserId}`
  return [
    { name, action: 'factor', count: 5, windowMs: 5 * MINUTE_MS },
    { name, action: 'factor-day', count: 30, windowMs: 24 * HOUR_MS },
    ...(knownBrowserId === null
      ? [{ name: `factor:${userId}`, action: 'factor-day', count: 100, windowMs: 24 * HOUR_MS }]
      : []),
  ]
}
