import { useStore } from '@nanostores/react'
import CircleCheck from 'lucide-react/icons/circle-check'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { cancellationResultText } from '../../../domain/copy/cancellation.ts'
import { closeCancellation } from '../../../stores/billing/cancellation-step.ts'
import { $cancellationResult, undoCancellation } from '../../../stores/billing/cancellation.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { StepBody } from './StepBody.tsx'

/**
 * Last step: end date and refund of the canceled plan. While the plan still runs, also a button to undo the
 * cancellation.
 */
export function CanceledStep({ subscription, now }: { subscription: Subscription; now: number }) {
  const { isBusy, failure, run } = useAction()
  const cancellation = useStore($cancellationResult)
  const { subscription_id, running, sku, renews_at, leaving } = subscription
  const { name } = getPlan(sku)
  const matchingCancellation = cancellation?.subscription_id === subscription_id ? cancellation : null
  const refund = { to_method: 0, to_balance: 0, ...leaving, ...matchingCancellation }
  const texts = cancellationResultText({ ...refund, ends_at: matchingCancellation?.ends_at ?? renews_at, running }, now)
  const undo = async () => {
    if (!(await run(() => undoCancellation(subscription)))) return
    closeCancellation()
    showToast('success', `${name} is active again.`)
  }
  return (
    <StepBody
      title={`${name} is canceled`}
      note={texts.until}
      foot={
        <>
          {running && (
            <Button kind="outline" size="lg" isBusy={isBusy} busyText="Undoing…" onClick={() => void undo()}>
              Undo cancellation
            </Button>
          )}
          <Button kind="outline" size="lg" onClick={closeCancellation}>
            Done
          </Button>
        </>
      }
    >
      <div className="leave-back">
        <span>
          <CircleCheck size={20} aria-hidden="true" />
        </span>
        <p>
          <b>{texts.back}</b>
          <small>{texts.next}</small>
        </p>
      </div>
      <InlineError failure={failure} />
    </StepBody>
  )
}
