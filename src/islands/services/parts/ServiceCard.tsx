import { useStore } from '@nanostores/react'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import Clock from 'lucide-react/icons/clock'
import Lightbulb from 'lucide-react/icons/lightbulb'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Sparkles from 'lucide-react/icons/sparkles'
import Store from 'lucide-react/icons/store'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'
import { planOf } from '../../../../contract/catalogue.ts'
import type { Subscription } from '../../../../contract/plans.ts'
import {
  elsewhereWords,
  scheduledWords,
  serviceSentence,
  stateWords,
  unusedWords,
} from '../../../domain/service-words.ts'
import { $unusedSubs } from '../../../stores/account/services.ts'
import { $hasSecondTier } from '../../../stores/commerce/user-services.ts'
import { Covered } from './Covered.tsx'

interface Props {
  subscription: Subscription
  /** ms UTC */
  now: number
}

/** One subscription: its state, the next date and amount, the cameras that it covers, and what is worth knowing. */
export function ServiceCard({ subscription, now }: Props) {
  const { name, tier } = planOf(subscription.sku)
  const state = stateWords(subscription, now)
  const Icon = tier === null ? ShieldCheck : Sparkles
  return (
    <li className="card service-card">
      <header>
        <span className="service-icon" data-tone={tier === null ? 'secondary' : 'primary'}>
          <Icon size={22} aria-hidden="true" />
        </span>
        <div>
          <div className="service-name">
            <h2>{name}</h2>
            <span className={`badge badge-${state.tone}`}>
              {state.tone === 'warning' && <Clock size={14} aria-hidden="true" />}
              {state.tone === 'error' && <TriangleAlert size={14} aria-hidden="true" />}
              {state.text}
            </span>
          </div>
          <p className="text-small text-ink-2">{serviceSentence(subscription, now)}</p>
        </div>
        <ChangeLink subscription={subscription} />
      </header>
      {tier !== null && <Covered subscription={subscription} />}
      <Hints subscription={subscription} now={now} />
    </li>
  )
}

/** Only what was bought here is changed here. */
function ChangeLink({ subscription: { sku, channel, status } }: { subscription: Subscription }) {
  const hasSecond = useStore($hasSecondTier)
  const { segment, tier } = planOf(sku)
  if (channel !== 'web' || tier === null) return null
  const text = status === 'trial' ? 'Keep it' : 'Change'
  const label = hasSecond && tier === 2 ? `${text}, or go on to ${planOf('pro').name}` : text
  return (
    <a
      className="btn btn-outline btn-sm"
      aria-label={`${planOf(sku).name}: ${label}`}
      href={`/account/products/${segment ?? planOf('unlimited').segment ?? 'choose'}`}
    >
      {text}
    </a>
  )
}

function Hints({ subscription, now }: Props) {
  const unused = useStore($unusedSubs).find(
    ({ subscription: one }) => one.subscription_id === subscription.subscription_id,
  )
  const [scheduled, elsewhere] = [scheduledWords(subscription, now), elsewhereWords(subscription)]
  return (
    <>
      {subscription.status === 'past_due' && (
        <Hint tone="error" icon={<TriangleAlert size={18} aria-hidden="true" />}>
          <b>The last payment did not go through.</b> It works on while it is tried again.{' '}
          <a className="link" href="/account/payment">
            See how you pay
          </a>
        </Hint>
      )}
      {scheduled && <Hint icon={<CalendarClock size={18} aria-hidden="true" />}>{scheduled}</Hint>}
      {elsewhere && <Hint icon={<Store size={18} aria-hidden="true" />}>{elsewhere}</Hint>}
      {unused && (
        <Hint tone="warning" icon={<Lightbulb size={18} aria-hidden="true" />}>
          {unusedWords(unused.unused, subscription)}
        </Hint>
      )}
    </>
  )
}

function Hint({ tone, icon, children }: { tone?: 'warning' | 'error'; icon: ReactNode; children: ReactNode }) {
  return (
    <p className="hint-strip" data-tone={tone}>
      {icon}
      <span>{children}</span>
    </p>
  )
}
