import { useStore } from '@nanostores/react'
import Info from 'lucide-react/icons/info'
import Sparkles from 'lucide-react/icons/sparkles'
import { useState } from 'react'
import { formatOtherChannelPlan, ownPlanText } from '../../../domain/copy/plan-page.ts'
import { shownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { $otherPlans } from '../../../stores/billing/current-plans.ts'

/**
 * Banner with the current subscription and how the purchase affects it. For plans bought elsewhere, says where to
 * change them.
 */
export function OwnStrip({ checkout }: { checkout: Checkout }) {
  const others = useStore($otherPlans)
  const [now] = useState(Date.now)
  const { own, form } = checkout
  const words = own && ownPlanText(own, form, shownQuote(), now)
  return (
    <>
      {words && (
        <p className="own-strip">
          <span className="own-icon">
            <Sparkles size={20} aria-hidden="true" />
          </span>
          <span>
            You have <b>{words.have}</b>, {words.more}
          </span>
        </p>
      )}
      {others.map((subscription) => {
        const { have, more } = formatOtherChannelPlan(subscription, now)
        return (
          <p key={subscription.subscription_id} className="hint-strip own-other">
            <Info size={18} aria-hidden="true" />
            <span>
              You also have <b>{have}</b>, {more}
            </span>
          </p>
        )
      })}
    </>
  )
}
