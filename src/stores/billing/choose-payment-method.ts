import type { Failure } from '../shell/report-failure.ts'
import { $payment, openCardPage } from './payment-methods.ts'
import { $checkout, chooseMethod, isHeld } from './checkout.ts'
import { $selectedPayment, payingMethod, selectPayment } from './selected-payment-method.ts'

/** The method that pays is the one that was chosen last, or added just now, else the default one. Answers what stops it. */
export function syncPaymentMethod(): () => void {
  const sync = () => {
    const { methods, isLoaded } = $payment.get()
    const now = $checkout.get()
    if (!isLoaded || !now || isHeld(now)) return
    const id = payingMethod(methods, $selectedPayment.get())?.method_id
    if (id !== undefined && id !== now.form.methodId) chooseMethod(id)
  }
  const stops = [$payment, $selectedPayment, $checkout].map((store) => store.subscribe(sync))
  return () => stops.forEach((stop) => stop())
}

/** Pays with this one from now on. */
export function payWith(methodId: string): void {
  const method = $payment.get().methods.find(({ method_id }) => method_id === methodId)
  if (method) selectPayment(method)
}

/** Leaves for the card page, which comes back to `returnTo`; a failure is told as a toast. */
export async function leaveForCard(
  returnTo: string,
  options: Parameters<typeof openCardPage>[1],
): Promise<Failure | null> {
  const answer = await openCardPage(returnTo, options)
  if (!answer.ok) return answer
  location.assign(answer.data.url)
  return null
}
