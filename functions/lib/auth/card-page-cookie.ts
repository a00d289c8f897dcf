import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as v from 'valibot'
import { PAYMENT_COOKIE, toCookieName, usesSecureCookies } from '../../../contract/wire/cookies.ts'
import { id } from '../../../contract/wire/envelope.ts'
import { toSafePath } from '../../../src/domain/navigation/safe-redirect.ts'
import type { EdgeContext } from '../edge-context.ts'
import { encryptValue, decryptValue } from '../security/encrypt-value.ts'

/** Card page that this browser opened and has not returned from. `at` in ms UTC. */
const pendingCardPage = v.object({
  session_id: id,
  user_id: v.string(),
  return_to: v.pipe(
    v.string(),
    v.check((path) => toSafePath(path) !== null),
  ),
  at: v.number(),
})
export type PendingCardPage = v.InferOutput<typeof pendingCardPage>
const pendingCardPages = v.array(pendingCardPage)

/** Maximum time between opening the card page and returning from it. */
export const CARD_RETURN_TIMEOUT_MS = 1_800_000
/** Maximum number of card pages that one browser may have open, in separate tabs. */
const MAX_PENDING_PAGES = 3
/**
 * Maximum characters of the cookie's content before encryption. Encrypted, it must fit into 4,096 characters, the limit
 * of browsers.
 */
const MAX_COOKIE_LENGTH = 2700

const getPaymentCookieName = (c: EdgeContext) => toCookieName(PAYMENT_COOKIE, c.var.settings.PORTAL_ORIGIN)
const buildCookieOptions = (c: EdgeContext) =>
  ({ path: '/', secure: usesSecureCookies(c.var.settings.PORTAL_ORIGIN), httpOnly: true, sameSite: 'Lax' }) as const

/** Returns the card pages that this browser has opened, under any account, newest first; expired ones are left out. */
export async function readPendingCardPages(c: EdgeContext, now: number): Promise<readonly PendingCardPage[]> {
  const read = v.safeParse(
    pendingCardPages,
    await decryptValue(getCookie(c, getPaymentCookieName(c)), c.var.settings.cookieKeys),
  )
  return read.success ? read.output.filter(({ at }) => now - at < CARD_RETURN_TIMEOUT_MS) : []
}

/**
 * Stores the first entries of `list` (sorted newest first), up to the limits for number and size. Deletes the cookie if
 * the list is empty.
 */
export async function savePendingCardPages(c: EdgeContext, list: readonly PendingCardPage[]): Promise<void> {
  if (list.length === 0) {
    deleteCookie(c, getPaymentCookieName(c), buildCookieOptions(c))
    return
  }
  const pending = list.slice(0, MAX_PENDING_PAGES)
  while (pending.length > 1 && JSON.stringify(pending).length > MAX_COOKIE_LENGTH) pending.pop()
  const sealed = await encryptValue(pending, c.var.settings.COOKIE_KEY)
  setCookie(c, getPaymentCookieName(c), sealed, { ...buildCookieOptions(c), maxAge: CARD_RETURN_TIMEOUT_MS / 1000 })
}
