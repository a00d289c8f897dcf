import { useStore } from '@nanostores/react'
import TicketPercent from 'lucide-react/icons/ticket-percent'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, type FormEvent } from 'react'
import { againAt, mayUse } from '../../../domain/copy/coupon.ts'
import {
  $redeem,
  $redemption,
  checkCoupon,
  typeCode,
  type Redemption,
} from '../../../stores/billing/coupon-redemption.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'

/** Coupon code, and the button that checks it. */
export function CouponForm() {
  const { redeemCode, options } = useStore($redeem)
  const now = useStore($redemption)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (now.state === 'refused') input.current?.focus()
  }, [now])
  function check(event: FormEvent) {
    event.preventDefault()
    if (now.state !== 'checking') void checkCoupon()
  }
  const clear = () => {
    typeCode('')
    input.current?.focus()
  }
  return (
    <section className="card redeem-form" aria-labelledby="redeem-title">
      <h2 id="redeem-title">Use a coupon</h2>
      <p className="text-small text-ink-2">You see what it does before anything is used.</p>
      <form onSubmit={check}>
        <Field
          ref={input}
          label="Coupon code"
          isLabelHidden
          placeholder="Coupon code"
          required
          pattern="\s*[A-Za-z0-9_\-]{1,64}\s*"
          title="Letters, digits, - and _, 64 at most"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={redeemCode}
          onChange={({ target }) => typeCode(target.value)}
          icon={<TicketPercent size={20} aria-hidden="true" />}
          end={
            redeemCode !== '' && (
              <button type="button" className="icon-btn" aria-label="Clear the code" onClick={clear}>
                <X size={18} aria-hidden="true" />
              </button>
            )
          }
          {...fieldMessages(now, options.length)}
          errorNote={<ErrorNote now={now} />}
          beside={
            <Button type="submit" kind="outline" isBusy={now.state === 'checking'} busyText="Checking">
              Check
            </Button>
          }
        />
      </form>
    </section>
  )
}

function fieldMessages(now: Redemption, options: number): { error?: string; success?: string } {
  if (now.state === 'refused') return { error: now.failure.text }
  return now.state === 'checked' ? { success: mayUse(now.until, options) } : {}
}

const readRetryAfter = (detail: unknown): number | undefined => {
  const seconds = (detail as { retry_after?: unknown } | undefined)?.retry_after
  return typeof seconds === 'number' ? seconds : undefined
}

function ErrorNote({ now }: { now: Redemption }) {
  if (now.state !== 'refused') return null
  const { code, detail } = now.failure
  if (code === '429') return againAt(readRetryAfter(detail), now.at) || 'The coupon was not used.'
  return `${/^\d{4}$/.test(code) ? `Code ${code}. ` : ''}The coupon was not used.`
}
