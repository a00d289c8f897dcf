import type { Invoice } from '../../../../contract/billing.ts'
import { settledRows, taxSum } from '../../../domain/invoice-words.ts'
import { inMoney } from '../../../domain/money.ts'

/** Sums of a bill, and how it was settled. */
export function Totals({ bill }: { bill: Invoice }) {
  const sum = taxSum(bill.lines)
  return (
    <dl className="paper-totals">
      <div>
        <dt>Subtotal</dt>
        <dd>{inMoney(bill.subtotal)}</dd>
      </div>
      <div>
        <dt>
          Sales tax
          {sum !== '' && <small>{sum}</small>}
        </dt>
        <dd>{inMoney(bill.tax)}</dd>
      </div>
      <div className="paper-total">
        <dt>Total</dt>
        <dd>{inMoney(bill.total)}</dd>
      </div>
      {settledRows(bill).map(({ title, cents }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{inMoney(cents)}</dd>
        </div>
      ))}
    </dl>
  )
}
