import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { LeaveWay } from '../../../../contract/cancel.ts'
import { planOf } from '../../../../contract/catalogue.ts'
import type { Subscription } from '../../../../contract/plans.ts'
import { reasonOf, stepOf } from '../../../domain/leave-words.ts'
import { $cancelStep, closeLeaving } from '../../../stores/account/cancel-step.ts'
import { $leaving, $left, loadLeaving } from '../../../stores/account/leaving.ts'
import { Button } from '../../../ui/Button.tsx'
import { Failed } from '../../../ui/Failed.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { Confirm } from './Confirm.tsx'
import { Done } from './Done.tsx'
import { Happens } from './Happens.tsx'
import { LeaveFrame } from './LeaveFrame.tsx'
import { PauseStep } from './PauseStep.tsx'
import { ReasonStep } from './ReasonStep.tsx'

interface Props {
  subscription: Subscription
  /** As it was noted. */
  reason: string
}

/** Leaving a plan: why, what happens then, the last word, and what was done (OPEN-87). */
export function LeaveDialog({ subscription, reason }: Props) {
  const { subscription_id, status, revision, sku } = subscription
  const isLeft = useStore($left)?.subscription_id === subscription_id || status === 'cancelled'
  const kept = useStore($cancelStep)
  // Only what was cancelled is done.
  const step = isLeft ? 4 : Math.min(3, stepOf(kept))
  const known = useStore($leaving)
  const [opened] = useState(Date.now)
  const [isPausing, setIsPausing] = useState(false)
  const [way, setWay] = useState<LeaveWay | null>(null)
  useEffect(() => {
    if (!isLeft) void loadLeaving(subscription_id)
  }, [subscription_id, revision, isLeft])
  const shared = { subscription, now: opened + subscription.clock, reason: reasonOf(reason) }
  if (step === 4) return <Done {...shared} />
  if (step === 1) return <ReasonStep {...shared} />
  const leaving = known.state === 'ready' && known.leaving.subscription_id === subscription_id ? known.leaving : null
  if (leaving === null)
    return <Asking title={`If you cancel ${planOf(sku).name}`} planId={subscription_id} step={step === 2 ? 2 : 3} />
  if (step === 3) return <Confirm {...shared} leaving={leaving} way={way} onWay={setWay} />
  if (isPausing) return <PauseStep {...shared} leaving={leaving} onBack={() => setIsPausing(false)} />
  return <Happens {...shared} leaving={leaving} onPause={() => setIsPausing(true)} />
}

/** Until it is known what leaving would mean. */
function Asking({ title, planId, step }: { title: string; planId: string; step: 2 | 3 }) {
  const known = useStore($leaving)
  return (
    <LeaveFrame
      step={step}
      title={title}
      planId={planId}
      onClose={closeLeaving}
      foot={
        <Button kind="outline" size="lg" onClick={closeLeaving}>
          Keep my plan
        </Button>
      }
    >
      {known.state === 'failed' ? (
        <Failed
          title="It is not known what this means"
          text={`${known.failure.text} Nothing has changed on your account.`}
          again={() => void loadLeaving(planId)}
        />
      ) : (
        <RowsSkeleton rows={4} label="Asking what this means for you" />
      )}
    </LeaveFrame>
  )
}
