import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef, useState } from 'react'
import { describeChanges, optionTitle } from '../../../domain/copy/coupon.ts'
import { inMoney } from '../../../../contract/billing/amounts.ts'
import type { Redemption } from '../../../stores/billing/coupon-redemption.ts'
import { ChangeList } from './CouponOptions.tsx'

/** Result of the redemption, with a link to the cameras. */
export function CouponApplied({
  done: { option, changes, balance },
}: {
  done: Extract<Redemption, { state: 'done' }>
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
          {option.kind === 'credit' ? `${inMoney(option.value)} is yours` : `${optionTitle(option)}: it is on`}
        </h2>
        <div className="changes">
          <ChangeList words={describeChanges(changes, now)} />
        </div>
        {balance > 0 && <p className="text-ink-2">Your balance is {inMoney(balance)}. The next bill uses it.</p>}
        <p className="redeem-foot">
          {option.kind === 'bonus' ? (
            <a className="btn btn-primary btn-lg" href="/live">
              Choose its camera
            </a>
          ) : (
            <a className="btn btn-primary btn-lg" href="/live">
              See your cameras
            </a>
          )}
          <a className="btn btn-outline btn-lg" href="/account/services">
            Your services
          </a>
        </p>
      </div>
    </section>
  )
}
