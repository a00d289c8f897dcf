import { CANCEL_REASONS, type CancelReason } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { CANCEL_REASON_LABELS } from '../../../domain/copy/cancellation.ts'
import { closeCancellation, storeCancelReason, setCancelStep } from '../../../stores/billing/cancellation-step.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { StepBody } from './StepBody.tsx'

interface ReasonStepProps {
  subscription: Subscription
  reason: CancelReason | null
}

/** Step that asks for an optional cancellation reason. */
export function ReasonStep({ subscription: { sku }, reason }: ReasonStepProps) {
  return (
    <StepBody
      title={`Why are you canceling ${getPlan(sku).name}?`}
      note="Optional. Your answer won’t affect any refund. Your plan isn’t canceled yet."
      foot={
        <>
          <Button kind="outline" size="lg" onClick={closeCancellation}>
            Keep my plan
          </Button>
          <Button kind="outline" size="lg" onClick={() => setCancelStep(2)}>
            {reason === null ? 'Skip' : 'Continue'}
          </Button>
        </>
      }
    >
      <Choices legend="Your reason" isLegendHidden columns={2}>
        {CANCEL_REASONS.map((option) => (
          <Choice
            key={option}
            name="reason"
            checked={option === reason}
            onChange={() => storeCancelReason(option)}
            title={CANCEL_REASON_LABELS[option]}
          />
        ))}
      </Choices>
    </StepBody>
  )
}
