import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { navigateToCardPage } from '../../../stores/billing/payment-methods.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Returns `open`, which opens the card page and shows a failure as a toast, and `isBusy` for the pending request. */
export function useCardPage() {
  const { isBusy, run } = useAction()
  const open = (options: { quote?: string | undefined; replaces?: PaymentMethod } = {}) =>
    void run(() => navigateToCardPage('/account/payment', options))
  return { isBusy, open }
}
