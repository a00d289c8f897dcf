import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { listSettlementRows, formatTaxSum } from '../../../domain/copy/invoice-lines.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'

/** Totals of an invoice, and how it was settled. */
export function InvoiceTotals({ bill }: { bill: Invoice }) {
  const { currency } = bill
  const sum = formatTaxSum(bill.lines)
  return (
    <dl className="paper-totals">
      <div>
        <dt>Subtotal</dt>
        <dd>{formatMoney(bill.subtotal, currency)}</dd>
      </div>
      <div>
        <dt>
          Sales tax
          {sum !== '' && <small>{sum}</small>}
        </dt>
        <dd>{formatMoney(bill.tax, currency)}</dd>
      </div>
      <div className="paper-total">
        <dt>Total</dt>
        <dd>{formatMoney(bill.total, currency)}</dd>
      </div>
      {listSettlementRows(bill).map(({ title, cents }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{formatMoney(cents, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
