import type {
  CancelReason,
  CancellationPreview,
  CancellationTiming,
} from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import {
  refundText,
  getClipDeletionTime,
  endDateText,
  cancellationOptionTitle,
} from '../../../domain/copy/cancellation.ts'
import { closeCancellation, setCancelStep } from '../../../stores/billing/cancellation-step.ts'
import { cancelPlan } from '../../../stores/billing/cancellation.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import type { ActionRunner } from '../../../ui/use-action.ts'
import { RefundNote } from './ConsequencesStep.tsx'
import { StepBody } from './StepBody.tsx'

interface ConfirmStepProps {
  subscription: Subscription
  leaving: CancellationPreview
  reason: CancelReason | null
  now: number
  /** Runs the cancel request and holds its state. */
  act: ActionRunner
  /** Chosen timing of the cancellation; null for the first option. */
  timing: CancellationTiming | null
  onTimingChange: (timing: CancellationTiming) => void
}

/** Confirmation step: repeats date and refund, and offers a choice if there are several timings. */
export function ConfirmStep({
  subscription,
  leaving,
  reason,
  now,
  act: action,
  timing,
  onTimingChange,
}: ConfirmStepProps) {
  const { isBusy, failure, run } = action
  const { ways, clips } = leaving
  const chosen = ways.find((option) => option.way === timing) ?? ways[0]
  if (!chosen) return null
  const { name } = getPlan(subscription.sku)
  const hiddenCount = clips.shown - clips.kept
  const confirmCancel = async () => {
    if (await run(() => cancelPlan(subscription, chosen.way, reason))) setCancelStep(4)
  }
  return (
    <StepBody
      title={chosen.way === 'now' ? `End ${name} now?` : `End ${name} on ${dayWords(chosen.ends_at, now)}?`}
      note={endDateText(chosen, now)}
      foot={
        <>
          <Button kind="outline" size="lg" onClick={() => isBusy || closeCancellation()}>
            Keep my plan
          </Button>
          <Button kind="danger" size="lg" isBusy={isBusy} busyText="Canceling…" onClick={() => void confirmCancel()}>
            Cancel plan
          </Button>
        </>
      }
    >
      {ways.length > 1 && (
        <Choices legend="When your plan ends" isLegendHidden>
          {ways.map((option) => {
            const refund = refundText(option, now)
            return (
              <Choice
                key={option.way}
                name="way"
                checked={option === chosen}
                onChange={() => onTimingChange(option.way)}
                title={cancellationOptionTitle(option, now)}
                note={`${refund.title}. ${refund.note}`}
              />
            )
          })}
        </Choices>
      )}
      {ways.length === 1 && <RefundNote way={chosen} now={now} />}
      {hiddenCount > 0 && (
        <p className="leave-note">
          {formatClipCount(hiddenCount)} will be hidden and, unless you subscribe again, deleted on{' '}
          {dayWords(getClipDeletionTime(chosen.ends_at), now)}.
        </p>
      )}
      <InlineError failure={failure} />
    </StepBody>
  )
}
