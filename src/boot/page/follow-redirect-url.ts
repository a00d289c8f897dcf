/**
 * Follows a `redirecturl` that names a coupon (REDIRECT-03), on every page and before the sign-in (OPEN-29). Returns
 * true if the page is being left.
 */
export async function handleRedirectUrl(): Promise<boolean> {
  if (!/redirecturl/i.test(location.search)) return false
  // Kept in a variable: the bundler emits more code if a member is read directly from the result of `import()`.
  const coupon = await import('../account/coupon-redirect.ts')
  return coupon.leaveForCoupon()
}
