import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleCheck from 'lucide-react/icons/circle-check'
import Printer from 'lucide-react/icons/printer'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Undo from 'lucide-react/icons/undo-2'
import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import {
  getInvoiceUrl,
  invoiceStatusLabel,
  invoiceSubject,
  type InvoiceStatusLabel,
  formatPaidWith,
} from '../../../domain/copy/invoice-status.ts'
import { Money } from '../../../ui/Money.tsx'
import { shortDayWithYearLabel } from '../../../domain/time/date-formats.ts'

const TONE_ICONS = { success: CircleCheck, primary: Undo, error: TriangleAlert, plain: Undo }

function InvoiceStatusBadge({ state: { text, tone } }: { state: InvoiceStatusLabel }) {
  const Icon = TONE_ICONS[tone]
  return (
    <span className={`badge ${tone === 'plain' ? '' : `badge-${tone}`}`}>
      <Icon size={14} aria-hidden="true" />
      {text}
    </span>
  )
}

/** Table of invoices, one row each, with links to the printable pages; a list on phones. */
export function InvoiceTable({ bills }: { bills: readonly Invoice[] }) {
  return (
    <div className="card bills-card">
      <table className="bills-table">
        <caption className="sr-only">Invoices, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Invoice</th>
            <th scope="col">Description</th>
            <th scope="col">Paid with</th>
            <th scope="col">Status</th>
            <th scope="col" className="bill-amount">
              Amount
            </th>
            <th scope="col">
              <span className="sr-only">Open</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {bills.map((bill) => (
            <InvoiceRow key={bill.bill} bill={bill} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function InvoiceRow({ bill }: { bill: Invoice }) {
  return (
    <tr>
      <th scope="row" className="bill-date">
        {shortDayWithYearLabel(bill.at)}
      </th>
      <td className="bill-number">{bill.bill}</td>
      <td className="bill-what">{invoiceSubject(bill)}</td>
      <td className="bill-method">{formatPaidWith(bill)}</td>
      <td className="bill-state">
        <InvoiceStatusBadge state={invoiceStatusLabel(bill)} />
      </td>
      <td className="bill-amount">
        <Money cents={bill.total} />
      </td>
      <td className="bill-open">
        <a href={getInvoiceUrl(bill)}>
          <span className="sr-only">
            Open {bill.kind === 'invoice' ? 'invoice' : 'credit note'} {bill.bill}
          </span>
          <Printer className="on-desk" size={18} aria-hidden="true" />
          <ChevronRight className="on-phone" size={18} aria-hidden="true" />
        </a>
      </td>
    </tr>
  )
}
