import type { Failure } from '../shell/report-failure.ts'
import { $payment, openCardPage } from './payment-methods.ts'
import { $checkout, selectCheckoutMethod, isHeld } from './checkout.ts'
import { $selectedPayment, payingMethod, selectPayment } from './selected-payment-method.ts'

/**
 * Keeps the checkout's payment method up to date: the method that the user chose or added last, otherwise the default.
 * Returns a function that stops the sync.
 */
export function syncPaymentMethod(): () => void {
  const sync = () => {
    const { methods, isLoaded } = $payment.get()
    const now = $checkout.get()
    if (!isLoaded || !now || isHeld(now)) return
    const id = payingMethod(methods, $selectedPayment.get())?.method_id
    if (id !== undefined && id !== now.form.methodId) selectCheckoutMethod(id)
  }
  const stops = [$payment, $selectedPayment, $checkout].map((store) => store.subscribe(sync))
  return () => stops.forEach((stop) => stop())
}

export function payWith(methodId: string): void {
  const method = $payment.get().methods.find(({ method_id }) => method_id === methodId)
  if (method) selectPayment(method)
}

/** Navigates to the card page, which later returns to `returnTo`. Shows a failure as a toast. */
export async function leaveForCard(
  returnTo: string,
  options: Parameters<typeof openCardPage>[1],
): Promise<Failure | null> {
  const answer = await openCardPage(returnTo, options)
  if (!answer.ok) return answer
  location.assign(answer.data.url)
  return null
}
