import { $paymentMethods } from './payment-methods.ts'
import { $checkout, selectCheckoutMethod, isCheckoutLocked } from './checkout.ts'
import { $selectedPayment, findPayingMethod, selectPaymentMethod } from './selected-payment-method.ts'

/**
 * Keeps the checkout's payment method up to date: the method that the user chose or added last, otherwise the default.
 * Returns a function that stops the sync.
 */
export function syncPaymentMethod(): () => void {
  const sync = () => {
    const { methods, isLoaded } = $paymentMethods.get()
    const checkout = $checkout.get()
    if (!isLoaded || !checkout || isCheckoutLocked(checkout)) return
    const id = findPayingMethod(methods, $selectedPayment.get())?.method_id
    if (id !== undefined && id !== checkout.form.methodId) selectCheckoutMethod(id)
  }
  const stops = [$paymentMethods, $selectedPayment, $checkout].map((store) => store.subscribe(sync))
  return () => stops.forEach((stop) => stop())
}

export function choosePaymentMethod(methodId: string): void {
  const method = $paymentMethods.get().methods.find(({ method_id }) => method_id === methodId)
  if (method) selectPaymentMethod(method)
}
