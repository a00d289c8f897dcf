import { getCurrencyName } from '../../../../contract/billing/amounts.ts'
import type { Invoice, Seller } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../../../contract/brand.ts'
import { invoiceStatusLabel } from '../../../domain/copy/invoice-status.ts'
import { shortDayWithYearLabel } from '../../../domain/time/date-formats.ts'
import { parseAccountNumber } from '../../../domain/copy/invoice-lines.ts'
import { InvoiceLines } from './InvoiceLines.tsx'
import { InvoiceTotals } from './InvoiceTotals.tsx'

interface PrintedInvoiceProps {
  bill: Invoice
  seller: Seller
  creditNote: Invoice | null
  /** All invoices of the account. */
  invoices: readonly Invoice[]
  /** Current tax rate in basis points; null until the catalog has loaded. */
  taxBasisPoints?: number | null
  /** Lines about the next charge of the plan; empty if the invoice shows none. */
  nextCharge?: readonly string[]
}

/** Printed invoice: A4 or Letter, readable without color. */
export function PrintedInvoice(props: PrintedInvoiceProps) {
  const { bill, seller, creditNote, invoices, taxBasisPoints = null, nextCharge = [] } = props
  const isCreditNote = bill.kind === 'credit_note'
  return (
    <article className="paper" aria-labelledby="paper-title">
      <header className="paper-head">
        <span className="paper-brand">
          <svg width="36" height="36" viewBox="0 0 32 32" aria-hidden="true">
            <use href="#porch-logo" />
          </svg>
          {BRAND_NAME}
        </span>
        <div>
          <h1 id="paper-title">{isCreditNote ? 'Credit note' : 'Invoice'}</h1>
          <p className="paper-number">{bill.bill}</p>
        </div>
      </header>
      <div className="paper-parties">
        <InvoiceParty title="Seller" name={seller.name} lines={seller.address}>
          {seller.tax_id && <span>Tax ID {seller.tax_id}</span>}
        </InvoiceParty>
        <InvoiceParty title="Buyer" name={bill.buyer[0] ?? ''} lines={bill.buyer.slice(1)} />
        <InvoiceFacts bill={bill} isCreditNote={isCreditNote} creditNote={creditNote} />
      </div>
      <InvoiceLines bill={bill} invoices={invoices} />
      <InvoiceTotals bill={bill} taxBasisPoints={taxBasisPoints} />
      <InvoiceNotes nextCharge={nextCharge} />
      <footer className="paper-foot">
        <p>Tax is calculated per line item and rounded to the nearest cent. Thank you for your business.</p>
        <p>{SUPPORT_ADDRESS}</p>
      </footer>
    </article>
  )
}

function InvoiceNotes({ nextCharge }: { nextCharge: readonly string[] }) {
  return (
    <section className="paper-box">
      {nextCharge.length > 0 && (
        <div>
          <h2>Next charge</h2>
          {nextCharge.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      <div>
        <h2>Change or cancel your plan</h2>
        <p>Go to Account › Services. You’ll see any refund before you confirm.</p>
      </div>
      <div>
        <h2>Questions about this invoice?</h2>
        <p>Email {SUPPORT_ADDRESS} and include the invoice number.</p>
      </div>
    </section>
  )
}

interface InvoicePartyProps {
  title: string
  name: string
  lines: readonly string[]
  children?: React.ReactNode
}

function InvoiceParty({ title, name, lines, children }: InvoicePartyProps) {
  return (
    <section>
      <h2>{title}</h2>
      <address>
        <b>{name}</b>
        {lines.map((line) => (
          <span key={line}>{line}</span>
        ))}
        {children}
      </address>
    </section>
  )
}

function InvoiceFacts({
  bill,
  isCreditNote,
  creditNote,
}: {
  bill: Invoice
  isCreditNote: boolean
  creditNote: Invoice | null
}) {
  const facts = [
    [isCreditNote ? 'Date' : 'Invoice date', shortDayWithYearLabel(bill.at)],
    ...(bill.refers_to === null ? [] : [['For invoice', bill.refers_to]]),
    ...(creditNote === null ? [] : [['Credit note', creditNote.bill]]),
    ['Account', parseAccountNumber(bill)],
    ['Currency', getCurrencyName(bill.currency)],
    ['Status', invoiceStatusLabel(bill).text],
  ]
  return (
    <dl className="paper-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
