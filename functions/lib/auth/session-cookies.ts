import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SIGNED_IN_COOKIE, XSRF_COOKIE } from '../../../contract/wire/constants.ts'
import { SESSION_COOKIE, toCookieName, usesSecureCookies } from '../../../contract/wire/cookies.ts'
import { createRandomText } from '../byte-encoding.ts'
import type { EdgeContext } from '../edge-context.ts'
import { verifySessionCookie, tagSessionId } from './session-id.ts'
import {
  countFittingCookies,
  decryptPendingAuthorizations,
  encryptPendingAuthorization,
  PENDING_AUTHORIZATION_LIFETIME_MS,
  getAuthorizationCookieName,
  type PendingAuthorization,
} from './pending-authorizations.ts'

const getPortalOrigin = (c: EdgeContext) => c.var.settings.PORTAL_ORIGIN
const buildBaseOptions = (c: EdgeContext) => ({ path: '/', secure: usesSecureCookies(getPortalOrigin(c)) }) as const
const buildSessionOptions = (c: EdgeContext) =>
  ({ ...buildBaseOptions(c), httpOnly: true, sameSite: 'Strict' }) as const
const buildPendingOptions = (c: EdgeContext) => ({ ...buildBaseOptions(c), httpOnly: true, sameSite: 'Lax' }) as const
const buildReadableOptions = (c: EdgeContext) => ({ ...buildBaseOptions(c), sameSite: 'Strict' }) as const
const getSessionCookieName = (c: EdgeContext) => toCookieName(SESSION_COOKIE, getPortalOrigin(c))
const XSRF_FORMAT = /^[A-Za-z0-9_-]{22}$/

export function readSessionId(c: EdgeContext): string | null {
  return verifySessionCookie(getCookie(c, getSessionCookieName(c)), c.var.settings.cookieKeys)
}

/**
 * Returns true unless the current key made the HMAC tag of the session cookie. If true, a valid cookie uses the
 * previous key, and must be rewritten before the next key rotation.
 */
export function usesPreviousCookieKey(c: EdgeContext): boolean {
  return verifySessionCookie(getCookie(c, getSessionCookieName(c)), c.var.settings.cookieKeys.slice(0, 1)) === null
}

/**
 * Sets the session cookies. They expire after the idle timeout, or when the session ends (`endsAt`, ms UTC) if that is
 * earlier.
 */
export function setSessionCookies(c: EdgeContext, id: string, endsAt: number): void {
  const remainingMs = Math.min(c.var.settings.sessionIdleMs, endsAt - Date.now())
  const maxAgeOption = { maxAge: Math.max(1, Math.ceil(remainingMs / 1000)) }
  setCookie(c, getSessionCookieName(c), tagSessionId(id, c.var.settings.COOKIE_KEY), {
    ...buildSessionOptions(c),
    ...maxAgeOption,
  })
  setCookie(c, SIGNED_IN_COOKIE, '1', { ...buildReadableOptions(c), ...maxAgeOption })
}

export function clearSessionCookies(c: EdgeContext): void {
  if (getCookie(c, getSessionCookieName(c)) === undefined && getCookie(c, SIGNED_IN_COOKIE) === undefined) return
  deleteCookie(c, getSessionCookieName(c), buildSessionOptions(c))
  deleteCookie(c, SIGNED_IN_COOKIE, buildReadableOptions(c))
}

/** Sets the XSRF cookie, which scripts can read. Keeps an existing valid value, because other tabs already use it. */
export function setXsrfCookie(c: EdgeContext): void {
  const present = getCookie(c, XSRF_COOKIE)
  setCookie(
    c,
    XSRF_COOKIE,
    present && XSRF_FORMAT.test(present) ? present : createRandomText(16),
    buildReadableOptions(c),
  )
}

/** Returns the browser's pending authorization requests, newest first. */
export function readPendingAuthorizations(c: EdgeContext, now: number): Promise<PendingAuthorization[]> {
  return decryptPendingAuthorizations(getCookie(c), c.var.settings, now)
}

/**
 * Stores `authorization`. Deletes the oldest of `others` (sorted newest first) if the cookies would exceed the limits
 * for number and size.
 */
export async function addPendingAuthorization(
  c: EdgeContext,
  authorization: PendingAuthorization,
  others: readonly PendingAuthorization[],
): Promise<void> {
  const sealed = await storePendingAuthorization(c, authorization)
  const lengths = others.map(
    (other) => (getCookie(c, getAuthorizationCookieName(other, getPortalOrigin(c))) ?? '').length,
  )
  const fittingCount = countFittingCookies(
    [sealed.length, ...lengths].map(
      (length) => length + getAuthorizationCookieName(authorization, getPortalOrigin(c)).length,
    ),
  )
  deletePendingAuthorizations(c, others.slice(fittingCount - 1))
}

export async function storePendingAuthorization(c: EdgeContext, authorization: PendingAuthorization): Promise<string> {
  const sealed = await encryptPendingAuthorization(authorization, c.var.settings.COOKIE_KEY)
  setCookie(c, getAuthorizationCookieName(authorization, getPortalOrigin(c)), sealed, {
    ...buildPendingOptions(c),
    maxAge: PENDING_AUTHORIZATION_LIFETIME_MS / 1000,
  })
  return sealed
}

export function deletePendingAuthorizations(c: EdgeContext, list: readonly PendingAuthorization[]): void {
  for (const authorization of list)
    deleteCookie(c, getAuthorizationCookieName(authorization, getPortalOrigin(c)), buildPendingOptions(c))
}
