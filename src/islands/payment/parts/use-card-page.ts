import type { PaymentMethod } from '../../../../contract/billing.ts'
import { openCardPage } from '../../../stores/commerce/payment-methods.ts'
import { useAct } from '../../../ui/use-act.ts'

/** The way to the page on which cards are typed. It is left for at once; what failed is told with a toast. */
export function useCardPage() {
  const { isBusy, run } = useAct()
  const open = (
    options: { quote?: string | undefined; replaces?: PaymentMethod } = {},
    returnTo = '/account/payment',
  ) =>
    void run(async () => {
      const answer = await openCardPage(returnTo, options)
      if (!answer.ok) return answer
      location.assign(answer.data.url)
      return null
    })
  return { isBusy, open }
}
