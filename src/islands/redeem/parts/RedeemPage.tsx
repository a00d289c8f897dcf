import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { loadSubscriptions } from '../../../stores/account/subscriptions.ts'
import { $redemption, beginRedeem } from '../../../stores/commerce/redeem.ts'
import { CouponForm } from './CouponForm.tsx'
import { Done } from './Done.tsx'
import { Options } from './Options.tsx'
import { Refused } from './Refused.tsx'

export function RedeemPage() {
  const now = useStore($redemption, { ssr: 'initial' })
  useEffect(() => {
    beginRedeem(location.search)
    void loadSubscriptions()
  }, [])
  // Nothing to press or type in before it would be heard.
  if (now.state === 'opening') return <section className="card redeem-form redeem-waiting" aria-label="Use a coupon" />
  if (now.state === 'done') return <Done done={now} />
  return (
    <>
      <CouponForm />
      {now.state === 'checked' && <Options />}
      {now.state === 'refused' && <Refused refused={now} />}
    </>
  )
}
