import { createHmac, randomBytes } from 'node:crypto'
import type { Env } from '../../env.ts'
import { canonicalizeEmail } from '../../accounts/account-rows.ts'
import { cookieKeys } from '../../platform/crypto/rotating-keys.ts'
import { cookieNames } from '../oidc/cookies.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const YEAR_MS = 365 * DAY_MS
const BROWSER_ID_PATTERN = /^[\w-]{22}$/

/**
 * Returns the names of an account's known-browser cookie, one per key, newest key first. Each name is an HMAC of the
 * email address, so it does not reveal the account.
 */
function knownBrowserCookieNames(env: Env, email: string): string[] {
  return cookieKeys(env).map((key) => {
    const hash = createHmac('sha256', key).update(`known browser ${canonicalizeEmail(email)}`)
    return cookieNames(env.PROVIDER_ORIGIN).known(hash.digest('hex').slice(0, 16))
  })
}

/**
 * Returns the id in the signed cookie that proves an earlier sign-in as `email`, or null. The id grants no access. It
 * gives this browser a separate attempt limit (attempt-limits.ts) and priority in the queue for password checks.
 */
export function readKnownBrowserCookie(ctx: KoaContext, env: Env, email: string): string | null {
  const ids = knownBrowserCookieNames(env, email).map((name) => ctx.cookies.get(name, { signed: true }))
  return ids.find((id) => id !== undefined && BROWSER_ID_PATTERN.test(id)) ?? null
}

/** Sets the cookie that remembers this browser for `email` for one year from `now` (ms UTC). Keeps an existing id. */
export function rememberBrowser(ctx: KoaContext, env: Env, email: string, now: number): void {
  const id = readKnownBrowserCookie(ctx, env, email) ?? randomBytes(16).toString('base64url')
  const [name = ''] = knownBrowserCookieNames(env, email)
  const expires = new Date(now + YEAR_MS)
  ctx.cookies.set(name, id, { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true, expires })
}
