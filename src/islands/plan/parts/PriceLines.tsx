import CalendarClock from 'lucide-react/icons/calendar-clock'
import type { Quote } from '../../../../contract/purchase.ts'
import { TRIAL_DAYS } from '../../../../contract/money.ts'
import { formatTime } from '../../../domain/local-time.ts'
import { inMoney } from '../../../domain/money.ts'
import { longDay, priceRows, taxTitle, taxWords, type PriceRow } from '../../../domain/quote-words.ts'

const DAY_MS = 86_400_000

interface PriceLinesProps {
  quote: Quote
  /** Rows that are other than before. */
  changed: readonly string[]
  /** It belongs to what was chosen before: another one is on its way. */
  isOld: boolean
}

/** All lines of a price, each with its sum in words, down to what is due and what comes next. */
export function PriceLines({ quote, changed, isOld }: PriceLinesProps) {
  const { lines, currency, subtotal, tax, tax_basis_points, balance_used, balance_added, due } = quote
  const money = (cents: number) => inMoney(cents, currency)
  return (
    <div className="price-lines" data-old={isOld || undefined} aria-busy={isOld}>
      {lines.length > 0 && (
        <dl>
          {priceRows(lines, currency).map((row) => (
            <Row key={row.key} row={row} isChanged={changed.includes(row.key)} />
          ))}
        </dl>
      )}
      <dl>
        <Row row={plain('Subtotal', money(subtotal))} />
        <Row row={plain(taxTitle(tax_basis_points), money(tax), taxWords(lines))} />
        {balance_used > 0 && <Row row={plain('From your balance', money(-balance_used), '', true)} />}
        {balance_added > 0 && (
          <Row row={plain('Added to your balance', money(balance_added), 'Your next bill uses it')} />
        )}
      </dl>
      <dl>
        <div className="money-row price-due" data-changed={changed.includes('total') || undefined}>
          <dt>Due today</dt>
          <dd className="money-total">{money(due)}</dd>
        </div>
      </dl>
      <NextCharge quote={quote} />
    </div>
  )
}

const plain = (title: string, amount: string, words = '', isCredit = false): PriceRow => ({
  ...{ key: title, title, words, amount, isCredit },
})

function Row({ row, isChanged = false }: { row: PriceRow; isChanged?: boolean }) {
  const { title, words, amount, isCredit } = row
  return (
    <div className="money-row" data-changed={isChanged || undefined}>
      <dt>
        {title}
        {isChanged && <span className="badge badge-warning">Changed</span>}
        {words && <small>{words}</small>}
      </dt>
      <dd>
        <span className="money" data-credit={isCredit || undefined}>
          {amount}
        </span>
      </dd>
    </div>
  )
}

function NextCharge({ quote }: { quote: Quote }) {
  const { next, is_trial, is_later, starts_at, currency } = quote
  return (
    <p className="hint-strip">
      <CalendarClock size={18} aria-hidden="true" />
      <span>
        {is_later && (
          <>
            It starts <b>{longDay(starts_at)}</b>.{' '}
          </>
        )}
        {is_trial && (
          <>
            It ends by itself <b>{longDay(starts_at + TRIAL_DAYS * DAY_MS)}</b>. No card, no charge.
          </>
        )}
        {next && (
          <>
            Next charge <b>{`${longDay(next.at)}, ${inMoney(next.total, currency)}`}</b> with tax.
          </>
        )}
        {!next && !is_trial && 'No further charge.'}
      </span>
    </p>
  )
}

/** Until when the price holds. */
export const heldWords = ({ as_of, expires_at }: Quote): string =>
  `Quoted at ${formatTime(as_of, 'HH:mm')}, good until ${formatTime(expires_at, 'HH:mm')}.`
