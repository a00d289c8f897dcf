import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { leaveForCard } from '../../../stores/billing/choose-payment-method.ts'
import { useAct } from '../../../ui/use-action.ts'

/** The way to the page on which cards are typed. It is left for at once; what failed is told with a toast. */
export function useCardPage() {
  const { isBusy, run } = useAct()
  const open = (options: { quote?: string | undefined; replaces?: PaymentMethod } = {}) =>
    void run(() => leaveForCard('/account/payment', options))
  return { isBusy, open }
}
