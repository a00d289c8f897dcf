import { METHOD_BRANDS, type PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { keptJson } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'

/**
 * Selected payment method as stored in the browser; never contains a full card number, last four digits or address
 * (OPEN-47).
 */
export interface SelectedPayment {
  readonly id: string
  readonly type: PaymentMethod['type']
  readonly brand: PaymentMethod['brand']
  readonly expiry: PaymentMethod['ends']
}

const isSelected = (value: unknown): value is SelectedPayment | null => {
  if (value === null) return true
  const { id, type, brand } = value as Partial<SelectedPayment>
  return (
    typeof id === 'string' && typeof type === 'string' && METHOD_BRANDS.some((methodBrand) => methodBrand === brand)
  )
}

/** Method that pays the next purchase, kept across visits (PAY-02). */
export const $selectedPayment = keptJson<SelectedPayment | null>(MONEY_KEYS.selectedPayment, null, isSelected)

export const selectPayment = ({ method_id, type, brand, ends }: PaymentMethod): void =>
  $selectedPayment.set({ id: method_id, type, brand, expiry: ends })

/** Returns the method that pays: the selected one while it is usable, else the default. */
export function payingMethod(methods: readonly PaymentMethod[], chosen: SelectedPayment | null): PaymentMethod | null {
  const usable = methods.filter(({ state }) => state !== 'ended')
  return usable.find(({ method_id }) => method_id === chosen?.id) ?? usable.find(({ is_default }) => is_default) ?? null
}
