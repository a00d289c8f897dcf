import { parseCoupon } from '../../domain/billing/coupon-code.ts'
import { TAB_HANDOVER_KEYS } from '../storage/billing-keys.ts'
import { safeSessionStorage } from '../storage/storage-keys.ts'

/**
 * Stores a discount coupon in this tab for the next plan page that the user opens. The coupon never appears in a URL.
 */
export const carryCoupon = (code: string): void => void safeSessionStorage.write(TAB_HANDOVER_KEYS.discount, code)

/** Returns the carried coupon and removes it from the tab; null if there is none. */
export function consumeCarriedCoupon(): string | null {
  const code = safeSessionStorage.read(TAB_HANDOVER_KEYS.discount)
  safeSessionStorage.remove(TAB_HANDOVER_KEYS.discount)
  return code
}

/** Removes the coupon from the URL, because URLs are shared and stored in browser histories. */
export function removeCouponFromUrl(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('coupon')) return
  url.searchParams.delete('coupon')
  url.searchParams.delete('check')
  history.replaceState(history.state, '', url.pathname + url.search + url.hash)
}

/** Moves a coupon from the URL into the storage of this tab, from which the next checkout takes the coupon. */
export function carryCouponFromUrl(): void {
  const code = parseCoupon(location.search)
  if (code) carryCoupon(code)
  removeCouponFromUrl()
}
