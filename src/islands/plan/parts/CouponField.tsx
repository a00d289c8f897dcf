import TicketPercent from 'lucide-react/icons/ticket-percent'
import X from 'lucide-react/icons/x'
import { useState, type SyntheticEvent } from 'react'
import { couponText } from '../../../domain/copy/price-quote.ts'
import { setCoupon, shownQuote, type Checkout } from '../../../stores/billing/checkout.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { fieldId } from './missing-fields.ts'

/** Coupon field, with the discount or the reason why the code is rejected. */
export function CouponField({ checkout }: { checkout: Checkout }) {
  const { coupon, form } = checkout
  const lastCode = coupon.state === 'refused' ? coupon.tried : form.coupon
  const [typed, setTyped] = useState(lastCode)
  const isGood = coupon.state === 'good' && form.coupon !== ''
  const isRefused = coupon.state === 'refused' && typed.trim() === coupon.tried
  function apply(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    if (event.currentTarget.reportValidity()) setCoupon(typed)
  }
  const clear = (
    <button
      type="button"
      className="icon-btn"
      aria-label="Take the coupon away"
      onClick={() => (setTyped(''), setCoupon(''))}
    >
      <X size={18} aria-hidden="true" />
    </button>
  )
  return (
    <form id={fieldId('coupon')} onSubmit={apply} noValidate>
      <Field
        label="Coupon code"
        isLabelHidden
        placeholder="Code, if you have one"
        value={typed}
        readOnly={isGood}
        pattern="[A-Za-z0-9_\-]{1,64}"
        title="Letters, digits, - and _, 64 at most"
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
        error={isRefused ? coupon.text : null}
        errorNote={isRefused && `Code ${coupon.code}. It was not used.`}
        success={isGood && couponStatus()}
        icon={<TicketPercent size={18} aria-hidden="true" />}
        end={typed !== '' && (isGood || isRefused) && clear}
        beside={
          typed.trim() !== '' &&
          !isGood && (
            <Button type="submit" kind="soft" isBusy={coupon.state === 'checking'} busyText="Checking">
              Apply
            </Button>
          )
        }
      />
    </form>
  )
}

function couponStatus(): string {
  const quote = shownQuote()
  const line = quote?.lines.find(({ kind }) => kind === 'coupon')
  return line ? `${couponText(line, quote?.currency ?? '')}.` : 'It is in the price.'
}
