import { METHOD_BRANDS, type PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'

/**
 * Selected payment method as stored in the browser. It never contains a card number, the last four digits or an address
 * (OPEN-47).
 */
export interface SelectedPayment {
  readonly id: string
  readonly type: PaymentMethod['type']
  readonly brand: PaymentMethod['brand']
  readonly expiry: PaymentMethod['ends']
}

const isSelectedPayment = (value: unknown): value is SelectedPayment | null => {
  if (value === null) return true
  const { id, type, brand } = value as Partial<SelectedPayment>
  return (
    typeof id === 'string' && typeof type === 'string' && METHOD_BRANDS.some((methodBrand) => methodBrand === brand)
  )
}

/** Payment method of the next purchase, kept across visits (PAY-02). */
export const $selectedPayment = persistentJson<SelectedPayment | null>(
  BILLING_KEYS.selectedPayment,
  null,
  isSelectedPayment,
)

export const selectPaymentMethod = ({ method_id, type, brand, ends }: PaymentMethod): void =>
  $selectedPayment.set({ id: method_id, type, brand, expiry: ends })

/**
 * Returns the payment method for a purchase: the selected one, otherwise the default one. Ignores expired methods.
 * Returns null if there is neither.
 */
export function findPayingMethod(
  methods: readonly PaymentMethod[],
  selected: SelectedPayment | null,
): PaymentMethod | null {
  const usable = methods.filter(({ state }) => state !== 'ended')
  return (
    usable.find(({ method_id }) => method_id === selected?.id) ?? usable.find(({ is_default }) => is_default) ?? null
  )
}
