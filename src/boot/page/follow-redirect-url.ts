/**
 * Redirects if the `redirecturl` parameter names a coupon (REDIRECT-03). Every page does this before the sign-in
 * (OPEN-29). Returns true if the browser leaves the page.
 */
export async function handleRedirectUrl(): Promise<boolean> {
  if (!/redirecturl/i.test(location.search)) return false
  // Kept in a variable: the bundler emits more code if a member is read directly from the result of `import()`.
  const coupon = await import('../account/coupon-redirect.ts')
  return coupon.redirectToCouponPage()
}
