import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { CURRENCY, formatMoney } from '../../../../contract/billing/amounts.ts'
import {
  $catalog,
  $isJoinT3List,
  isPlanOnSale,
  getPlanPrice,
  setT3ListMembership,
} from '../../../stores/billing/plan-catalog.ts'
import { choosePro, type Checkout } from '../../../stores/billing/checkout.ts'
import { $currency } from '../../../stores/billing/currency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { NumberedStep } from '../../../ui/NumberedSteps.tsx'

/**
 * Step that offers Pro for longer retention. Pro is preselected only if the URL, the cart or the account's subscription
 * names it. If Pro is not sold, offers to join a waiting list.
 */
export function ProStep({ number, checkout }: { number: number; checkout: Checkout }) {
  const catalog = useStore($catalog)
  const currency = useStore($currency, { ssr: () => CURRENCY })
  const { sku, period } = checkout.form
  const days = `${getPlan('pro').keepsDays} days of clips instead of ${getPlan('unlimited').keepsDays}`
  const getExtraPrice = (option: 'monthly' | 'annual') =>
    getPlanPrice(catalog, 'pro')[option] - getPlanPrice(catalog, 'unlimited')[option]
  const formatExtraPrice = (option: 'monthly' | 'annual') =>
    `+${formatMoney(getExtraPrice(option), currency)} a ${option === 'annual' ? 'year' : 'month'}`
  return (
    <NumberedStep number={number} title="Add Pro (optional)">
      {isPlanOnSale(catalog, 'pro') ? (
        <Choice
          type="checkbox"
          checked={sku === 'pro'}
          onChange={choosePro}
          title="Add Pro"
          note={
            period === '' ? `${days}. ${formatExtraPrice('monthly')} or ${formatExtraPrice('annual')}.` : `${days}.`
          }
          end={period !== '' && <b>{formatExtraPrice(period)}</b>}
        />
      ) : (
        <ProWaitingList days={days} />
      )}
    </NumberedStep>
  )
}

function ProWaitingList({ days }: { days: string }) {
  const hasJoined = useStore($isJoinT3List)
  const [isBusy, setBusy] = useState(false)
  async function toggleWaitingList() {
    setBusy(true)
    await setT3ListMembership(!hasJoined)
    setBusy(false)
  }
  return (
    <div className="hint-strip plan-tell">
      <span role="status">
        <b>Pro isn’t available here yet.</b> Pro keeps {days}.{' '}
        {hasJoined
          ? 'You’re on the waitlist. Your provider can email you when Pro is available.'
          : 'Join the waitlist, and your provider can email you when Pro is available.'}
      </span>
      <Button kind="outline" size="sm" isBusy={isBusy} onClick={() => void toggleWaitingList()}>
        {hasJoined ? 'Leave waitlist' : 'Join waitlist'}
      </Button>
    </div>
  )
}
