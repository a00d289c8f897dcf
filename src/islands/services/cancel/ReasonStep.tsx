import { CANCEL_REASONS, type CancelReason } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { CANCEL_REASON_LABELS } from '../../../domain/copy/cancellation.ts'
import { closeLeaving, giveReason, setCancelStep } from '../../../stores/billing/cancellation-step.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { StepBody } from './StepBody.tsx'

interface Props {
  subscription: Subscription
  reason: CancelReason | null
}

/** Optional reason of the cancellation. */
export function ReasonStep({ subscription: { sku }, reason }: Props) {
  return (
    <StepBody
      title={`What made you decide to leave ${getPlan(sku).name}?`}
      note="You need not say. It changes nothing about what comes back, and nothing is cancelled yet."
      foot={
        <>
          <Button kind="outline" size="lg" onClick={closeLeaving}>
            Keep my plan
          </Button>
          <Button kind="outline" size="lg" onClick={() => setCancelStep(2)}>
            {reason === null ? 'Go on without a reason' : 'Go on'}
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
            onChange={() => giveReason(option)}
            title={CANCEL_REASON_LABELS[option]}
          />
        ))}
      </Choices>
    </StepBody>
  )
}
