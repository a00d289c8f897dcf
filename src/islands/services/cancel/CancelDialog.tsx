import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { CancellationTiming } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { parseCancelReason, clampStep } from '../../../domain/copy/cancellation.ts'
import { $cancelStep, closeLeaving } from '../../../stores/billing/cancellation-step.ts'
import { $leaving, $left, loadLeaving } from '../../../stores/billing/cancellation.ts'
import { Button } from '../../../ui/Button.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { useAct } from '../../../ui/use-action.ts'
import { Confirm } from './ConfirmStep.tsx'
import { CanceledStep } from './CanceledStep.tsx'
import { Happens } from './ConsequencesStep.tsx'
import { LeaveShell } from './CancelDialogShell.tsx'
import { PauseStep } from './PauseStep.tsx'
import { ReasonStep } from './ReasonStep.tsx'
import { StepBody } from './StepBody.tsx'

interface Props {
  subscription: Subscription
  /** Reason as stored in the browser, not yet parsed. */
  reason: string
}

/** Cancels a plan: reason, consequences, confirmation, result (OPEN-87). */
export function LeaveDialog({ subscription, reason }: Props) {
  const { subscription_id, status, revision, sku } = subscription
  const isLeft = useStore($left)?.subscription_id === subscription_id || status === 'cancelled'
  const storedStep = useStore($cancelStep)
  // Only a canceled plan reaches the last step.
  const step = isLeft ? 4 : Math.min(3, clampStep(storedStep))
  const preview = useStore($leaving)
  const [opened] = useState(Date.now)
  const [isPausing, setIsPausing] = useState(false)
  const [way, setWay] = useState<CancellationTiming | null>(null)
  // The dialog holds both actions, because it must stay open while either of them runs.
  const [canceling, pausing] = [useAct(), useAct()]
  useEffect(() => {
    if (!isLeft) void loadLeaving(subscription_id)
  }, [subscription_id, revision, isLeft])
  const shared = { subscription, now: opened + subscription.clock, reason: parseCancelReason(reason) }
  const leaving =
    preview.state === 'ready' && preview.leaving.subscription_id === subscription_id ? preview.leaving : null
  return (
    <LeaveShell
      step={step as 1 | 2 | 3 | 4}
      planId={subscription_id}
      isBusy={canceling.isBusy || pausing.isBusy}
      onClose={closeLeaving}
    >
      {step === 1 && <ReasonStep {...shared} />}
      {(step === 2 || step === 3) && leaving === null && (
        <Asking title={`If you cancel ${getPlan(sku).name}`} planId={subscription_id} />
      )}
      {step === 2 && leaving && !isPausing && (
        <Happens {...shared} leaving={leaving} onPause={() => setIsPausing(true)} />
      )}
      {step === 2 && leaving && isPausing && (
        <PauseStep {...shared} act={pausing} leaving={leaving} onBack={() => setIsPausing(false)} />
      )}
      {step === 3 && leaving && <Confirm {...shared} act={canceling} leaving={leaving} way={way} onWay={setWay} />}
      {step === 4 && <CanceledStep {...shared} />}
    </LeaveShell>
  )
}

/** Placeholder until the consequences of canceling are known. */
function Asking({ title, planId }: { title: string; planId: string }) {
  const preview = useStore($leaving)
  return (
    <StepBody
      title={title}
      foot={
        <Button kind="outline" size="lg" onClick={closeLeaving}>
          Keep my plan
        </Button>
      }
    >
      {preview.state === 'failed' ? (
        <LoadError
          title="It is not known what this means"
          text={`${preview.failure.text} Nothing has changed on your account.`}
          again={() => void loadLeaving(planId)}
        />
      ) : (
        <RowsSkeleton rows={4} label="Asking what this means for you" />
      )}
    </StepBody>
  )
}
