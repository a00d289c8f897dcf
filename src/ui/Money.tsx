import type { ReactNode } from 'react'
import { inMoney } from '../../contract/billing/amounts.ts'

interface MoneyProps {
  cents: number
  /** Its code; the one that things are sold in where none is told. */
  currency?: string | undefined
  className?: string
}

/** An amount. One in the buyer's favour is a credit and looks like one. */
export function Money({ cents, currency, className = '' }: MoneyProps) {
  return (
    <span className={`money ${className}`} data-credit={cents < 0 || undefined}>
      {inMoney(cents, currency)}
    </span>
  )
}

interface MoneyRowProps extends MoneyProps {
  title: ReactNode
  note?: string | undefined
  /** It is other than it was shown before. */
  isChanged?: boolean
}

/** A row of a bill: what, how much, and under it how that came about. */
export function MoneyRow({ title, note, isChanged = false, ...amount }: MoneyRowProps) {
  return (
    <div className="money-row" data-changed={isChanged || undefined}>
      <dt>
        {title}
        {isChanged && <span className="badge badge-warning">Changed</span>}
        {note && <small>{note}</small>}
      </dt>
      <dd>
        <Money {...amount} />
      </dd>
    </div>
  )
}
