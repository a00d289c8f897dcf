import type { CancelReason, Leaving, CancellationTiming } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'
import { inClips } from '../../../domain/copy/counts.ts'
import { refundText, deletedAt, endDateText, wayTitle } from '../../../domain/copy/cancellation.ts'
import { closeLeaving, setCancelStep } from '../../../stores/billing/cancellation-step.ts'
import { cancelPlan } from '../../../stores/billing/cancellation.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice, Choices } from '../../../ui/Choice.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import type { Acting } from '../../../ui/use-action.ts'
import { Back } from './ConsequencesStep.tsx'
import { StepBody } from './StepBody.tsx'

interface Props {
  subscription: Subscription
  leaving: Leaving
  reason: CancelReason | null
  now: number
  /** State of the cancel request. */
  act: Acting
  /** Chosen timing of the cancellation; null for the first option. */
  way: CancellationTiming | null
  onWay: (way: CancellationTiming) => void
}

/** Confirmation step: repeats date and refund, and offers a choice if there are several timings. */
export function Confirm({ subscription, leaving, reason, now, act, way, onWay }: Props) {
  const { isBusy, failure, run } = act
  const { ways, clips } = leaving
  const chosen = ways.find((option) => option.way === way) ?? ways[0]
  if (!chosen) return null
  const { name } = getPlan(subscription.sku)
  const lost = clips.shown - clips.kept
  const leave = async () => {
    if (await run(() => cancelPlan(subscription, chosen.way, reason))) setCancelStep(4)
  }
  return (
    <StepBody
      title={chosen.way === 'now' ? `End ${name} now?` : `End ${name} on ${dayWords(chosen.ends_at, now)}?`}
      note={endDateText(chosen, now)}
      foot={
        <>
          <Button kind="outline" size="lg" onClick={() => isBusy || closeLeaving()}>
            Keep my plan
          </Button>
          <Button kind="danger" size="lg" isBusy={isBusy} busyText="Cancelling" onClick={() => void leave()}>
            Cancel plan
          </Button>
        </>
      }
    >
      {ways.length > 1 && (
        <Choices legend="When it ends" isLegendHidden>
          {ways.map((option) => {
            const back = refundText(option, now)
            return (
              <Choice
                key={option.way}
                name="way"
                checked={option === chosen}
                onChange={() => onWay(option.way)}
                title={wayTitle(option, now)}
                note={`${back.title}. ${back.note}`}
              />
            )
          })}
        </Choices>
      )}
      {ways.length === 1 && <Back way={chosen} now={now} />}
      {lost > 0 && (
        <p className="leave-note">
          {inClips(lost)} {lost === 1 ? 'is' : 'are'} hidden from then on, and deleted on{' '}
          {dayWords(deletedAt(chosen.ends_at), now)} unless you come back before.
        </p>
      )}
      <Problem failure={failure} />
    </StepBody>
  )
}
