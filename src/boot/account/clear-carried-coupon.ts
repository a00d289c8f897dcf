import { removeRouteParam } from '../../stores/shell/route-params.ts'

/** Pages that redeem a coupon or apply it to a purchase. */
const COUPON_PAGE_PATTERN = /\/redeem|\/payment|^\/account\/products\//

/**
 * Discards the coupon on pages that neither redeem nor use it, so that it does not reappear on a later visit
 * (OPEN-157). The sign-in pages and the card page do not run this script.
 */
if (!COUPON_PAGE_PATTERN.test(location.pathname)) removeRouteParam('coupon')
