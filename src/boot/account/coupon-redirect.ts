import { redeemTarget } from '../../domain/billing/coupon-code.ts'
import { leave } from '../page/leave-page.ts'

/** Leaves for the redemption page if `redirecturl` names a coupon; returns true if it does. */
export function leaveForCoupon(): boolean {
  const target = redeemTarget(location.search)
  if (target) leave(target)
  return target !== null
}
