/**
 * Follows a `redirecturl` that names a coupon (REDIRECT-03), on every page and before anybody is asked to sign in
 * (OPEN-29). Answers whether the page is being left.
 */
export const followRedirectUrl = async (): Promise<boolean> =>
  /redirecturl/i.test(location.search) && (await import('../account/coupon-address.ts')).leaveForCoupon()
