import { redeemTarget } from '../../domain/billing/coupon-code.ts'
import { leave } from '../page/leave-page.ts'

/** Redirects to the redemption page if the `redirecturl` parameter names a coupon; returns true if it does. */
export function leaveForCoupon(): boolean {
  const target = redeemTarget(location.search)
  if (target) leave(target)
  return target !== null
}
