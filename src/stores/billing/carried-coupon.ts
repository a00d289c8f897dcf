import { parseCoupon } from '../../domain/billing/coupon-code.ts'
import { TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'

/** Carries a discount coupon to the page of the plan chosen next; the tab stores it, and no URL contains it. */
export const carryCoupon = (code: string): void => void tab.write(TAB_NOTES.discount, code)

/** Returns the carried coupon once; null if there is none. */
export function takenAlong(): string | null {
  const code = tab.read(TAB_NOTES.discount)
  tab.remove(TAB_NOTES.discount)
  return code
}

/** Removes the coupon from the URL, which is shared and stored in histories. */
export function dropCouponOfAddress(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('coupon')) return
  address.searchParams.delete('coupon')
  history.replaceState(history.state, '', address.pathname + address.search + address.hash)
}

/** Carries a coupon from the URL of the plans page as well. */
export function carryCouponFromUrl(): void {
  const code = parseCoupon(location.search)
  if (code) carryCoupon(code)
  dropCouponOfAddress()
}
