import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { navigateToCardPage } from '../../../stores/billing/choose-payment-method.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Returns a function that opens the card page. A failure shows a toast. */
export function useCardPage() {
  const { isBusy, run } = useAction()
  const open = (options: { quote?: string | undefined; replaces?: PaymentMethod } = {}) =>
    void run(() => navigateToCardPage('/account/payment', options))
  return { isBusy, open }
}
