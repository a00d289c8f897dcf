import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef, useState } from 'react'
import { describeCouponChanges, couponOptionTitle } from '../../../domain/copy/coupon.ts'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import type { RedemptionState } from '../../../stores/billing/coupon-redemption.ts'
import { ChangeList } from './CouponOptions.tsx'

/** Result of the redemption, with a link to the cameras. */
export function CouponApplied({
  redemption: { option, changes, balance, subscriptionId },
}: {
  redemption: Extract<RedemptionState, { state: 'done' }>
}) {
  const [now] = useState(Date.now)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card redeem-done" aria-labelledby="done-title">
      <span className="row-icon" data-tone="success">
        <CircleCheck size={20} aria-hidden="true" />
      </span>
      <div>
        <h2 id="done-title" ref={title} tabIndex={-1}>
          {option.kind === 'credit'
            ? `${formatMoney(option.value)} was added to your balance`
            : `Redeemed: ${couponOptionTitle(option)}`}
        </h2>
        <div className="changes">
          <ChangeList words={describeCouponChanges(changes, now)} />
        </div>
        {balance > 0 && (
          <p className="text-ink-2">Your balance of {formatMoney(balance)} goes toward your next invoice.</p>
        )}
        <p className="redeem-foot">
          {option.kind === 'bonus' ? (
            <a
              className="btn btn-primary btn-lg"
              href={`/account/services/cover${subscriptionId ? `?plan=${subscriptionId}` : ''}`}
            >
              Assign license
            </a>
          ) : (
            <a className="btn btn-primary btn-lg" href="/live">
              See your cameras
            </a>
          )}
          <a className="btn btn-outline btn-lg" href="/account/services">
            Go to Services
          </a>
        </p>
      </div>
    </section>
  )
}
