import type { ReactNode } from 'react'
import { formatMoney } from '../../contract/billing/amounts.ts'

interface MoneyProps {
  cents: number
  /** Currency code. Default: the currency of sale. */
  currency?: string | undefined
  className?: string
}

/** Amount of money. A negative amount is shown as a credit. */
export function Money({ cents, currency, className = '' }: MoneyProps) {
  return (
    <span className={`money ${className}`} data-credit={cents < 0 || undefined}>
      {formatMoney(cents, currency)}
    </span>
  )
}

interface MoneyRowProps extends MoneyProps {
  title: ReactNode
  note?: string | undefined
  isChanged?: boolean
}

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
