import CircleAlert from 'lucide-react/icons/circle-alert'
import type { Invoice } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { invoiceSubject } from '../../../domain/copy/invoice-status.ts'
import { shortDayWithYearLabel } from '../../../domain/time/date-formats.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'

/** Open invoice, shown above all other invoices, with the link to pay it. */
export function OpenInvoice({ bill }: { bill: Invoice }) {
  return (
    <div className="hint-strip bills-open" data-tone="error">
      <CircleAlert size={18} aria-hidden="true" />
      <p>
        <b>
          {formatMoney(bill.total, bill.currency)} past due since {shortDayWithYearLabel(bill.at)}.
        </b>{' '}
        Your payment for {invoiceSubject(bill)} failed. You haven’t been charged.
      </p>
      <a className="btn btn-outline btn-sm" href="/account/services">
        Pay now
      </a>
    </div>
  )
}
