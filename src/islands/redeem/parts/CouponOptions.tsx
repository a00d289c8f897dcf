import { useStore } from '@nanostores/react'
import Calendar from 'lucide-react/icons/calendar'
import CalendarCheck from 'lucide-react/icons/calendar-check'
import Coins from 'lucide-react/icons/coins'
import Gift from 'lucide-react/icons/gift'
import ReceiptText from 'lucide-react/icons/receipt-text'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import TicketPercent from 'lucide-react/icons/ticket-percent'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { CouponOption } from '../../../../contract/billing/coupons.ts'
import {
  describeCouponChanges,
  type CouponChangeText,
  isDiscount,
  couponOptionNote,
  couponOptionTitle,
} from '../../../domain/copy/coupon.ts'
import { $userSubs } from '../../../stores/billing/subscriptions.ts'
import { $redeem, selectCouponOption } from '../../../stores/billing/coupon-redemption.ts'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { RedeemButtons } from './RedeemButtons.tsx'

const COUPON_KIND_ICONS = {
  free_months: CalendarCheck,
  credit: Coins,
  bonus: Gift,
  percent: TicketPercent,
  amount: TicketPercent,
}
const CHANGE_ICONS = { ends: RefreshCw, free: Calendar, bill: ReceiptText, licence: CalendarCheck }

/**
 * Options of the coupon with the changes that each one makes, and the redeem buttons. A single option has no radio
 * button.
 */
export function CouponOptions() {
  const { options, seletedOption } = useStore($redeem)
  const [singleOption] = options
  if (options.length === 1 && singleOption)
    return (
      <>
        <section className="card redeem-only" aria-labelledby="redeem-only">
          <OptionHeader option={singleOption} id="redeem-only" />
          <OptionChanges option={singleOption} />
        </section>
        <RedeemButtons />
      </>
    )
  return (
    <>
      <Choices legend="Choose one" columns={2}>
        {options.map((option) => (
          <Choice
            key={option.option_id}
            name="option"
            checked={option.option_id === seletedOption?.option_id}
            onChange={() => selectCouponOption(option)}
            title={couponOptionTitle(option)}
            note={<OptionNote option={option} />}
            end={<OptionIcon option={option} />}
          >
            <OptionChanges option={option} />
          </Choice>
        ))}
      </Choices>
      <RedeemButtons />
    </>
  )
}

function OptionHeader({ option, id }: { option: CouponOption; id: string }) {
  return (
    <header>
      <div>
        <h2 id={id}>{couponOptionTitle(option)}</h2>
        <p className="text-small text-ink-2">
          <OptionNote option={option} />
        </p>
      </div>
      <OptionIcon option={option} />
    </header>
  )
}

function OptionIcon({ option: { kind } }: { option: CouponOption }) {
  const Icon = COUPON_KIND_ICONS[kind]
  return (
    <span className="row-icon" data-tone="primary">
      <Icon size={18} aria-hidden="true" />
    </span>
  )
}

function OptionNote({ option }: { option: CouponOption }) {
  const [subscription] = useStore($userSubs).membershipSubs
  return couponOptionNote(option, subscription ? getPlan(subscription.sku).name : '')
}

function OptionChanges({ option }: { option: CouponOption }) {
  const [now] = useState(Date.now)
  const changeTexts = describeCouponChanges(option.changes, now)
  if (isDiscount(option) || changeTexts.length === 0) return null
  return (
    <span className="changes">
      <span className="changes-title">What changes</span>
      <ChangeList words={changeTexts} />
    </span>
  )
}

/** List of changes. Uses spans, because the list can be inside a label. */
export function ChangeList({ words }: { words: readonly CouponChangeText[] }) {
  return (
    <span role="list">
      {words.map(({ kind, text }) => {
        const Icon = CHANGE_ICONS[kind]
        return (
          <span key={text} role="listitem">
            <Icon size={18} aria-hidden="true" />
            {text}
          </span>
        )
      })}
    </span>
  )
}
