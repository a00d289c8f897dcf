import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { settledRows, taxSum } from '../../../domain/copy/invoice-lines.ts'
import { inMoney } from '../../../../contract/billing/amounts.ts'

/** Totals of an invoice, and how it was settled. */
export function Totals({ bill }: { bill: Invoice }) {
  const { currency } = bill
  const sum = taxSum(bill.lines)
  return (
    <dl className="paper-totals">
      <div>
        <dt>Subtotal</dt>
        <dd>{inMoney(bill.subtotal, currency)}</dd>
      </div>
      <div>
        <dt>
          Sales tax
          {sum !== '' && <small>{sum}</small>}
        </dt>
        <dd>{inMoney(bill.tax, currency)}</dd>
      </div>
      <div className="paper-total">
        <dt>Total</dt>
        <dd>{inMoney(bill.total, currency)}</dd>
      </div>
      {settledRows(bill).map(({ title, cents }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{inMoney(cents, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
