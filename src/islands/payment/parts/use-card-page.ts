import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { leaveForCard } from '../../../stores/billing/choose-payment-method.ts'
import { useAct } from '../../../ui/use-action.ts'

/** Opens the card page immediately; a failure shows a toast. */
export function useCardPage() {
  const { isBusy, run } = useAct()
  const open = (options: { quote?: string | undefined; replaces?: PaymentMethod } = {}) =>
    void run(() => leaveForCard('/account/payment', options))
  return { isBusy, open }
}
