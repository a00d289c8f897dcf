import { parseCoupon } from '../../domain/billing/coupon-code.ts'
import { TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'

/**
 * Stores a discount coupon in this tab for the page of the plan that the user chooses next. No URL contains the coupon.
 */
export const carryCoupon = (code: string): void => void tab.write(TAB_NOTES.discount, code)

/** Returns the carried coupon and removes it from the tab; null if there is none. */
export function takenAlong(): string | null {
  const code = tab.read(TAB_NOTES.discount)
  tab.remove(TAB_NOTES.discount)
  return code
}

/** Removes the coupon from the URL, because URLs are shared and stored in browser histories. */
export function dropCouponOfAddress(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('coupon')) return
  address.searchParams.delete('coupon')
  history.replaceState(history.state, '', address.pathname + address.search + address.hash)
}

/** Moves a coupon from the URL of the plans page into the storage of this tab. */
export function carryCouponFromUrl(): void {
  const code = parseCoupon(location.search)
  if (code) carryCoupon(code)
  dropCouponOfAddress()
}
