import Copy from 'lucide-react/icons/copy'
import Gift from 'lucide-react/icons/gift'
import Info from 'lucide-react/icons/info'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { SUPPORT_ADDRESS } from '../../../../contract/brand.ts'
import { whatThen, whyNot } from '../../../domain/copy/coupon.ts'
import { checkCoupon, copyCode, type Redemption } from '../../../stores/billing/coupon-redemption.ts'

type State = Extract<Redemption, { state: 'refused' }>

/** Reason for the rejection, based on the account's plans, and the alternatives. */
export function Refused({ refused: { failure, refusal, code } }: { refused: State }) {
  if (!refusal) return null
  const then = whatThen(refusal)
  return (
    <div className="refused-grid">
      <section className="panel refused-panel" aria-labelledby="why-title">
        <span className="row-icon" data-tone="warning">
          <Info size={18} aria-hidden="true" />
        </span>
        <div>
          <h3 id="why-title">Why</h3>
          <p>{whyNot(refusal)}</p>
        </div>
      </section>
      {then !== '' && (
        <section className="panel refused-panel" aria-labelledby="then-title">
          <span className="row-icon" data-tone="primary">
            <Gift size={18} aria-hidden="true" />
          </span>
          <div>
            <h3 id="then-title">What you can do</h3>
            <p>{then}</p>
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
                    Copy the code
                  </button>
                )
              )}
              <a className="btn btn-outline btn-sm" href={`mailto:${SUPPORT_ADDRESS}`}>
                Ask support
              </a>
            </p>
          </div>
        </section>
      )}
    </div>
  )
}
