import TicketPercent from 'lucide-react/icons/ticket-percent'
import X from 'lucide-react/icons/x'
import { useState, type SyntheticEvent } from 'react'
import { couponText } from '../../../domain/copy/price-quote.ts'
import { setCoupon, getShownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { getFieldId } from './missing-fields.ts'

/** Coupon field, with the discount or the reason why the code is rejected. */
export function CouponField({ checkout }: { checkout: Checkout }) {
  const { coupon, form } = checkout
  const lastCode = coupon.state === 'refused' ? coupon.tried : form.coupon
  const [typed, setTyped] = useState(lastCode)
  const isApplied = coupon.state === 'good' && form.coupon !== ''
  const isRejected = coupon.state === 'refused' && typed.trim() === coupon.tried
  function apply(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    if (event.currentTarget.reportValidity()) setCoupon(typed)
  }
  const clear = (
    <button type="button" className="icon-btn" aria-label="Remove coupon" onClick={() => (setTyped(''), setCoupon(''))}>
      <X size={18} aria-hidden="true" />
    </button>
  )
  return (
    <form id={getFieldId('coupon')} onSubmit={apply} noValidate>
      <Field
        label="Coupon code"
        isLabelHidden
        placeholder="Code (optional)"
        value={typed}
        readOnly={isApplied}
        pattern="[A-Za-z0-9_\-]{1,64}"
        title="Use up to 64 letters, digits, hyphens, or underscores"
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
        error={isRejected ? coupon.text : null}
        errorNote={isRejected && `Error code ${coupon.code}. The coupon wasn’t used.`}
        success={isApplied && couponStatus()}
        icon={<TicketPercent size={18} aria-hidden="true" />}
        end={typed !== '' && (isApplied || isRejected) && clear}
        besideInput={
          typed.trim() !== '' &&
          !isApplied && (
            <Button type="submit" kind="soft" isBusy={coupon.state === 'checking'} busyText="Checking…">
              Apply
            </Button>
          )
        }
      />
    </form>
  )
}

function couponStatus(): string {
  const quote = getShownQuote()
  const line = quote?.lines.find(({ kind }) => kind === 'coupon')
  return line ? `${couponText(line, quote?.currency ?? '')}.` : 'The price reflects your coupon.'
}
