import { useState } from 'react'
import type { Leaving } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { inClips } from '../../../domain/copy/counts.ts'
import { deletedAt, inPause, pauseText } from '../../../domain/copy/cancellation.ts'
import { closeLeaving } from '../../../stores/billing/cancellation-step.ts'
import { pauseFor } from '../../../stores/billing/cancellation.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import type { Acting } from '../../../ui/use-action.ts'
import { StepBody } from './StepBody.tsx'

interface Props {
  subscription: Subscription
  leaving: Leaving
  now: number
  /** State of the pause request. */
  act: Acting
  onBack: () => void
}

/** Length of the pause, and its dates. */
export function PauseStep({ subscription, leaving, now, act, onBack }: Props) {
  const [months, setMonths] = useState(0)
  const { isBusy, failure, run } = act
  const { name } = getPlan(subscription.sku)
  const lost = leaving.clips.shown - leaving.clips.kept
  const pause = async () => {
    if (!(await run(() => pauseFor(subscription, months)))) return
    closeLeaving()
    showToast('success', `${name} is paused. Nothing is charged meanwhile.`)
  }
  return (
    <StepBody
      title={`Pause ${name}`}
      note="It stops now and goes on by itself, or as soon as you press Resume. Nothing is charged meanwhile."
      foot={
        <>
          <Button kind="outline" size="lg" onClick={() => isBusy || onBack()}>
            Back
          </Button>
          <Button
            kind="outline"
            size="lg"
            isBusy={isBusy}
            busyText="Pausing"
            waitsFor={months === 0 ? 'Choose how long' : ''}
            onMissing={() => document.querySelector<HTMLElement>('.leave [name=months]')?.focus()}
            onClick={() => void pause()}
          >
            Pause for {inPause(months)}
          </Button>
        </>
      }
    >
      <Choices legend="How long" isLegendHidden>
        {Array.from({ length: leaving.offers.pause_months }, (_, at) => at + 1).map((count) => (
          <Choice
            key={count}
            name="months"
            checked={count === months}
            onChange={() => setMonths(count)}
            title={inPause(count)}
            note={pauseText(count, subscription, now)}
          />
        ))}
      </Choices>
      {lost > 0 && (
        <p className="leave-note">
          Meanwhile your cameras keep clips as on Free: {inClips(lost)} {lost === 1 ? 'is' : 'are'} hidden, come back if
          you resume before {dayWords(deletedAt(now), now)}, and are deleted then.
        </p>
      )}
      <Problem failure={failure} />
    </StepBody>
  )
}
