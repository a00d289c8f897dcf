import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { inMoney } from '../../../../contract/billing/amounts.ts'
import { $catalog, $isJoinT3List, isSold, planPrice, setJoinT3List } from '../../../stores/billing/plan-catalog.ts'
import { choosePro, type Checkout } from '../../../stores/billing/checkout.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { NumberedStep } from '../../../ui/Steps.tsx'

/** Offers longer retention; not preselected. If that plan is not sold, offers to join a waiting list. */
export function ProStep({ number, checkout }: { number: number; checkout: Checkout }) {
  const catalog = useStore($catalog)
  const currency = useStore($currency)
  const { sku, period } = checkout.form
  const days = `${getPlan('pro').keepsDays} days of clips instead of ${getPlan('unlimited').keepsDays}`
  const more = (option: 'monthly' | 'annual') =>
    planPrice(catalog, 'pro')[option] - planPrice(catalog, 'unlimited')[option]
  const price =
    period === 'annual'
      ? `+${inMoney(more('annual'), currency)} a year`
      : `+${inMoney(more('monthly'), currency)} a month`
  return (
    <NumberedStep number={number} title="Pro, if you want it">
      {isSold(catalog, 'pro') ? (
        <Choice
          type="checkbox"
          checked={sku === 'pro'}
          onChange={choosePro}
          title="Add Pro"
          note={`${days}.`}
          end={<b>{price}</b>}
        />
      ) : (
        <NotSold days={days} />
      )}
    </NumberedStep>
  )
}

function NotSold({ days }: { days: string }) {
  const hasJoined = useStore($isJoinT3List)
  const [isBusy, setBusy] = useState(false)
  async function change() {
    setBusy(true)
    await setJoinT3List(!hasJoined)
    setBusy(false)
  }
  return (
    <div className="hint-strip plan-tell">
      <span role="status">
        <b>Pro is not on sale here yet.</b> {days}.{' '}
        {hasJoined
          ? 'You are on the list: your provider can write to you when Pro is on sale.'
          : 'Join the list, and your provider can write to you when Pro is on sale.'}
      </span>
      <Button kind="outline" size="sm" isBusy={isBusy} onClick={() => void change()}>
        {hasJoined ? 'Leave the list' : 'Join the list'}
      </Button>
    </div>
  )
}
