import { parseCoupon } from '../../domain/billing/coupon-code.ts'
import { TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'

/** A coupon of a price goes along to the page of a plan, whichever is chosen next: kept by the tab, in no address. */
export const carryCoupon = (code: string): void => void tab.write(TAB_NOTES.discount, code)

/** The coupon that came along, once; null: none. */
export function takenAlong(): string | null {
  const code = tab.read(TAB_NOTES.discount)
  tab.remove(TAB_NOTES.discount)
  return code
}

/** Takes the coupon out of the address, which goes into histories and is shared. */
export function dropCouponOfAddress(): void {
  const address = new URL(location.href)
  if (!address.searchParams.has('coupon')) return
  address.searchParams.delete('coupon')
  history.replaceState(history.state, '', address.pathname + address.search + address.hash)
}

/** A coupon with which somebody has come to the plans goes along as well. */
export function carryCouponFromUrl(): void {
  const code = parseCoupon(location.search)
  if (code) carryCoupon(code)
  dropCouponOfAddress()
}
