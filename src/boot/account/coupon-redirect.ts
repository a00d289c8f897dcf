import { getRedeemPath } from '../../domain/billing/coupon-code.ts'
import { leavePage } from '../page/leave-page.ts'

/** Redirects to the redemption page if the `redirecturl` parameter names a coupon. Returns true if it redirects. */
export function redirectToCouponPage(): boolean {
  const target = getRedeemPath(location.search)
  if (target) leavePage(target)
  return target !== null
}
