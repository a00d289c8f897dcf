import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Clock from 'lucide-react/icons/clock'
import { useEffect, useState } from 'react'
import type { PaymentMethod, UpcomingCharge } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_TAX_BASIS_POINTS } from '../../../../contract/billing/money.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { computeIncludedTax } from '../../../domain/copy/account-overview.ts'
import { chargeName, expiryLabel, methodDetail, methodName } from '../../../domain/copy/payment-methods.ts'
import { $catalog, loadCatalog } from '../../../stores/billing/plan-catalog.ts'
import { $paymentMethods, loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { CardMark } from '../../../ui/CardMark.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Money } from '../../../ui/Money.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'

/** Next charge: amount and its calculation, date, and payment method. */
export function NextCharge() {
  const { isLoaded, methods, upcoming, balance, failure } = useStore($paymentMethods)
  useEffect(() => {
    void loadPaymentMethods()
    void loadCatalog()
  }, [])
  const [next] = upcoming.toSorted((charge, other) => charge.at - other.at)
  if (!isLoaded && failure)
    return (
      <section className="card overview-panel next-charge" aria-label="Next charge">
        <LoadError
          title="We couldn’t load the next charge"
          text={failure.text}
          onRetry={() => void loadPaymentMethods()}
        />
      </section>
    )
  if (!isLoaded)
    return (
      <section className="card overview-panel next-charge" aria-label="Next charge" aria-busy="true">
        <RowsSkeleton rows={2} label="Loading the next charge" />
      </section>
    )
  if (!next) return null
  return (
    <section className="card overview-panel next-charge" aria-label="Next charge">
      <p className="text-small text-ink-2 font-bold">Next charge</p>
      <Money cents={next.due} className="money-total" />
      <ChargeDate next={next} />
      {balance > 0 && (
        <p className="text-small text-ink-2">This amount reflects your balance of {formatMoney(balance)}.</p>
      )}
      <ChargeMethod method={methods.find(({ method_id }) => method_id === next.method_id)} next={next} />
    </section>
  )
}

/**
 * Date of the charge, with its price and tax. If the balance pays a part, omits price and tax, because they would not
 * add up to the charge.
 */
function ChargeDate({ next }: { next: UpcomingCharge }) {
  const [now] = useState(Date.now)
  const catalog = useStore($catalog)
  const rate = catalog.state === 'ready' ? catalog.tax_basis_points : DEFAULT_TAX_BASIS_POINTS
  const tax = useStore($paymentMethods).balance > 0 ? null : computeIncludedTax(next.due, rate)
  const parts = tax === null ? 'with tax' : `${formatMoney(next.due - tax)} plus ${formatMoney(tax)} tax`
  return (
    <p className="text-small text-ink-2">
      {dayWords(next.at, now)} · {parts}
      <br />
      {chargeName(next)}
    </p>
  )
}

function ChargeMethod({ method, next }: { method: PaymentMethod | undefined; next: UpcomingCharge }) {
  return (
    <div className="next-method">
      {method && <CardMark brand={method.brand} />}
      <span className="row-text">
        <b>{method ? methodName(method) : 'No payment method'}</b>
        {!method && <small>Add one before this charge.</small>}
        {method?.state === 'good' && !next.would_fail && <small>{methodDetail(method)}</small>}
        {method && (method.state !== 'good' || next.would_fail) && (
          <small className="next-end" data-tone={method.state === 'ended' ? 'error' : 'warning'}>
            {method.state === 'ended' ? (
              <CircleAlert size={14} aria-hidden="true" />
            ) : (
              <Clock size={14} aria-hidden="true" />
            )}
            {method.state === 'ended' ? 'Expired' : 'Expires'} {expiryLabel(method.ends)}
            {next.would_fail && ', before this charge'}
          </small>
        )}
      </span>
      <a
        className="text-action"
        aria-label={method ? 'Change payment method' : 'Add a payment method'}
        href="/account/payment"
      >
        {method ? 'Change' : 'Add'}
      </a>
    </div>
  )
}
