import { useState } from 'react'
import type { CancellationPreview } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { formatClipCount } from '../../../domain/copy/counts.ts'
import { getClipDeletionTime, formatPauseLength, pauseText } from '../../../domain/copy/cancellation.ts'
import { closeCancellation } from '../../../stores/billing/cancellation-step.ts'
import { pausePlanForMonths } from '../../../stores/billing/cancellation.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import type { ActionRunner } from '../../../ui/use-action.ts'
import { StepBody } from './StepBody.tsx'

interface PauseStepProps {
  subscription: Subscription
  leaving: CancellationPreview
  now: number
  /** Runs the pause request and holds its state. */
  act: ActionRunner
  onBack: () => void
}

/** Step that offers the lengths of a pause, each with its dates. */
export function PauseStep({ subscription, leaving, now, act: action, onBack }: PauseStepProps) {
  const [months, setMonths] = useState(0)
  const { isBusy, failure, run } = action
  const { name } = getPlan(subscription.sku)
  const hiddenCount = leaving.clips.shown - leaving.clips.kept
  const pause = async () => {
    if (!(await run(() => pausePlanForMonths(subscription, months)))) return
    closeCancellation()
    showToast('success', `${name} is paused. You won’t be charged until it resumes.`)
  }
  return (
    <StepBody
      title={`Pause ${name}`}
      note="Your plan pauses right away and resumes automatically, or you can resume it sooner. You won’t be charged while it’s paused."
      foot={
        <>
          <Button kind="outline" size="lg" onClick={() => isBusy || onBack()}>
            Back
          </Button>
          <Button
            kind="outline"
            size="lg"
            isBusy={isBusy}
            busyText="Pausing…"
            missingText={months === 0 ? 'Choose how long' : ''}
            onMissing={() => document.querySelector<HTMLElement>('.leave [name=months]')?.focus()}
            onClick={() => void pause()}
          >
            Pause for {formatPauseLength(months)}
          </Button>
        </>
      }
    >
      <Choices legend="Pause length" isLegendHidden>
        {Array.from({ length: leaving.offers.pause_months }, (_, at) => at + 1).map((count) => (
          <Choice
            key={count}
            name="months"
            checked={count === months}
            onChange={() => setMonths(count)}
            title={formatPauseLength(count)}
            note={pauseText(count, subscription, now)}
          />
        ))}
      </Choices>
      {hiddenCount > 0 && (
        <p className="leave-note">
          While your plan is paused, you’ll have the free plan’s clip history, so {formatClipCount(hiddenCount)} will be
          hidden. Resume before {dayWords(getClipDeletionTime(now), now)} to restore {hiddenCount === 1 ? 'it' : 'them'}
          .
        </p>
      )}
      <InlineError failure={failure} />
    </StepBody>
  )
}
