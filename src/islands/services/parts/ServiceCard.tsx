import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Clock from 'lucide-react/icons/clock'
import Gift from 'lucide-react/icons/gift'
import Pause from 'lucide-react/icons/pause'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import {
  featuresText,
  subscriptionSentence,
  statusLabel,
  type SubscriptionStatusLabel,
} from '../../../domain/copy/subscription-status.ts'
import { $paidCharge } from '../../../stores/billing/unpaid-charge.ts'
import { PlanIcon } from '../../../ui/PlanIcon.tsx'
import { SubscriptionActions } from './SubscriptionActions.tsx'
import { CoveredCameras } from './CoveredCameras.tsx'
import { SubscriptionHints } from './SubscriptionHints.tsx'
import { FailedPayment } from './FailedPayment.tsx'

/** One subscription: state, next date and amount, covered cameras, actions. */
export function ServiceCard({ subscription }: { subscription: Subscription }) {
  const [openedAt] = useState(Date.now)
  // The dates of a subscription follow its test clock.
  const now = openedAt + subscription.clock
  const { name, tier } = getPlan(subscription.sku)
  const state = statusLabel(subscription, now)
  return (
    <li
      className="card service-card"
      tabIndex={-1}
      data-plan={subscription.subscription_id}
      data-tone={subscription.open ? 'error' : undefined}
    >
      <header>
        <span className="service-icon" data-tone={tier === null ? 'secondary' : 'primary'}>
          <PlanIcon sku={subscription.sku} />
        </span>
        <div>
          <div className="service-name">
            <h2>{name}</h2>
            <StateBadge state={state} subscription={subscription} />
          </div>
          <p className="text-small text-ink-2">{subscriptionSentence(subscription, now)}</p>
          {tier !== null && subscription.paused_until === null && (
            <p className="text-small text-ink-2">{featuresText(subscription)}</p>
          )}
        </div>
      </header>
      {!subscription.open && <PaidChargeLine subscription={subscription} />}
      {subscription.open && <FailedPayment subscription={subscription} open={subscription.open} now={now} />}
      {tier !== null && <CoveredCameras subscription={subscription} now={now} />}
      <SubscriptionHints subscription={subscription} now={now} />
      <SubscriptionActions subscription={subscription} />
    </li>
  )
}

/** Confirms the payment of a failed charge on this page. */
function PaidChargeLine({ subscription: { subscription_id } }: { subscription: Subscription }) {
  const paid = useStore($paidCharge)
  if (paid?.subscriptionId !== subscription_id) return null
  return (
    <p className="hint-strip" data-tone="success" role="status">
      <CircleCheck size={18} aria-hidden="true" />
      <span>{paid.text}</span>
    </p>
  )
}

function StateBadge({ state, subscription }: { state: SubscriptionStatusLabel; subscription: Subscription }) {
  const icons = { warning: Clock, error: CircleAlert, primary: Pause, success: CircleCheck } as const
  const Icon = subscription.channel === 'bonus' ? Gift : icons[state.tone]
  return (
    <span className={`badge badge-${state.tone}`}>
      {Icon && <Icon size={14} aria-hidden="true" />}
      {state.text}
    </span>
  )
}
