import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { isTaxedAt, listSettlementRows, formatTaxSum } from '../../../domain/copy/invoice-lines.ts'
import { taxTitle } from '../../../domain/copy/price-quote.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'

interface InvoiceTotalsProps {
  bill: Invoice
  /** Current tax rate in basis points; null until the catalog has loaded. */
  taxBasisPoints: number | null
}

/** Totals of an invoice with the tax rate, if the current rate gives these taxes, and how the invoice was settled. */
export function InvoiceTotals({ bill, taxBasisPoints }: InvoiceTotalsProps) {
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
          {taxBasisPoints !== null && isTaxedAt(bill.lines, taxBasisPoints) ? taxTitle(taxBasisPoints) : 'Sales tax'}
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
