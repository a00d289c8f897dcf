import * as v from 'valibot'
import { PENDING_AUTHORIZATION_COOKIE, toCookieName } from '../../../contract/wire/cookies.ts'
import { encryptValue, decryptValue } from '../security/encrypt-value.ts'
import type { Settings } from '../settings.ts'

/** Pending authorization request. `at` in ms UTC. */
const pendingAuthorization = v.object({
  /** Part of the cookie name, so that two tabs can start a sign-in at the same time, each with its own cookie. */
  handle: v.string(),
  verifier: v.string(),
  nonce: v.string(),
  state: v.string(),
  kount: v.string(),
  /**
   * Id of the session that the browser had before the sign-in. The new session replaces this session. The id is stored
   * here, because the callback does not receive the session cookie.
   */
  former: v.optional(v.string()),
  at: v.number(),
})
export type PendingAuthorization = v.InferOutput<typeof pendingAuthorization>

export const PENDING_AUTHORIZATION_LIFETIME_MS = 600_000
const MAX_PENDING_AUTHORIZATIONS = 4
/**
 * Maximum bytes of all pending authorization cookies, including their names. The limit leaves space for other cookies,
 * because servers reject headers of 16 KB or more.
 */
const MAX_COOKIE_BYTES = 7800

export const getAuthorizationCookieName = (authorization: PendingAuthorization, portalOrigin: string): string =>
  toCookieName(`${PENDING_AUTHORIZATION_COOKIE}-${authorization.handle}`, portalOrigin)

/**
 * Decrypts the pending authorization requests in the request's cookies. Returns them newest first, without expired and
 * unreadable ones. `now` in ms UTC.
 */
export async function decryptPendingAuthorizations(
  cookies: Readonly<Record<string, string>>,
  { cookieKeys, PORTAL_ORIGIN }: Pick<Settings, 'cookieKeys' | 'PORTAL_ORIGIN'>,
  now: number,
) {
  const prefix = `${toCookieName(PENDING_AUTHORIZATION_COOKIE, PORTAL_ORIGIN)}-`
  const sealed = Object.entries(cookies).filter(([name]) => name.startsWith(prefix))
  const opened = await Promise.all(
    sealed.map(async ([name, value]) => {
      const parsed = v.safeParse(pendingAuthorization, await decryptValue(value, cookieKeys))
      return parsed.success && getAuthorizationCookieName(parsed.output, PORTAL_ORIGIN) === name ? [parsed.output] : []
    }),
  )
  const pending = opened.flat().filter((authorization) => now - authorization.at < PENDING_AUTHORIZATION_LIFETIME_MS)
  return pending.sort((authorization, other) => other.at - authorization.at)
}

export const encryptPendingAuthorization = (authorization: PendingAuthorization, cookieKey: string): Promise<string> =>
  encryptValue(authorization, cookieKey)

/**
 * Returns how many pending authorization cookies stay within `MAX_PENDING_AUTHORIZATIONS` and `MAX_COOKIE_BYTES`, at
 * least 1. `lengths`: bytes of each cookie and its name, newest first.
 */
export function countFittingCookies(lengths: readonly number[]): number {
  let sum = 0
  const firstExcessIndex = lengths
    .slice(0, MAX_PENDING_AUTHORIZATIONS)
    .findIndex((length) => (sum += length) > MAX_COOKIE_BYTES)
  return Math.max(1, firstExcessIndex === -1 ? Math.min(lengths.length, MAX_PENDING_AUTHORIZATIONS) : firstExcessIndex)
}

/** Returns a code verifier from the current timestamp and 32 random bytes: 52 characters (OPEN-01). `now` in ms. */
export function createCodeVerifier(now: number, random: string): string {
  return `${random}.${now.toString(36)}`
}
