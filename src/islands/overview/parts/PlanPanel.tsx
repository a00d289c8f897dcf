import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import { isSubscriptionClosed } from '../../../domain/copy/subscription-status.ts'
import { $bindings, loadBindings } from '../../../stores/billing/license-assignments.ts'
import { $subscriptions, loadSubscriptions, reloadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { $devices, loadDevices } from '../../../stores/home/devices.ts'
import { failureText } from '../../../stores/shell/failure-text.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { FreePlan, OwnPlan, SharedOnly } from './PlanSummary.tsx'

async function loadCameras(): Promise<void> {
  await loadDevices()
  const devices = $devices.get()
  if ('devices' in devices) await loadBindings(devices.devices.map(({ device_id }) => device_id))
}

/** The account's plan with its cameras. Without a plan, shows what the account has instead. */
export function PlanPanel() {
  // Hydrates with the prerendered state, because the page frame may already have loaded the subscriptions.
  const subs = useStore($subscriptions, { ssr: 'initial' })
  const devices = useStore($devices, { ssr: 'initial' })
  const bindings = useStore($bindings)
  useEffect(() => {
    void loadSubscriptions()
    void loadCameras()
  }, [])
  const cameras = 'devices' in devices ? devices.devices : null
  const running =
    subs.state === 'ready' ? subs.subscriptions.filter((subscription) => !isSubscriptionClosed(subscription)) : []
  const isWaiting =
    subs.state === 'loading' ||
    (cameras === null
      ? devices.state !== 'failed'
      : bindings.state === 'loading' && tellsWhatIsCovered(running, isGuest(cameras)))
  return (
    <section className="card overview-panel plan-panel" aria-label="Your plan" aria-busy={isWaiting}>
      {subs.state === 'failed' ? (
        <LoadError
          title="Your plan could not be loaded"
          text={`${failureText(subs.failure)} Nothing has changed on your account.`}
          again={() => void reloadSubscriptions()}
        />
      ) : isWaiting ? (
        <RowsSkeleton rows={2} label="Loading your plan" />
      ) : (
        <Plan subscriptions={running} isGuest={isGuest(cameras)} />
      )}
      {devices.state === 'failed' && (
        <LoadError title="Your cameras could not be loaded" text={devices.msg} again={() => void loadCameras()} />
      )}
    </section>
  )
}

/** Returns true if all cameras are shared with the account. */
const isGuest = (cameras: readonly { user_role: number }[] | null) =>
  cameras !== null && cameras.length > 0 && cameras.every(({ user_role }) => user_role !== OWNER)

type Subscriptions = Extract<ReturnType<typeof $subscriptions.get>, { state: 'ready' }>['subscriptions']

/**
 * Returns true if the panel needs the license assignments: a running plan is per camera, or there is no plan and all
 * cameras are shared with the account.
 */
const tellsWhatIsCovered = (running: Subscriptions, isGuest: boolean) =>
  running.length > 0 ? running.some(({ sku }) => getPlan(sku).per === 'camera') : isGuest

function Plan({ subscriptions, isGuest }: { subscriptions: Subscriptions; isGuest: boolean }) {
  if (subscriptions.length > 0) return <OwnPlan subscriptions={subscriptions} />
  return isGuest ? <SharedOnly /> : <FreePlan />
}
