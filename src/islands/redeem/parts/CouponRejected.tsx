import Copy from 'lucide-react/icons/copy'
import Gift from 'lucide-react/icons/gift'
import Info from 'lucide-react/icons/info'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { SUPPORT_ADDRESS } from '../../../../contract/brand.ts'
import { couponRefusalAdvice, couponRefusalText } from '../../../domain/copy/coupon.ts'
import { checkCoupon, copyCode, type RedemptionState } from '../../../stores/billing/coupon-redemption.ts'

type RejectedState = Extract<RedemptionState, { state: 'refused' }>

/** Reason why the account cannot use the coupon, and what the user can do. Empty if the response has no reason. */
export function CouponRejected({ rejection: { failure, refusal, code } }: { rejection: RejectedState }) {
  if (!refusal) return null
  const nextStepText = couponRefusalAdvice(refusal)
  return (
    <div className="refused-grid">
      <section className="panel refused-panel" aria-labelledby="why-title">
        <span className="row-icon" data-tone="warning">
          <Info size={18} aria-hidden="true" />
        </span>
        <div>
          <h3 id="why-title">Why</h3>
          <p>{couponRefusalText(refusal)}</p>
        </div>
      </section>
      {nextStepText !== '' && (
        <section className="panel refused-panel" aria-labelledby="then-title">
          <span className="row-icon" data-tone="primary">
            <Gift size={18} aria-hidden="true" />
          </span>
          <div>
            <h3 id="then-title">What you can do</h3>
            <p>{nextStepText}</p>
            <p className="refused-actions">
              {failure.code === '4104' ? (
                <button type="button" className="btn btn-soft btn-sm" onClick={() => void checkCoupon()}>
                  <RefreshCw size={18} aria-hidden="true" />
                  Try again
                </button>
              ) : (
                refusal.reason !== 'select' && (
                  <button type="button" className="btn btn-soft btn-sm" onClick={() => void copyCode(code)}>
                    <Copy size={18} aria-hidden="true" />
                    Copy code
                  </button>
                )
              )}
              <a className="btn btn-outline btn-sm" href={`mailto:${SUPPORT_ADDRESS}`}>
                Contact support
              </a>
            </p>
          </div>
        </section>
      )}
    </div>
  )
}
