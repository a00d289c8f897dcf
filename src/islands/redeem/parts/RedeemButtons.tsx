import { useStore } from '@nanostores/react'
import { isDiscount, redeemLabel } from '../../../domain/copy/coupon.ts'
import {
  $redeem,
  discardCoupon,
  redeemSelectedCoupon,
  carryRedeemCode,
} from '../../../stores/billing/coupon-redemption.ts'
import { Button } from '../../../ui/Button.tsx'
import { useAction } from '../../../ui/use-action.ts'

/**
 * Buttons to redeem the coupon or to leave without using it. For a discount, a link takes the coupon to the plan
 * chooser instead.
 */
export function RedeemButtons() {
  const { options, seletedOption } = useStore($redeem)
  const { isBusy, run } = useAction()
  const missingText = options.length === 2 ? 'Choose one' : 'Choose one'
  const focusFirstOption = () => document.querySelector<HTMLInputElement>('.choice input')?.focus()
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
          busyText="Redeeming…"
          missingText={seletedOption ? '' : missingText}
          onMissing={focusFirstOption}
          onClick={() => void run(redeemSelectedCoupon)}
        >
          {seletedOption && redeemLabel(seletedOption)}
        </Button>
      )}
      {seletedOption && (
        <Button kind="outline" size="lg" onClick={discardCoupon}>
          Not now
        </Button>
      )}
      <small>{redemptionFootnote(seletedOption)}</small>
    </div>
  )
}

function redemptionFootnote(option: Parameters<typeof isDiscount>[0] | null): string {
  if (!option) return 'Your coupon hasn’t been redeemed yet.'
  return isDiscount(option)
    ? 'The discount applies when you pay. You’ll see the price first.'
    : 'Redeeming a coupon can’t be undone.'
}
