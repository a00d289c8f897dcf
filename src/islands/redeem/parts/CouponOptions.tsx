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
import { describeChanges, type ChangeWords, isDiscount, optionNote, optionTitle } from '../../../domain/copy/coupon.ts'
import { $userSubs } from '../../../stores/billing/subscriptions.ts'
import { $redeem, selectOption } from '../../../stores/billing/coupon-redemption.ts'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { UseIt } from './RedeemButtons.tsx'

const ICONS = { free_months: CalendarCheck, credit: Coins, bonus: Gift, percent: TicketPercent, amount: TicketPercent }
const CHANGE_ICONS = { ends: RefreshCw, free: Calendar, bill: ReceiptText, licence: CalendarCheck }

/**
 * Options of the coupon with the changes that each one makes, and a button that repeats the choice. A single option has
 * no radio button.
 */
export function CouponOptions() {
  const { options, seletedOption } = useStore($redeem)
  const [only] = options
  if (options.length === 1 && only)
    return (
      <>
        <section className="card redeem-only" aria-labelledby="redeem-only">
          <Head option={only} id="redeem-only" />
          <Changes option={only} />
        </section>
        <UseIt />
      </>
    )
  return (
    <>
      <Choices legend="What would you like?" columns={2}>
        {options.map((option) => (
          <Choice
            key={option.option_id}
            name="option"
            checked={option.option_id === seletedOption?.option_id}
            onChange={() => selectOption(option)}
            title={optionTitle(option)}
            note={<Note option={option} />}
            end={<OptionIcon option={option} />}
          >
            <Changes option={option} />
          </Choice>
        ))}
      </Choices>
      <UseIt />
    </>
  )
}

function Head({ option, id }: { option: CouponOption; id: string }) {
  return (
    <header>
      <div>
        <h2 id={id}>{optionTitle(option)}</h2>
        <p className="text-small text-ink-2">
          <Note option={option} />
        </p>
      </div>
      <OptionIcon option={option} />
    </header>
  )
}

function OptionIcon({ option: { kind } }: { option: CouponOption }) {
  const Icon = ICONS[kind]
  return (
    <span className="row-icon" data-tone="primary">
      <Icon size={18} aria-hidden="true" />
    </span>
  )
}

function Note({ option }: { option: CouponOption }) {
  const [running] = useStore($userSubs).membershipSubs
  return optionNote(option, running ? getPlan(running.sku).name : '')
}

function Changes({ option }: { option: CouponOption }) {
  const [now] = useState(Date.now)
  const words = describeChanges(option.changes, now)
  if (isDiscount(option) || words.length === 0) return null
  return (
    <span className="changes">
      <span className="changes-title">What changes</span>
      <ChangeList words={words} />
    </span>
  )
}

/** Uses spans, because the list can be inside a label. */
export function ChangeList({ words }: { words: readonly ChangeWords[] }) {
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
