import type { ReactNode } from 'react'
import type { Quote } from '../../contract/billing/purchase.ts'
import { toPriceRows, taxTitle, taxText } from '../domain/copy/price-quote.ts'
import { Money, MoneyRow } from './Money.tsx'

interface QuoteLinesProps {
  quote: Quote
  /** Keys of changed rows (src/domain/copy/price-quote.ts). */
  changedKeys?: readonly string[]
  /** True if the quote is for the previous selection while a new one loads. */
  isOutdated?: boolean
  children?: ReactNode
}

export function QuoteLines({ quote, changedKeys = [], isOutdated = false, children }: QuoteLinesProps) {
  const { lines, currency, subtotal, tax, tax_basis_points, balance_used, balance_added, due } = quote
  const rows = toPriceRows(lines, currency)
  return (
    <div className="price-lines" data-old={isOutdated || undefined} aria-busy={isOutdated}>
      {lines.length > 0 && (
        <dl>
          {rows.map(({ key, title, words }, index) => (
            <MoneyRow
              key={key}
              title={title}
              note={words}
              cents={lines[index]?.amount ?? 0}
              currency={currency}
              isChanged={changedKeys.includes(key)}
            />
          ))}
        </dl>
      )}
      <dl>
        <MoneyRow title="Subtotal" cents={subtotal} currency={currency} />
        <MoneyRow title={taxTitle(tax_basis_points)} note={taxText(lines)} cents={tax} currency={currency} />
        {balance_used > 0 && <MoneyRow title="From your balance" cents={-balance_used} currency={currency} />}
        {balance_added > 0 && (
          <MoneyRow
            title="Added to your balance"
            note="Applied to your next invoice"
            cents={balance_added}
            currency={currency}
          />
        )}
      </dl>
      <dl>
        <div className="money-row price-due" data-changed={changedKeys.includes('total') || undefined}>
          <dt>Due today</dt>
          <dd>
            <Money cents={due} currency={currency} className="money-total" />
          </dd>
        </div>
      </dl>
      {children}
    </div>
  )
}
