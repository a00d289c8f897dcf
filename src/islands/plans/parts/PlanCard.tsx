import Check from 'lucide-react/icons/check'
import { formatMoney, formatShortMoney } from '../../../../contract/billing/amounts.ts'
import type { Period } from '../../../../contract/billing/money.ts'
import { formatPriceUnit, type PlanCard as PlanCardTexts } from '../../../domain/copy/plan-cards.ts'
import type { PlanAction } from '../../../domain/copy/plan-offers.ts'
import { openCancellation } from '../../../stores/billing/cancellation-step.ts'
import { SimulatedRetention } from './SimulatedRetention.tsx'

interface PlanCardProps {
  card: PlanCardTexts
  period: Period
  currency: string
  /** Price in cents. */
  price: number
  isOwn: boolean
  /** Reason why the plan is suggested; null if it is not. */
  suggestion: { label: string; text: string } | null
  note: string
  action: PlanAction
  /** Id of the account's camera plan; '' for none. */
  ownId: string
}

/** Card of a plan. Each part has a fixed place, so that the parts of neighboring cards align. */
export function PlanCard({ card, period, currency, price, isOwn, suggestion, note, action, ownId }: PlanCardProps) {
  const { sku, name, sentence, features } = card
  return (
    <li className={suggestion ? 'price-card price-best' : 'price-card'} data-own={isOwn || undefined}>
      {suggestion && <span className="price-label">{suggestion.label}</span>}
      {isOwn && (
        <span className="price-label price-own">
          <Check size={14} aria-hidden="true" />
          Your plan
        </span>
      )}
      <h3 className="price-name">{name}</h3>
      <p className="text-small text-ink-2">{sentence}</p>
      <p className="mt-3">
        <span className="price-amount">{sku === 'free' ? formatShortMoney(0) : formatMoney(price, currency)}</span>{' '}
        <span className="price-unit">{formatPriceUnit(card, period)}</span>
      </p>
      <p className="price-note" data-best={suggestion !== null || undefined}>
        {suggestion?.text ?? note}
      </p>
      <SimulatedRetention sku={sku} />
      <ul className="price-facts mt-4 mb-6">
        {features.map((feature) => (
          <li key={feature}>
            <Check size={18} aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      {action.href === null ? (
        <p className="price-status">{action.text}</p>
      ) : (
        <a
          className={`btn mt-auto ${suggestion ? 'btn-primary' : 'btn-outline'}`}
          href={action.href}
          onClick={() => action.isCancellation && openCancellation(ownId)}
        >
          {action.text}
        </a>
      )}
    </li>
  )
}
