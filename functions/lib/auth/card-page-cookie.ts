import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as v from 'valibot'
import { PAYMENT_COOKIE } from '../../../contract/wire/constants.ts'
import { id } from '../../../contract/wire/envelope.ts'
import { safePath } from '../../../src/domain/navigation/safe-redirect.ts'
import type { EdgeContext } from '../edge-context.ts'
import { encryptValue, decryptValue } from '../security/encrypt-value.ts'

/** Card page that this browser opened and has not returned from. `at` in ms UTC. */
const pendingCardPage = v.object({
  session_id: id,
  user_id: v.string(),
  return_to: v.pipe(
    v.string(),
    v.check((path) => safePath(path) !== null),
  ),
  at: v.number(),
})
export type PendingCardPage = v.InferOutput<typeof pendingCardPage>
const all = v.array(pendingCardPage)

/** Time in which the browser may return from the card page, counted from the opening of the page. */
export const CARD_RETURN_MS = 1_800_000
/** Maximum number of tabs on the card page at the same time. */
const MAX_BEGUN = 3
/** Maximum characters before encryption: a browser keeps 4,096 of a cookie. */
const MAX_LENGTH = 2700

const cookie = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const

/** Returns the card pages that this browser has opened, under any account, newest first; expired ones are left out. */
export async function begunHere(c: EdgeContext, now: number): Promise<readonly PendingCardPage[]> {
  const read = v.safeParse(all, await decryptValue(getCookie(c, PAYMENT_COOKIE), c.var.settings.cookieKeys))
  return read.success ? read.output.filter(({ at }) => now - at < CARD_RETURN_MS) : []
}

/** Stores the newest entries of `list` that fit into the cookie; deletes the cookie if the list is empty. */
export async function savePendingCardPages(c: EdgeContext, list: readonly PendingCardPage[]): Promise<void> {
  if (list.length === 0) {
    deleteCookie(c, PAYMENT_COOKIE, cookie)
    return
  }
  const pending = list.slice(0, MAX_BEGUN)
  while (pending.length > 1 && JSON.stringify(pending).length > MAX_LENGTH) pending.pop()
  const sealed = await encryptValue(pending, c.var.settings.COOKIE_KEY)
  setCookie(c, PAYMENT_COOKIE, sealed, { ...cookie, maxAge: CARD_RETURN_MS / 1000 })
}
