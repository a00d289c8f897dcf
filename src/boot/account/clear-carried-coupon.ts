import { dropRouteParam } from '../../stores/shell/route-params.ts'

/** Pages that use a coupon or pay with one. */
const FLOW = /\/redeem|\/payment|^\/account\/products\//

/**
 * Any other page drops the coupon, so that it does not reappear on a later visit (OPEN-157). Sign-in and card page do
 * not run this script.
 */
if (!FLOW.test(location.pathname)) dropRouteParam('coupon')
