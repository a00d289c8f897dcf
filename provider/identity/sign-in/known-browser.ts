import { createHmac, randomBytes } from 'node:crypto'
import type { Env } from '../../env.ts'
import { canonicalEmail } from '../../accounts/account-rows.ts'
import { cookieKeys } from '../../platform/crypto/rotating-keys.ts'
import { cookieNames } from '../oidc/cookies.ts'
import type { Context } from '../pages/read-form.ts'

const YEAR_MS = 365 * 86_400_000
const ID = /^[\w-]{22}$/

/**
 * The cookie names the account by an HMAC of its address: nobody who sees it learns who signs in here. The name by the
 * newest key comes first, then those that it had by the keys before.
 */
function namesFor(env: Env, email: string): string[] {
  return cookieKeys(env).map((key) => {
    const hash = createHmac('sha256', key).update(`known browser ${canonicalEmail(email)}`)
    return cookieNames(env.PROVIDER_ORIGIN).known(hash.digest('hex').slice(0, 16))
  })
}

/**
 * The id of the signed cookie that says that this browser has signed in as `email` before, or null. It opens nothing; its
 * tries are counted apart from those of strangers (provider/platform/rate-limits/attempt-limits.ts).
 */
export function readKnownBrowserCookie(ctx: Context, env: Env, email: string): string | null {
  const ids = namesFor(env, email).map((name) => ctx.cookies.get(name, { signed: true }))
  return ids.find((id) => id !== undefined && ID.test(id)) ?? null
}

/** Notes a sign-in as `email` in this browser for a year from `now` (ms UTC). An id that it has already stays. */
export function rememberBrowser(ctx: Context, env: Env, email: string, now: number): void {
  const id = readKnownBrowserCookie(ctx, env, email) ?? randomBytes(16).toString('base64url')
  const [name = ''] = namesFor(env, email)
  const expires = new Date(now + YEAR_MS)
  ctx.cookies.set(name, id, { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true, expires })
}
