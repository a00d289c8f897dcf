import { dropRouteParam } from '../../stores/shell/route-params.ts'

/** Pages on which a coupon is used or paid with. */
const FLOW = /\/redeem|\/payment|^\/account\/products\//

/** Any other page ends that: the code does not show on a later visit (OPEN-157). The way over sign-in and card page runs nothing here. */
if (!FLOW.test(location.pathname)) dropRouteParam('coupon')
