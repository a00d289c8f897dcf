/** A coupon code as it may stand in an address (OPEN-29). */
const COUPON = /^[A-Za-z0-9_-]{1,64}$/
const PROCESS = /(?:^|\/)redeem\/process\/([A-Za-z0-9_-]{1,64})\/?(?:[?#].*)?$/

/** The code in a `coupon` parameter, or null when it can be none. */
export const parseCoupon = (search: string): string | null => {
  const code = new URLSearchParams(search).get('coupon')?.trim() ?? ''
  return COUPON.test(code) ? code : null
}

/**
 * Where a `redirecturl` parameter that names `redeem/process/{coupon}` leads (REDIRECT-03), its name in any case; null for
 * every other address.
 */
export function redeemTarget(search: string): string | null {
  for (const [name, value] of new URLSearchParams(search)) {
    const code = name.toLowerCase() === 'redirecturl' && PROCESS.exec(value)?.[1]
    if (code) return `/account/redeem/choose?coupon=${code}`
  }
  return null
}
