import { removeRouteParam } from '../../stores/shell/route-params.ts'

const COUPON_PAGE_PATTERN = /\/redeem|\/payment|^\/account\/products\//

/**
 * Discards the stored coupon on pages that neither redeem it nor apply it to a purchase (OPEN-157). The coupon then
 * does not reappear on a later visit. The sign-in pages and the card page do not run this script.
 */
export function clearCarriedCoupon(): void {
  if (!COUPON_PAGE_PATTERN.test(location.pathname)) removeRouteParam('coupon')
}
