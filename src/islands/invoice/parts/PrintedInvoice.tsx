import { currencyName } from '../../../../contract/billing/amounts.ts'
import type { Invoice, Seller } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { BRAND_NAME, SUPPORT_ADDRESS } from '../../../../contract/brand.ts'
import { billState } from '../../../domain/copy/invoice-status.ts'
import { shortFullDay } from '../../../domain/time/date-formats.ts'
import { parseAccountNumber } from '../../../domain/copy/invoice-lines.ts'
import { Lines } from './InvoiceLines.tsx'
import { Totals } from './InvoiceTotals.tsx'

interface PaperProps {
  bill: Invoice
  seller: Seller
  /** Credit note for this invoice, if any. */
  note: Invoice | null
}

/** Printed invoice: A4 or Letter, readable without color. */
export function Paper({ bill, seller, note }: PaperProps) {
  const isNote = bill.kind === 'credit_note'
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
          <h1 id="paper-title">{isNote ? 'Credit note' : 'Invoice'}</h1>
          <p className="paper-number">{bill.bill}</p>
        </div>
      </header>
      <div className="paper-parties">
        <Party title="Seller" name={seller.name} lines={seller.address}>
          {seller.tax_id && <span>Tax number {seller.tax_id}</span>}
        </Party>
        <Party title="Buyer" name={bill.buyer[0] ?? ''} lines={bill.buyer.slice(1)} />
        <Facts bill={bill} isNote={isNote} note={note} />
      </div>
      <Lines lines={bill.lines} currency={bill.currency} />
      <Totals bill={bill} />
      <section className="paper-box">
        <div>
          <h2>To change or end your plan</h2>
          <p>Account, Services. It says first what you get back.</p>
        </div>
        <div>
          <h2>Questions about this bill</h2>
          <p>Write to {SUPPORT_ADDRESS} and name its number.</p>
        </div>
      </section>
      <footer className="paper-foot">
        <p>Tax is worked out for each line and rounded half up to the cent. Thank you.</p>
        <p>{SUPPORT_ADDRESS}</p>
      </footer>
    </article>
  )
}

interface PartyProps {
  title: string
  name: string
  lines: readonly string[]
  children?: React.ReactNode
}

function Party({ title, name, lines, children }: PartyProps) {
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

function Facts({ bill, isNote, note }: { bill: Invoice; isNote: boolean; note: Invoice | null }) {
  const facts = [
    [isNote ? 'Date' : 'Invoice date', shortFullDay(bill.at)],
    ...(bill.refers_to === null ? [] : [['Of invoice', bill.refers_to]]),
    ...(note === null ? [] : [['Credit note', note.bill]]),
    ['Account', parseAccountNumber(bill)],
    ['Currency', currencyName(bill.currency)],
    ['State', billState(bill).text],
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
