import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { loadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { $redemption, startRedemption } from '../../../stores/billing/coupon-redemption.ts'
import { CouponForm } from './CouponForm.tsx'
import { CouponApplied } from './CouponApplied.tsx'
import { CouponOptions } from './CouponOptions.tsx'
import { CouponRejected } from './CouponRejected.tsx'

export function RedeemPage() {
  const redemption = useStore($redemption, { ssr: 'initial' })
  useEffect(() => {
    startRedemption(location.search)
    void loadSubscriptions()
  }, [])
  // While the page opens, a placeholder is shown: the form would not respond yet.
  if (redemption.state === 'opening')
    return <section className="card redeem-form redeem-waiting" aria-label="Redeem a coupon" />
  if (redemption.state === 'done') return <CouponApplied redemption={redemption} />
  return (
    <>
      <CouponForm />
      {redemption.state === 'checked' && <CouponOptions />}
      {redemption.state === 'refused' && <CouponRejected rejection={redemption} />}
    </>
  )
}
