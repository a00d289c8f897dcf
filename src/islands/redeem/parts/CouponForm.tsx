import { useStore } from '@nanostores/react'
import TicketPercent from 'lucide-react/icons/ticket-percent'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, type FormEvent } from 'react'
import { nextAttemptText, couponUseText } from '../../../domain/copy/coupon.ts'
import {
  $redeem,
  $redemption,
  checkCoupon,
  setTypedCode,
  type RedemptionState,
} from '../../../stores/billing/coupon-redemption.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'

export function CouponForm() {
  const { redeemCode, options } = useStore($redeem)
  const redemption = useStore($redemption)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (redemption.state === 'refused') input.current?.focus()
  }, [redemption])
  function submitCode(event: FormEvent) {
    event.preventDefault()
    if (redemption.state !== 'checking') void checkCoupon()
  }
  const clear = () => {
    setTypedCode('')
    input.current?.focus()
  }
  return (
    <section className="card redeem-form" aria-labelledby="redeem-title">
      <h2 id="redeem-title">Redeem a coupon</h2>
      <p className="text-small text-ink-2">See what your coupon does before you redeem it.</p>
      <form onSubmit={submitCode}>
        <Field
          ref={input}
          label="Coupon code"
          isLabelHidden
          placeholder="Coupon code"
          required
          pattern="\s*[A-Za-z0-9_\-]{1,64}\s*"
          title="Use up to 64 letters, digits, hyphens, or underscores"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={redeemCode}
          onChange={({ target }) => setTypedCode(target.value)}
          icon={<TicketPercent size={20} aria-hidden="true" />}
          end={
            redeemCode !== '' && (
              <button type="button" className="icon-btn" aria-label="Clear code" onClick={clear}>
                <X size={18} aria-hidden="true" />
              </button>
            )
          }
          {...getCodeFieldMessages(redemption, options.length)}
          errorNote={<ErrorNote redemption={redemption} />}
          besideInput={
            <Button type="submit" kind="outline" isBusy={redemption.state === 'checking'} busyText="Checking…">
              Check
            </Button>
          }
        />
      </form>
    </section>
  )
}

function getCodeFieldMessages(redemption: RedemptionState, options: number): { error?: string; success?: string } {
  if (redemption.state === 'refused') return { error: redemption.failure.text }
  return redemption.state === 'checked' ? { success: couponUseText(redemption.until, options) } : {}
}

const readRetryAfterSeconds = (detail: unknown): number | undefined => {
  const seconds = (detail as { retry_after?: unknown } | undefined)?.retry_after
  return typeof seconds === 'number' ? seconds : undefined
}

function ErrorNote({ redemption }: { redemption: RedemptionState }) {
  if (redemption.state !== 'refused') return null
  const { code, detail } = redemption.failure
  if (code === '429') return nextAttemptText(readRetryAfterSeconds(detail), redemption.at) || 'The coupon wasn’t used.'
  return `${/^\d{4}$/.test(code) ? `Error code ${code}. ` : ''}The coupon wasn’t used.`
}
