import { useStore } from '@nanostores/react'
import Play from 'lucide-react/icons/play'
import Undo2 from 'lucide-react/icons/undo-2'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { getPlanPath } from '../../../domain/copy/plan-page.ts'
import { $catalog, getPlanPrice } from '../../../stores/billing/plan-catalog.ts'
import { openCancellation } from '../../../stores/billing/cancellation-step.ts'
import { resumePausedPlan, undoCancellation } from '../../../stores/billing/cancellation.ts'
import { $hasSecondTier } from '../../../stores/billing/user-services.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { focusCard } from './focus-card.ts'

interface SubscriptionActionsProps {
  subscription: Subscription
}

/** Actions of a subscription. Only a subscription bought in this portal can be changed here. */
export function SubscriptionActions({ subscription }: SubscriptionActionsProps) {
  const { channel, status, paused_until, sku } = subscription
  if (channel !== 'web' || (status === 'trial' && getPlan(sku).tier === null)) return null
  return (
    <div className="service-actions">
      {status === 'cancelled' && <UndoButton subscription={subscription} />}
      {paused_until !== null && <ResumeButton subscription={subscription} />}
      {status !== 'cancelled' && paused_until === null && <ChangeLink subscription={subscription} />}
      {status !== 'cancelled' && status !== 'trial' && (
        <Button
          kind="plain"
          size="sm"
          className="cancel-plan"
          aria-label={`Cancel plan: ${getPlan(subscription.sku).name}`}
          onClick={() => openCancellation(subscription.subscription_id)}
        >
          Cancel plan
        </Button>
      )}
    </div>
  )
}

function ChangeLink({ subscription: { sku, status, quantity } }: SubscriptionActionsProps) {
  const hasSecondTier = useStore($hasSecondTier)
  const catalog = useStore($catalog)
  const { segment, tier } = getPlan(sku)
  if (tier === null) return null
  const price = formatMoney(getPlanPrice(catalog, sku).monthly * quantity)
  const text = status === 'trial' ? `Subscribe for ${price} a month` : 'Change plan'
  const label = hasSecondTier && tier === 2 ? `${text}, or upgrade to ${getPlan('pro').name}` : text
  return (
    <a
      className={`btn btn-sm ${status === 'trial' ? 'btn-soft' : 'btn-outline'}`}
      aria-label={`${getPlan(sku).name}: ${label}`}
      href={
        status === 'trial'
          ? getPlanPath(sku, 'monthly')
          : `/account/products/${segment ?? getPlan('unlimited').segment ?? 'choose'}`
      }
    >
      {text}
    </a>
  )
}

function UndoButton({ subscription }: SubscriptionActionsProps) {
  const { name } = getPlan(subscription.sku)
  const { isBusy, failure, run } = useAction()
  const undo = async () => {
    if (!(await run(() => undoCancellation(subscription)))) return
    focusCard(subscription.subscription_id)
    showToast('success', `${name} is active again.`)
  }
  return (
    <>
      <Button
        kind="soft"
        size="sm"
        isBusy={isBusy}
        busyText="Undoing…"
        aria-label={`Undo cancellation: ${name}`}
        onClick={() => void undo()}
      >
        {!isBusy && <Undo2 size={16} aria-hidden="true" />}
        Undo cancellation
      </Button>
      <InlineError failure={failure} />
    </>
  )
}

function ResumeButton({ subscription }: SubscriptionActionsProps) {
  const { name } = getPlan(subscription.sku)
  const { isBusy, failure, run } = useAction()
  const resume = async () => {
    if (!(await run(() => resumePausedPlan(subscription)))) return
    focusCard(subscription.subscription_id)
    showToast('success', `${name} is active again.`)
  }
  return (
    <>
      <Button
        kind="soft"
        size="sm"
        isBusy={isBusy}
        busyText="Resuming…"
        aria-label={`Resume ${name}`}
        onClick={() => void resume()}
      >
        {!isBusy && <Play size={16} aria-hidden="true" />}
        Resume
      </Button>
      <InlineError failure={failure} />
    </>
  )
}
