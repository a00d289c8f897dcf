import { inMoney } from '../domain/money.ts'

/** An amount. One in the buyer's favour is a credit and looks like one. */
export function Money({ cents, className = '' }: { cents: number; className?: string }) {
  return (
    <span className={`money ${className}`} data-credit={cents < 0 || undefined}>
      {inMoney(cents)}
    </span>
  )
}

/** A row of a bill: what, how much, and under it how that came about. */
export function MoneyRow({ title, cents, note }: { title: string; cents: number; note?: string | undefined }) {
  return (
    <div className="money-row">
      <dt>
        {title}
        {note && <small>{note}</small>}
      </dt>
      <dd>
        <Money cents={cents} />
      </dd>
    </div>
  )
}
