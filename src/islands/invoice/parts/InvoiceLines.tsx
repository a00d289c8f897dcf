import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { MoneyLine } from '../../../../contract/billing/purchase.ts'
import { findCreditedInvoice, invoiceLine } from '../../../domain/copy/invoice-lines.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'

interface InvoiceLinesProps {
  bill: Invoice
  /** All invoices of the account. A credit line refers to one of them. */
  invoices: readonly Invoice[]
}

/** Line items of an invoice with their tax. The header row repeats on every printed page. */
export function InvoiceLines({ bill, invoices }: InvoiceLinesProps) {
  return (
    <table className="paper-lines">
      <caption className="sr-only">Invoice items</caption>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col">Qty</th>
          <th scope="col">Net</th>
          <th scope="col">Tax</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {bill.lines.map((line, n) => (
          <InvoiceLine
            key={n}
            line={line}
            currency={bill.currency}
            source={findCreditedInvoice(line, bill, invoices)}
          />
        ))}
      </tbody>
    </table>
  )
}

function InvoiceLine({ line, currency, source }: { line: MoneyLine; currency: string; source: string }) {
  const { title, words, count } = invoiceLine(line, currency, source)
  return (
    <tr>
      <th scope="row">
        <b>{title}</b> <small>{words}</small>
      </th>
      <td data-name={count === '' ? undefined : 'Qty'}>{count}</td>
      <td data-name="Net">{formatMoney(line.amount, currency)}</td>
      <td data-name="Tax">{formatMoney(line.tax, currency)}</td>
      <td className="line-amount">{formatMoney(line.amount + line.tax, currency)}</td>
    </tr>
  )
}
