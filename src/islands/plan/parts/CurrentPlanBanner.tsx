import { useStore } from '@nanostores/react'
import Info from 'lucide-react/icons/info'
import { useState } from 'react'
import { formatOtherChannelPlan, ownPlanText } from '../../../domain/copy/plan-page.ts'
import { getShownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { $otherCameraPlans } from '../../../stores/billing/current-plans.ts'
import { getChangeTerms } from '../../../stores/billing/price-quote.ts'
import { PlanIcon } from '../../../ui/PlanIcon.tsx'

/**
 * Banner with the current subscription and how the purchase affects it. For plans bought elsewhere, says where to
 * change them.
 */
export function CurrentPlanBanner({ checkout }: { checkout: Checkout }) {
  const otherPlans = useStore($otherCameraPlans)
  const [now] = useState(Date.now)
  const { own, form } = checkout
  const currentPlan = own && ownPlanText(own, form, getChangeTerms(checkout), now)
  return (
    <>
      {own && currentPlan && (
        <p className="own-strip">
          <span className="own-icon">
            <PlanIcon sku={own.sku} size={20} />
          </span>
          <span>
            You have <b>{currentPlan.have}</b>, {currentPlan.more}
            <span className={getShownQuote() ? '' : 'invisible'}>{currentPlan.change}</span>
          </span>
        </p>
      )}
      {otherPlans.map((subscription) => {
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
