import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { chargeName, methodDetail, methodName } from '../../../domain/copy/payment-methods.ts'
import { $subscriptions } from '../../../stores/billing/subscriptions.ts'
import { $paymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $selectedPayment } from '../../../stores/billing/selected-payment-method.ts'
import { $unpaidReturn } from '../../../stores/billing/unpaid-charge.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { Money } from '../../../ui/Money.tsx'
import { NextChargeSkeleton } from '../ServicesSkeleton.tsx'

/** Returns the method that was just saved for the failed charge; undefined if there is none. */
function useAddedMethod(): PaymentMethod | undefined {
  const { methods } = useStore($paymentMethods)
  const selected = useStore($selectedPayment)
  const isReturn = useStore($unpaidReturn) !== null
  return isReturn ? methods.find(({ method_id }) => method_id === selected?.id) : undefined
}

function OpenInvoice({ open, now }: { open: NonNullable<Subscription['open']>; now: number }) {
  const { total, due_at, method } = open
  const added = useAddedMethod()
  return (
    <section className="card next-charge" aria-label="Amount due">
      <p className="text-small text-ink-2 font-bold">Amount due</p>
      <Money cents={total} className="money-total" />
      <p className="text-small text-ink-2">Includes tax. Past due since {dayWords(due_at, now)}.</p>
      {added && (
        <div className="next-method">
          <CardMark brand={added.brand} />
          <span className="row-text">
            <b>{methodName(added)}</b>
            <small className="method-added">Just added</small>
          </span>
        </div>
      )}
      <div className="next-method">
        {method && (
          <span className="method-declined-mark">
            <CardMark brand={method.brand as PaymentMethod['brand']} />
          </span>
        )}
        <span className="row-text">
          <b>
            {method ? methodName({ ...method, brand: method.brand as PaymentMethod['brand'] }) : 'No payment method'}
          </b>
          {method ? <small className="method-declined">Declined last time</small> : <small>Add one to pay.</small>}
        </span>
        <a className="text-action" href="/account/payment">
          {method ? 'Change' : 'Add'}
        </a>
      </div>
    </section>
  )
}

export function NextCharge() {
  const { isLoaded, methods, upcoming, balance } = useStore($paymentMethods)
  const [openedAt] = useState(Date.now)
  const subs = useStore($subscriptions)
  const subscriptions = subs.state === 'ready' ? subs.subscriptions : []
  const now = openedAt + Math.max(0, ...subscriptions.map(({ clock }) => clock))
  const unpaid = subscriptions.find(({ open }) => open !== null)
  const [next] = upcoming.toSorted((charge, other) => charge.at - other.at)
  if (unpaid?.open) return <OpenInvoice open={unpaid.open} now={now} />
  if (!isLoaded && subscriptions.some((subscription) => subscription.next)) return <NextChargeSkeleton />
  if (!next) return null
  const method = methods.find(({ method_id }) => method_id === next.method_id)
  return (
    <section className="card next-charge" aria-label="Next charge">
      <p className="text-small text-ink-2 font-bold">Next charge</p>
      <Money cents={next.due} className="money-total" />
      <p className="text-small text-ink-2">
        {dayWords(next.at, now)} · {chargeName(next)}, with tax
      </p>
      {balance > 0 && (
        <p className="text-small text-ink-2">This amount reflects your balance of {formatMoney(balance)}.</p>
      )}
      <div className="next-method">
        {method && <CardMark brand={method.brand} />}
        <span className="row-text">
          <b>{method ? methodName(method) : 'No payment method'}</b>
          <small>{method ? methodDetail(method) : 'Add one before this charge.'}</small>
        </span>
        <a className="text-action" href="/account/payment">
          {method ? 'Change' : 'Add'}
        </a>
      </div>
    </section>
  )
}
