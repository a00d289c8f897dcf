/**
 * Follows a `redirecturl` that names a coupon (REDIRECT-03), on every page and before anybody is asked to sign in
 * (OPEN-29). Answers whether the page is being left.
 */
export async function handleRedirectUrl(): Promise<boolean> {
  if (!/redirecturl/i.test(location.search)) return false
  // Named first: the bundler writes more for a member that is taken off the import.
  const coupon = await import('../account/coupon-redirect.ts')
  return coupon.leaveForCoupon()
}
