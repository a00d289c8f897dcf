/**
 * Constants and limits named by docs/requirements.md. Times in milliseconds, lengths in CSS pixels, unless the name
 * says otherwise.
 */

export const TOKEN_REFRESH_INTERVAL_MS = 1_800_000
export const TOAST_AUTO_CLOSE_MS = 5000
export const DESKTOP_BREAKPOINT_PX = 990
export const SMALL_VIEWPORT_PX = 700
export const EVENT_QUERY_COUNT = 10_000
export const SEARCH_LIMIT = 50
export const SEARCH_QUERY_MAX_CHARS = 200
export const SEARCH_DEBOUNCE_MS = 200
export const COOKIE_POLL_MS = 300
/** Maximum time for which a page polls the marker cookie: 10 s (OPEN-50). */
export const COOKIE_POLL_MAX_MS = 10_000
export const DEFAULT_SEARCH_SORT = 'best'
export const DEFAULT_CALENDAR_TYPE = 14
export const DEFAULT_CALENDAR_PANELS = 1
export const ORDER_NEWEST_FIRST = 2
export const FOCUS_TRAP_POLL_MS = 50
export const RESIZE_DEBOUNCE_MS = 166
export const HTTP_DEFAULT_TIMEOUT_MS = 0
/** Timeout of the current-user, refresh and authorize calls (OPEN-129). */
export const AUTH_CALL_TIMEOUT_MS = 15_000
export const API_CALL_TIMEOUT_MS = 30_000
/**
 * Returns the value of `Strict-Transport-Security` for an origin; null without https. Also returns null if the origin
 * names a port: browsers would apply the header to all ports of the host, where other programs may serve http.
 */
export function getHstsValue(origin: string | undefined): string | null {
  if (origin === undefined || !URL.canParse(origin)) return null
  const { protocol, port } = new URL(origin)
  return protocol === 'https:' && port === '' ? 'max-age=63072000; includeSubDomains' : null
}

export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'
/**
 * `Prefer` value that pages send with the current-user call: a signed-out browser then gets status 200 with code 401 in
 * the body. Browsers would log status 401 as an error of the page.
 */
export const PREFER_200_IF_SIGNED_OUT = 'nobody=200'
export const USER_AGENT_MAX = 350
/** The third authorize navigation within one minute stops the sign-in with an error (OPEN-06). */
export const AUTHORIZE_LOOP_LIMIT = { count: 3, windowMs: 60_000 } as const
export const OAUTH_SCOPES = ['authcode-read', 'openid', 'email', 'native'] as const
/** Maximum age of a nonce; the provider rejects older nonces (OPEN-21). */
export const NONCE_WINDOW_MS = 300_000

export const SIGNED_IN_COOKIE = 'signed_in'
/** Cookie with the browser's IANA time zone, for the sign-in (boot/session/sign-in-and-report-session.ts sets it). */
export const TIME_ZONE_COOKIE = 'time_zone'

/**
 * Query parameter of a page's feed URL and viewer URLs. The value `1` states that the page sends `FEED_CHECK_TEXT` on its
 * feed while it is visible. Without it, the provider sets an alarm for each check.
 */
export const PAGE_CHECKS_PARAMETER = 'checks'
