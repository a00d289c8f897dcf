import type { Env } from '../../env.ts'
import { canonicalizeEmail } from '../../accounts/account-rows.ts'
import { clientNetwork } from './client-network.ts'
import { HOUR_MS, MINUTE_MS } from '../../../contract/time-units.ts'
import { getObject } from '../objects.ts'

/** Limit of attempts per time window. `name`: the `Guard` object that counts. `action`: the counter in this object. */
export interface AttemptLimit {
  readonly name: string
  readonly action: string
  readonly count: number
  readonly windowMs: number
}

export interface CountedAttempt {
  /** Milliseconds until another attempt is allowed; 0 if this attempt is allowed. */
  readonly waitMs: number
  /** Removes the attempt from all counters, because only failed attempts count. */
  markSucceeded(): Promise<void>
}

/**
 * Counts an attempt against all limits. If the attempt exceeds one of the limits, it counts against none. Call this
 * function before checking the password or code, so that parallel attempts cannot bypass a limit.
 */
export async function countAttempt(env: Env, limits: readonly AttemptLimit[], now: number): Promise<CountedAttempt> {
  const counted: AttemptLimit[] = []
  const undoAttempts = async () => {
    await Promise.all(counted.map(({ name, action }) => getObject(env, 'GUARDS', name).undoAttempt(action)))
  }
  for (const limit of limits) {
    const { name, action, count, windowMs } = limit
    const waitMs = await getObject(env, 'GUARDS', name).countAttempt(action, count, windowMs, now)
    if (waitMs > 0) {
      await undoAttempts()
      return { waitMs, markSucceeded: () => Promise.resolve() }
    }
    counted.push(limit)
  }
  return { waitMs: 0, markSucceeded: undoAttempts }
}

/**
 * Returns the limit of failed sign-ins per client network: by password, passkey or setup code, summed over all
 * accounts.
 */
export function networkLimit(ip: string): AttemptLimit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'sign-in', count: 30, windowMs: 5 * MINUTE_MS }
}

export function resetRequestLimit(ip: string): AttemptLimit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'forgotten', count: 20, windowMs: HOUR_MS }
}

/**
 * Returns the limit of password reset emails per address. Reset emails and shared-camera emails together are at most
 * five per address per hour.
 */
export function resetEmailLimit(email: string): AttemptLimit {
  return { name: `email:${canonicalizeEmail(email).slice(0, 254)}`, action: 'forgotten', count: 3, windowMs: HOUR_MS }
}

export function signUpLimit(ip: string): AttemptLimit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'sign-up', count: 10, windowMs: HOUR_MS }
}

/** Returns the limit of emails to one address that requests for a new account cause. */
export function signUpEmailLimit(email: string): AttemptLimit {
  return { name: `email:${canonicalizeEmail(email).slice(0, 254)}`, action: 'sign-up', count: 3, windowMs: HOUR_MS }
}

/** Returns the limit of invitation emails that one owner causes. */
export function invitationLimit(userId: string): AttemptLimit {
  return { name: userId, action: 'invite', count: 20, windowMs: 24 * HOUR_MS }
}

export function enrollmentLimit(ip: string): AttemptLimit {
  return { name: `ip:${clientNetwork(ip)}`, action: 'enrol', count: 10, windowMs: 5 * MINUTE_MS }
}

/** Sign-in attempt with a password. `email` may have any spelling, because `canonicalizeEmail` normalizes it. */
export interface SignInAttempt {
  readonly email: string
  readonly ip: string
  /**
   * Id of the known browser, which proves an earlier sign-in to the account (known-browser.ts); null for any other
   * browser.
   */
  readonly known: string | null
}

const knownBrowserLimit = (knownBrowserId: string): AttemptLimit => ({
  name: `browser:${knownBrowserId}`,
  action: 'sign-in',
  count: 10,
  windowMs: 5 * MINUTE_MS,
})

/**
 * Returns the limits of passkey sign-ins and re-authentications. A passkey cannot be guessed, so the limits only stop
 * floods of forged assertions.
 */
export function passkeyLimits(ip: string, knownBrowserId: string | null): AttemptLimit[] {
  return [knownBrowserId === null ? networkLimit(ip) : knownBrowserLimit(knownBrowserId)]
}

/**
 * Returns the limits of a password sign-in: per client network, per account, and per network and account. A known
 * browser has only its own limit, so that attackers cannot lock out the person who uses this browser.
 */
export function signInLimits({ email, ip, known: knownBrowserId }: SignInAttempt): AttemptLimit[] {
  if (knownBrowserId !== null) return [knownBrowserLimit(knownBrowserId)]
  const address = canonicalizeEmail(email).slice(0, 254)
  const networkAndEmail = `pair:${clientNetwork(ip)} ${address}`
  return [
    networkLimit(ip),
    { name: networkAndEmail, action: 'sign-in', count: 10, windowMs: 5 * MINUTE_MS },
    { name: networkAndEmail, action: 'sign-in-hour', count: 20, windowMs: HOUR_MS },
    { name: `email:${address}`, action: 'sign-in', count: 100, windowMs: HOUR_MS },
  ]
}

/** Second-factor attempt on an account whose password was correct. */
export interface SecondFactorAttempt {
  readonly userId: string
  readonly ip: string
  /** Id of the known browser, as in `SignInAttempt`. */
  readonly known: string | null
}

/**
 * Returns the limits of second-factor attempts, shortest window first. A known browser has only its own limits, so that
 * an attacker who knows the password cannot use up the attempts of this browser.
 */
export function secondFactorLimits({
  userId,
  ip,
  known: knownBrowserId,
}: SecondFactorAttempt): [AttemptLimit, ...AttemptLimit[]] {
  const name = knownBrowserId === null ? `factor:${clientNetwork(ip)} ${userId}` : `browser:${knownBrowserId}`
  return [
    { name, action: 'factor', count: 5, windowMs: 5 * MINUTE_MS },
    { name, action: 'factor-day', count: 30, windowMs: 24 * HOUR_MS },
    ...(knownBrowserId === null
      ? [{ name: `factor:${userId}`, action: 'factor-day', count: 100, windowMs: 24 * HOUR_MS }]
      : []),
  ]
}
