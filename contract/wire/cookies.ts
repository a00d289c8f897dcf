/** Names of the cookies on HTTPS, and the rule that changes names and attributes on local HTTP (decision 0098). */
import { isLoopbackHost } from './client-address.ts'
import { SIGNED_IN_COOKIE, TIME_ZONE_COOKIE, XSRF_COOKIE } from './constants.ts'

export const SESSION_COOKIE = '__Host-Http-sid'
/** Start of a name; the handle of the authorization request follows. */
export const PENDING_AUTHORIZATION_COOKIE = '__Host-Http-tx'
/** Stores the card pages that this browser has opened and not returned from. */
export const PAYMENT_COOKIE = '__Host-Http-pay'

export const SSO_COOKIE = '__Host-sso'
export const INTERACTION_COOKIE = '__Secure-sign_in'
export const RESUME_COOKIE = '__Secure-sign_in_resume'
/** Identifies the browser that has requested an account. */
export const SIGN_UP_COOKIE = '__Host-sign_up'
/** Start of a name; a hash of an account follows that has signed in with this browser. */
export const KNOWN_BROWSER_COOKIE = '__Host-known_'

export const CARD_PAGE_COOKIE = '__Host-card'

/**
 * Cookies by the server that uses them. The three servers of a local deployment share one cookie store, because
 * browsers do not separate the cookies of ports.
 */
export const ALL_COOKIES = {
  portal: [
    SESSION_COOKIE,
    PENDING_AUTHORIZATION_COOKIE,
    PAYMENT_COOKIE,
    SIGNED_IN_COOKIE,
    XSRF_COOKIE,
    TIME_ZONE_COOKIE,
  ],
  provider: [SSO_COOKIE, INTERACTION_COOKIE, RESUME_COOKIE, SIGN_UP_COOKIE, KNOWN_BROWSER_COOKIE],
  cardPage: [CARD_PAGE_COOKIE],
} as const

/**
 * Returns true if cookies of `origin` have the attribute `Secure` and a name prefix. Returns false for http on a
 * loopback host, because Safari stores no `Secure` cookie from there.
 */
export function usesSecureCookies(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  return protocol !== 'http:' || !isLoopbackHost(hostname)
}

/** Returns a cookie's name on `origin`. `name`: its name on HTTPS. */
export const toCookieName = (name: string, origin: string): string =>
  usesSecureCookies(origin) ? name : name.replace(/^__(?:Host-Http|Host|Secure)-/, '')
