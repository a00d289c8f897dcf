import { useStore } from '@nanostores/react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Lightbulb from 'lucide-react/icons/lightbulb'
import Pause from 'lucide-react/icons/pause'
import Store from 'lucide-react/icons/store'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import Undo2 from 'lucide-react/icons/undo-2'
import type { ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import {
  canceledText,
  otherChannelText,
  pausedText,
  scheduledText,
  unusedLicensesText,
} from '../../../domain/copy/subscription-status.ts'
import { remainingLicenses, paysPerLicense } from '../../../domain/billing/license-counts.ts'
import { openCancellation } from '../../../stores/billing/cancellation-step.ts'
import { $subscriptionsWithUnusedLicenses } from '../../../stores/billing/license-assignments.ts'
import { TrialExtension } from './TrialExtension.tsx'

interface SubscriptionHintsProps {
  subscription: Subscription
  /** Current time by the plan's test clock, ms UTC. */
  now: number
}

/**
 * Hints about a failed payment, a cancellation, a pause, a scheduled change, a purchase outside this portal, the free
 * trial, and unused licenses.
 */
export function SubscriptionHints({ subscription, now }: SubscriptionHintsProps) {
  const { status, open, channel } = subscription
  const [scheduled, otherChannel] = [scheduledText(subscription, now), otherChannelText(subscription)]
  const [canceled, paused] = [canceledText(subscription, now), pausedText(subscription, now)]
  return (
    <>
      {status === 'past_due' && open === null && (
        <SubscriptionHint tone="error" icon={<TriangleAlert size={18} aria-hidden="true" />}>
          <b>The last payment failed.</b> Your plan stays active while we retry.{' '}
          <a className="link" href="/account/payment">
            See payment methods
          </a>
        </SubscriptionHint>
      )}
      {canceled && <SubscriptionHint icon={<Undo2 size={18} aria-hidden="true" />}>{canceled}</SubscriptionHint>}
      {paused && <SubscriptionHint icon={<Pause size={18} aria-hidden="true" />}>{paused}</SubscriptionHint>}
      {scheduled && (
        <SubscriptionHint icon={<CalendarClock size={18} aria-hidden="true" />}>{scheduled}</SubscriptionHint>
      )}
      {otherChannel && (
        <SubscriptionHint icon={<Store size={18} aria-hidden="true" />}>{otherChannel}</SubscriptionHint>
      )}
      {status === 'trial' && channel === 'web' && <TrialExtension subscription={subscription} now={now} />}
      <UnusedLicensesHint subscription={subscription} />
    </>
  )
}

function UnusedLicensesHint({ subscription }: { subscription: Subscription }) {
  const { subscription_id } = subscription
  const unused = useStore($subscriptionsWithUnusedLicenses).find(
    (entry) => entry.subscription.subscription_id === subscription_id,
  )
  if (!unused) return null
  return (
    <div className="hint-strip unused" data-tone="warning">
      <Lightbulb size={18} aria-hidden="true" />
      <span>{unusedLicensesText(unused.unused, subscription)}</span>
      <span className="unused-ways">
        <a className="text-action" href={`/account/services/cover?plan=${encodeURIComponent(subscription_id)}`}>
          {unused.unused === 1 ? 'Assign license' : 'Assign licenses'}
        </a>
        {paysPerLicense(subscription) && <GiveBackAction subscription={subscription} unused={unused.unused} />}
      </span>
    </div>
  )
}

/**
 * Link to the plan page with the number of licenses preset to those in use. If all licenses are unused, shows a button
 * that opens the cancellation of the plan instead.
 */
function GiveBackAction({ subscription, unused }: { subscription: Subscription; unused: number }) {
  const { subscription_id, sku } = subscription
  const { period } = subscription.scheduled ?? subscription
  const licenseCount = remainingLicenses(subscription)
  const { segment, name } = getPlan(sku)
  const text = unused === 1 ? 'Remove license' : 'Remove licenses'
  if (unused >= licenseCount)
    return (
      <button
        type="button"
        className="text-action"
        aria-label={`${text}: ${name}`}
        onClick={() => openCancellation(subscription_id)}
      >
        {text}
      </button>
    )
  return (
    <a
      className="text-action"
      aria-label={`${text}: ${name}`}
      href={`/account/products/${segment ?? 'choose'}?cameras=${licenseCount - unused}&period=${period}`}
    >
      {text}
    </a>
  )
}

interface HintProps {
  tone?: 'warning' | 'error'
  icon: ReactNode
  children: ReactNode
}

export function SubscriptionHint({ tone, icon, children }: HintProps) {
  return (
    <p className="hint-strip" data-tone={tone}>
      {icon}
      <span>{children}</span>
    </p>
  )
}
