import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { CancellationTiming } from '../../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { parseCancelReason, clampStep } from '../../../domain/copy/cancellation.ts'
import { $cancelStep, closeCancellation } from '../../../stores/billing/cancellation-step.ts'
import {
  $cancellationPreview,
  $cancellationResult,
  loadCancellationPreview,
} from '../../../stores/billing/cancellation.ts'
import { Button } from '../../../ui/Button.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ConfirmStep } from './ConfirmStep.tsx'
import { CanceledStep } from './CanceledStep.tsx'
import { ConsequencesStep } from './ConsequencesStep.tsx'
import { CancelDialogShell } from './CancelDialogShell.tsx'
import { PauseStep } from './PauseStep.tsx'
import { ReasonStep } from './ReasonStep.tsx'
import { StepBody } from './StepBody.tsx'

interface CancelDialogProps {
  subscription: Subscription
  /** Reason as stored in the browser, not yet parsed. */
  reason: string
}

/** Dialog that cancels a plan in four steps: reason, consequences, confirmation, result (OPEN-87). */
export function CancelDialog({ subscription, reason }: CancelDialogProps) {
  const { subscription_id, status, revision, sku } = subscription
  const isCanceled = useStore($cancellationResult)?.subscription_id === subscription_id || status === 'cancelled'
  const storedStep = useStore($cancelStep)
  // Only a canceled plan reaches the last step.
  const step = isCanceled ? 4 : Math.min(3, clampStep(storedStep))
  const preview = useStore($cancellationPreview)
  const [openedAt] = useState(Date.now)
  const [isPausing, setIsPausing] = useState(false)
  const [timing, setTiming] = useState<CancellationTiming | null>(null)
  // The dialog holds both actions, because it must stay open while either of them runs.
  const [canceling, pausing] = [useAction(), useAction()]
  useEffect(() => {
    if (!isCanceled) void loadCancellationPreview(subscription_id)
  }, [subscription_id, revision, isCanceled])
  const stepProps = { subscription, now: openedAt + subscription.clock, reason: parseCancelReason(reason) }
  const cancellationPreview =
    preview.state === 'ready' && preview.leaving.subscription_id === subscription_id ? preview.leaving : null
  return (
    <CancelDialogShell
      step={step as 1 | 2 | 3 | 4}
      planId={subscription_id}
      isBusy={canceling.isBusy || pausing.isBusy}
      onClose={closeCancellation}
    >
      {step === 1 && <ReasonStep {...stepProps} />}
      {(step === 2 || step === 3) && cancellationPreview === null && (
        <CancellationPlaceholder title={`If you cancel ${getPlan(sku).name}`} planId={subscription_id} />
      )}
      {step === 2 && cancellationPreview && !isPausing && (
        <ConsequencesStep {...stepProps} leaving={cancellationPreview} onPause={() => setIsPausing(true)} />
      )}
      {step === 2 && cancellationPreview && isPausing && (
        <PauseStep {...stepProps} act={pausing} leaving={cancellationPreview} onBack={() => setIsPausing(false)} />
      )}
      {step === 3 && cancellationPreview && (
        <ConfirmStep
          {...stepProps}
          act={canceling}
          leaving={cancellationPreview}
          timing={timing}
          onTimingChange={setTiming}
        />
      )}
      {step === 4 && <CanceledStep {...stepProps} />}
    </CancelDialogShell>
  )
}

function CancellationPlaceholder({ title, planId }: { title: string; planId: string }) {
  const preview = useStore($cancellationPreview)
  return (
    <StepBody
      title={title}
      foot={
        <Button kind="outline" size="lg" onClick={closeCancellation}>
          Keep my plan
        </Button>
      }
    >
      {preview.state === 'failed' ? (
        <LoadError
          title="We couldn’t load the cancellation details"
          text={`${preview.failure.text} Nothing has changed on your account.`}
          onRetry={() => void loadCancellationPreview(planId)}
        />
      ) : (
        <RowsSkeleton rows={4} label="Loading the cancellation details" />
      )}
    </StepBody>
  )
}
