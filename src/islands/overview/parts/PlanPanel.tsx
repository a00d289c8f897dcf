import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import { isSubscriptionClosed } from '../../../domain/copy/subscription-status.ts'
import { $licenseAssignments, loadLicenseAssignments } from '../../../stores/billing/license-assignments.ts'
import { $subscriptions, loadSubscriptions, reloadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { $devices, loadDevices } from '../../../stores/home/devices.ts'
import { formatFailure } from '../../../stores/shell/failure-text.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { FreePlan, OwnPlan, SharedCamerasOnly } from './PlanSummary.tsx'

async function loadCameras(): Promise<void> {
  await loadDevices()
  const devices = $devices.get()
  if ('devices' in devices) await loadLicenseAssignments(devices.devices.map(({ device_id }) => device_id))
}

/** The account's plan with its cameras. Without a plan: the free tier, or the cameras shared with the account. */
export function PlanPanel() {
  // Hydrates with the prerendered state, because the page frame may already have loaded the subscriptions.
  const subs = useStore($subscriptions, { ssr: 'initial' })
  const devices = useStore($devices, { ssr: 'initial' })
  const bindings = useStore($licenseAssignments)
  useEffect(() => {
    void loadSubscriptions()
    void loadCameras()
  }, [])
  const cameras = 'devices' in devices ? devices.devices : null
  const openSubscriptions =
    subs.state === 'ready' ? subs.subscriptions.filter((subscription) => !isSubscriptionClosed(subscription)) : []
  const isLoading =
    subs.state === 'loading' ||
    (cameras === null
      ? devices.state !== 'failed'
      : bindings.state === 'loading' && needsAssignments(openSubscriptions, isGuest(cameras)))
  return (
    <section className="card overview-panel plan-panel" aria-label="Your plan" aria-busy={isLoading}>
      {subs.state === 'failed' ? (
        <LoadError
          title="We couldn’t load your plan"
          text={`${formatFailure(subs.failure)} Nothing has changed on your account.`}
          onRetry={() => void reloadSubscriptions()}
        />
      ) : isLoading ? (
        <RowsSkeleton rows={2} label="Loading your plan" />
      ) : (
        <PlanContent subscriptions={openSubscriptions} isGuest={isGuest(cameras)} />
      )}
      {devices.state === 'failed' && (
        <LoadError title="We couldn’t load your cameras" text={devices.msg} onRetry={() => void loadCameras()} />
      )}
    </section>
  )
}

const isGuest = (cameras: readonly { user_role: number }[] | null) =>
  cameras !== null && cameras.length > 0 && cameras.every(({ user_role }) => user_role !== OWNER_ROLE)

type Subscriptions = Extract<ReturnType<typeof $subscriptions.get>, { state: 'ready' }>['subscriptions']

/**
 * Returns true if the panel needs the license assignments: for a running plan with a license per camera, or for a guest
 * without a plan.
 */
const needsAssignments = (openSubscriptions: Subscriptions, isGuest: boolean) =>
  openSubscriptions.length > 0 ? openSubscriptions.some(({ sku }) => getPlan(sku).per === 'camera') : isGuest

function PlanContent({ subscriptions, isGuest }: { subscriptions: Subscriptions; isGuest: boolean }) {
  if (subscriptions.length > 0) return <OwnPlan subscriptions={subscriptions} />
  return isGuest ? <SharedCamerasOnly /> : <FreePlan />
}
