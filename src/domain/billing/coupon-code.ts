/** Coupon code in the form that URLs may contain (OPEN-29). */
const COUPON_CODE_PATTERN = /^[A-Za-z0-9_-]{1,64}$/
const REDEEM_PATH_PATTERN = /(?:^|\/)redeem\/process\/([A-Za-z0-9_-]{1,64})\/?(?:[?#].*)?$/

/** Returns the coupon code of the `coupon` parameter; null if the parameter is missing or malformed. */
export const parseCoupon = (search: string): string | null => {
  const code = new URLSearchParams(search).get('coupon')?.trim() ?? ''
  return COUPON_CODE_PATTERN.test(code) ? code : null
}

/**
 * Returns the path of the redemption page if a `redirecturl` parameter (name in any case) contains
 * `redeem/process/{coupon}` (REDIRECT-03), else null.
 */
export function getRedeemPath(search: string): string | null {
  for (const [name, value] of new URLSearchParams(search)) {
    const code = name.toLowerCase() === 'redirecturl' && REDEEM_PATH_PATTERN.exec(value)?.[1]
    if (code) return `/account/redeem/choose?coupon=${code}`
  }
  return null
}
