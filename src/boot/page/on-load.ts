import { isRemembered } from '../../domain/page-rules.ts'
import { FIRST_KEYS, local } from '../../stores/storage/box.ts'

/** Remembers path and query of this page as the last visited (SESSION-08). */
export function rememberPath(): void {
  if (isRemembered(location.pathname)) local.write(FIRST_KEYS.lastPath, location.pathname + location.search)
}

/**
 * Follows a `redirecturl` that names a coupon (REDIRECT-03), on every page and before anybody is asked to sign in (OPEN-29).
 * Answers whether the page is being left.
 */
export const followRedirectUrl = async (): Promise<boolean> =>
  /redirecturl/i.test(location.search) && (await import('../account/coupon-address.ts')).leaveForCoupon()
