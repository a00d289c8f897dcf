import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Clock from 'lucide-react/icons/clock'
import House from 'lucide-react/icons/house'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Sparkles from 'lucide-react/icons/sparkles'
import Users from 'lucide-react/icons/users'
import { useState, type ReactNode } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { byRank, overviewSentence } from '../../../domain/copy/account-overview.ts'
import { statusLabel } from '../../../domain/copy/subscription-status.ts'
import { $hasNoCamera } from '../../../stores/home/has-no-camera.ts'
import { Cameras } from './Cameras.tsx'
import { Unused } from './UnusedLicenses.tsx'

/** Summary of the account's highest plan, with the names of its other plans below. */
export function OwnPlan({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const [opened] = useState(Date.now)
  const [first, ...others] = byRank(subscriptions)
  if (!first) return null
  const { name, tier } = getPlan(first.sku)
  // The dates of a subscription follow its test clock.
  const now = opened + first.clock
  return (
    <>
      <Head
        icon={tier === null ? <ShieldCheck size={22} aria-hidden="true" /> : <Sparkles size={22} aria-hidden="true" />}
        name={name}
        badge={<StateBadge subscription={first} now={now} />}
        sentence={overviewSentence(first, now)}
      />
      <Change subscription={first} />
      <Cameras whose="own" />
      <Unused />
      {others.length > 0 && (
        <p className="text-small text-ink-2">
          {others.length === 1 ? 'And ' : 'And also '}
          {others.map(({ sku }) => getPlan(sku).name).join(', ')}.{' '}
          <a className="link" href="/account/services">
            See all services
          </a>
        </p>
      )}
    </>
  )
}

const ICONS = { success: CircleCheck, warning: Clock, error: CircleAlert, primary: Clock } as const

function StateBadge({ subscription, now }: { subscription: Subscription; now: number }) {
  const { text, tone } = statusLabel(subscription, now)
  const Icon = ICONS[tone]
  return (
    <span className={`badge badge-${tone}`}>
      <Icon size={14} aria-hidden="true" />
      {text}
    </span>
  )
}

const WAYS = { active: 'Change plan', trial: 'Keep it', past_due: 'Settle it', cancelled: 'Undo' } as const

/** Link to the next step for the plan: change, settle, resume, or undo the cancellation. */
function Change({ subscription: { sku, channel, status, paused_until } }: { subscription: Subscription }) {
  const { segment, name } = getPlan(sku)
  if (channel !== 'web') return null
  const isPlain = status === 'active' && paused_until === null
  const toPlans = isPlain || status === 'trial'
  const href = toPlans
    ? `/account/products/${segment ?? getPlan('unlimited').segment ?? 'choose'}`
    : '/account/services'
  const text = paused_until === null ? WAYS[status] : 'Go on'
  return (
    <a className="btn btn-outline btn-sm plan-change" aria-label={`${text}: ${name}`} href={href}>
      {text}
    </a>
  )
}

/** Summary for an account without a plan: says what the free tier keeps. */
export function FreePlan() {
  // Without cameras, adding one is the next step.
  const hasNoCamera = useStore($hasNoCamera)
  return (
    <>
      <Head
        icon={<House size={22} aria-hidden="true" />}
        name="Free"
        sentence="Every camera live, and its clips kept for 1 day. No plan is running, and nothing is charged."
      />
      <a
        className={`btn ${hasNoCamera ? 'btn-outline' : 'btn-primary'} btn-sm plan-change`}
        href="/account/products/choose"
      >
        Explore plans
      </a>
      <Cameras whose="own" />
    </>
  )
}

/** Shown if all the user's cameras are shared by others: says whose plans cover them, and nothing about money. */
export function SharedOnly() {
  return (
    <>
      <Head
        icon={<Users size={22} aria-hidden="true" />}
        name="Shared with you"
        sentence="These cameras belong to somebody else. Their owner's plan says what is kept, and you pay nothing."
      />
      <Cameras whose="shared" />
    </>
  )
}

interface HeadProps {
  icon: ReactNode
  name: string
  badge?: ReactNode
  sentence: string
}

function Head({ icon, name, badge, sentence }: HeadProps) {
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
