import CircleAlert from 'lucide-react/icons/circle-alert'
import Clock from 'lucide-react/icons/clock'
import type { ReactNode } from 'react'
import { formatMoney } from '../../contract/billing/amounts.ts'
import type { Invoice, PaymentMethod, UpcomingCharge } from '../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../contract/billing/subscriptions.ts'
import { amountDueText, declinedText } from '../domain/copy/open-invoice.ts'
import { chargeName, expiryLabel, methodDetail, methodName } from '../domain/copy/payment-methods.ts'
import { computeIncludedTax } from '../domain/copy/price-quote.ts'
import { dayWords } from '../domain/time/date-formats.ts'
import { CardMark } from './CardMark.tsx'
import { Money } from './Money.tsx'

interface NextChargePanelProps {
  next: UpcomingCharge
  methods: readonly PaymentMethod[]
  /** Balance of the account, cents. */
  balance: number
  taxBasisPoints: number
  now: number
  className: string
}

/** Next charge: amount with price and tax, date, and payment method. */
export function NextChargePanel({ next, methods, balance, taxBasisPoints, now, className }: NextChargePanelProps) {
  // If the balance pays a part, price and tax would not add up to the charge.
  const tax = balance > 0 ? null : computeIncludedTax(next.due, taxBasisPoints)
  const parts = tax === null ? 'with tax' : `${formatMoney(next.due - tax)} plus ${formatMoney(tax)} tax`
  return (
    <section className={`card ${className}`} aria-label="Next charge">
      <p className="text-small text-ink-2 font-bold">Next charge</p>
      <Money cents={next.due} className="money-total" />
      <p className="text-small text-ink-2">
        {dayWords(next.at, now)} · {parts}
        <br />
        {chargeName(next)}
      </p>
      {balance > 0 && (
        <p className="text-small text-ink-2">This amount reflects your balance of {formatMoney(balance)}.</p>
      )}
      <ChargeMethod method={methods.find(({ method_id }) => method_id === next.method_id)} next={next} />
    </section>
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
      <ChangeMethodLink hasMethod={method !== undefined} />
    </div>
  )
}

const ChangeMethodLink = ({ hasMethod }: { hasMethod: boolean }) => (
  <a
    className="text-action"
    aria-label={hasMethod ? 'Change payment method' : 'Add a payment method'}
    href="/account/payment"
  >
    {hasMethod ? 'Change' : 'Add'}
  </a>
)

interface AmountDuePanelProps {
  open: NonNullable<Subscription['open']>
  invoice: Invoice | null
  /** Current time by the plan's test clock, ms UTC. */
  now: number
  className: string
  /** Row of a method that was just added. */
  children?: ReactNode
}

/** Unpaid charge: amount, its tax and period, due date, and the declined payment method. */
export function AmountDuePanel({ open, invoice, now, className, children }: AmountDuePanelProps) {
  const method = open.method && { ...open.method, brand: open.method.brand as PaymentMethod['brand'] }
  return (
    <section className={`card ${className}`} aria-label="Amount due">
      <p className="text-small text-ink-2 font-bold">Amount due</p>
      <Money cents={open.total} className="money-total" />
      <p className="text-small text-ink-2">
        {amountDueText(invoice)}
        <br />
        Past due since {dayWords(open.due_at, now)}.
      </p>
      {children}
      <div className="next-method">
        {method && (
          <span className="method-declined-mark">
            <CardMark brand={method.brand} />
          </span>
        )}
        <span className="row-text">
          <b>{method ? methodName(method) : 'No payment method'}</b>
          {method ? (
            <small className="next-end" data-tone="error">
              <CircleAlert size={14} aria-hidden="true" />
              {declinedText(open, now)}
            </small>
          ) : (
            <small>Add one to pay.</small>
          )}
        </span>
        <ChangeMethodLink hasMethod={method !== null} />
      </div>
    </section>
  )
}
