import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { isDeclineCode } from '../../../domain/billing/decline-codes.ts'
import { isDeclinedMethod } from '../../../domain/billing/failed-method.ts'
import { methodName } from '../../../domain/copy/payment-methods.ts'
import { payOpenAmount } from '../../../stores/billing/cancellation.ts'
import { $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $selectedPayment } from '../../../stores/billing/selected-payment-method.ts'
import { $paidCharge, $unpaidReturn } from '../../../stores/billing/unpaid-charge.ts'
import { type ActionFailure, useAction } from '../../../ui/use-action.ts'
import { focusCard } from './focus-card.ts'

type OpenInvoice = NonNullable<Subscription['open']>

/** Returns true if the charge failed with this method. If the failed method is unknown, assumes the default method. */
const isFailedMethod = (candidate: PaymentMethod, open: OpenInvoice) =>
  open.method === null ? candidate.is_default : isDeclinedMethod(candidate, open)

export interface UnpaidCharge {
  readonly isLoaded: boolean
  /** Method that was just saved for this charge on the card page and has not been declined. */
  readonly savedMethod: PaymentMethod | undefined
  /** Usable method that has not failed; undefined if there is none. */
  readonly method: PaymentMethod | undefined
  /** Usable method that has failed, to try again. */
  readonly retryMethod: PaymentMethod | undefined
  readonly defaultMethod: PaymentMethod | undefined
  /** Part of the amount that the balance pays, cents. */
  readonly fromBalance: number
  readonly isBusy: boolean
  readonly failure: ActionFailure | null
  readonly pay: (method: PaymentMethod) => Promise<void>
}

/** State of a failed charge, and its payment with a stored method. */
export function useUnpaidCharge(subscription: Subscription, open: OpenInvoice): UnpaidCharge {
  const { methods, isLoaded, balance } = useStore($paymentMethods)
  const selected = useStore($selectedPayment)
  const isReturn = useStore($unpaidReturn) === subscription.subscription_id
  const [declinedIds, setDeclinedIds] = useState<readonly string[]>([])
  const { isBusy, failure, run } = useAction()
  const usable = methods.filter(({ state }) => state !== 'ended')
  const untried = usable.filter(({ method_id }) => !declinedIds.includes(method_id))
  const savedMethod = isReturn ? untried.find(({ method_id }) => method_id === selected?.id) : undefined
  const others = untried.filter((candidate) => !isFailedMethod(candidate, open))
  const fromBalance = Math.min(balance, open.total)
  const payWith = async (method: PaymentMethod) => {
    const failed = await payOpenAmount(subscription, method.method_id)
    if (failed && isDeclineCode(failed.code)) setDeclinedIds((ids) => [...ids, method.method_id])
    return failed
  }
  const pay = async (method: PaymentMethod) => {
    if (!(await run(() => payWith(method)))) return
    const { subscription_id: subscriptionId } = subscription
    $paidCharge.set({
      subscriptionId,
      text: `${formatMoney(open.total - fromBalance)} was charged to ${methodName(method)}.`,
    })
    focusCard(subscriptionId)
  }
  return {
    isLoaded,
    savedMethod,
    method:
      savedMethod ??
      others.find(({ method_id }) => method_id === selected?.id) ??
      others.find(({ is_default }) => is_default) ??
      others[0],
    retryMethod:
      usable.find(({ method_id }) => method_id === declinedIds.at(-1)) ??
      usable.find((candidate) => isFailedMethod(candidate, open)),
    defaultMethod: usable.find(({ is_default }) => is_default),
    fromBalance,
    isBusy,
    failure,
    pay,
  }
}
