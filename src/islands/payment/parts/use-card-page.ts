import type { PaymentMethod } from '../../../../contract/billing.ts'
import { leaveForCard } from '../../../stores/commerce/methods.ts'
import { useAct } from '../../../ui/use-act.ts'

/** The way to the page on which cards are typed. It is left for at once; what failed is told with a toast. */
export function useCardPage() {
  const { isBusy, run } = useAct()
  const open = (options: { quote?: string | undefined; replaces?: PaymentMethod } = {}) =>
    void run(() => leaveForCard('/account/payment', options))
  return { isBusy, open }
}
