import { useStore } from '@nanostores/react'
import { isDiscount, redeemLabel } from '../../../domain/copy/coupon.ts'
import {
  $redeem,
  leaveRedeem,
  redeemSelectedCoupon,
  carryRedeemCode,
} from '../../../stores/billing/coupon-redemption.ts'
import { Button } from '../../../ui/Button.tsx'
import { useAct } from '../../../ui/use-action.ts'

/**
 * Buttons to redeem the coupon or to leave without using it. For a discount, a link takes the coupon to the plan
 * chooser instead.
 */
export function UseIt() {
  const { options, seletedOption } = useStore($redeem)
  const { isBusy, run } = useAct()
  const missing = options.length === 2 ? 'Choose one of the two' : 'Choose one'
  const first = () => document.querySelector<HTMLInputElement>('.choice input')?.focus()
  return (
    <div className="redeem-foot">
      {seletedOption && isDiscount(seletedOption) ? (
        <a className="btn btn-primary btn-lg" href="/account/products/choose" onClick={carryRedeemCode}>
          Choose a plan
        </a>
      ) : (
        <Button
          size="lg"
          isBusy={isBusy}
          busyText="Using it"
          waitsFor={seletedOption ? '' : missing}
          onMissing={first}
          onClick={() => void run(redeemSelectedCoupon)}
        >
          {seletedOption && redeemLabel(seletedOption)}
        </Button>
      )}
      {seletedOption && (
        <Button kind="outline" size="lg" onClick={leaveRedeem}>
          Not now
        </Button>
      )}
      <small>{footNote(seletedOption)}</small>
    </div>
  )
}

function footNote(option: Parameters<typeof isDiscount>[0] | null): string {
  if (!option) return 'Nothing is used until you press.'
  return isDiscount(option) ? 'It is used when you pay. You see the price first.' : 'It cannot be changed afterwards.'
}
