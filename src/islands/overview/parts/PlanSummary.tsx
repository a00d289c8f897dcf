import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Clock from 'lucide-react/icons/clock'
import House from 'lucide-react/icons/house'
import Users from 'lucide-react/icons/users'
import { useState, type ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { sortByRank, overviewSentence } from '../../../domain/copy/account-overview.ts'
import { formatList } from '../../../domain/copy/lists.ts'
import { statusLabel } from '../../../domain/copy/subscription-status.ts'
import { $hasNoCamera } from '../../../stores/home/has-no-camera.ts'
import { PlanIcon } from '../../../ui/PlanIcon.tsx'
import { Cameras } from './Cameras.tsx'
import { UnusedLicenses } from './UnusedLicenses.tsx'

/** Summary of the account's highest plan, with the names of its other plans below. */
export function OwnPlan({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const [openedAt] = useState(Date.now)
  const [highest, ...others] = sortByRank(subscriptions)
  if (!highest) return null
  const { name } = getPlan(highest.sku)
  // The dates of a subscription follow its test clock.
  const now = openedAt + highest.clock
  return (
    <>
      <PlanHeader
        icon={<PlanIcon sku={highest.sku} />}
        name={name}
        badge={<StateBadge subscription={highest} now={now} />}
        sentence={overviewSentence(highest, now)}
      />
      <NextStepLink subscription={highest} />
      <Cameras ownership="own" isSecondary={highest.status === 'past_due'} />
      <UnusedLicenses />
      {others.length > 0 && (
        <p className="text-small text-ink-2">
          You also have {formatList(others.map(({ sku }) => getPlan(sku).name))}.{' '}
          <a className="link" href="/account/services">
            See all services
          </a>
        </p>
      )}
    </>
  )
}

const STATUS_ICONS = { success: CircleCheck, warning: Clock, error: CircleAlert, primary: Clock } as const

function StateBadge({ subscription, now }: { subscription: Subscription; now: number }) {
  const { text, tone } = statusLabel(subscription, now)
  const Icon = STATUS_ICONS[tone]
  return (
    <span className={`badge badge-${tone}`}>
      <Icon size={14} aria-hidden="true" />
      {text}
    </span>
  )
}

const ACTION_LABELS = { active: 'Change plan', trial: 'Subscribe', past_due: 'Pay now', cancelled: 'Undo' } as const

/**
 * Link to the next step for a plan that was bought in this portal: change it, keep it after the free trial, pay the
 * open invoice, resume it, or undo the cancellation.
 */
function NextStepLink({ subscription }: { subscription: Subscription }) {
  const { sku, channel, status, paused_until, open } = subscription
  const { segment, name } = getPlan(sku)
  if (channel !== 'web') return null
  const isActiveUnpaused = status === 'active' && paused_until === null
  const linksToPlans = isActiveUnpaused || status === 'trial'
  const href = linksToPlans
    ? `/account/products/${segment ?? getPlan('unlimited').segment ?? 'choose'}`
    : '/account/services'
  const text = paused_until === null ? ACTION_LABELS[status] : 'Resume'
  return (
    <a
      // An open invoice comes before everything else on this page.
      className={`btn ${open === null ? 'btn-outline' : 'btn-primary'} btn-sm plan-change`}
      aria-label={`${text}: ${name}`}
      href={href}
      data-due={open !== null || undefined}
    >
      {text}
    </a>
  )
}

/** Summary for an account without a plan: says what the free tier keeps. */
export function FreePlan() {
  // Without cameras, adding one is the next step, so the plan button is not the primary button.
  const hasNoCamera = useStore($hasNoCamera)
  return (
    <>
      <PlanHeader
        icon={<House size={22} aria-hidden="true" />}
        name="Free"
        sentence="Live video from every camera and 1 day of clips. No charges."
      />
      <a
        className={`btn ${hasNoCamera ? 'btn-outline' : 'btn-primary'} btn-sm plan-change`}
        href="/account/products/choose"
      >
        Explore plans
      </a>
      <Cameras ownership="own" />
    </>
  )
}

/** Summary for an account whose cameras are all shared by others. The owners' plans cover these cameras. */
export function SharedCamerasOnly() {
  return (
    <>
      <PlanHeader
        icon={<Users size={22} aria-hidden="true" />}
        name="Shared with you"
        sentence="Each camera’s owner chooses its plan. You won’t be charged."
      />
      <Cameras ownership="shared" />
    </>
  )
}

interface PlanHeaderProps {
  icon: ReactNode
  name: string
  badge?: ReactNode
  sentence: string
}

function PlanHeader({ icon, name, badge, sentence }: PlanHeaderProps) {
  return (
    <header className="plan-head">
      <span className="plan-sign">{icon}</span>
      <div className="plan-words">
        <div className="plan-name">
          <h2>{name}</h2>
          {badge}
        </div>
        <p className="text-small text-ink-2">{sentence}</p>
      </div>
    </header>
  )
}
