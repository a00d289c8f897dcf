import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatCameraPlan } from '../../../domain/copy/camera-plan.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { onFeed } from '../../../stores/home/feed.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import {
  $licenseAssignments,
  $subscriptionsWithUnusedLicenses,
  loadLicenseAssignments,
  type LicenseAssignmentsState,
} from '../../../stores/billing/license-assignments.ts'

const loadAssignments = () => loadLicenseAssignments($liveCameras.get().map(({ mac }) => mac))

/** Name of the plan that currently covers the camera. For the owner, also a link to the plans. */
export function PlanRow({ camera }: { camera: Device }) {
  const isOwner = camera.user_role === OWNER_ROLE
  const bindings = useStore($licenseAssignments)
  const unused = useStore($subscriptionsWithUnusedLicenses).reduce((sum, subscription) => sum + subscription.unused, 0)
  useEffect(() => {
    void loadAssignments()
    // Also loads on `hello`: a change between the first response and `hello` would otherwise be missed.
    return onFeed(({ type }) => void ((type === 'access' || type === 'hello') && loadAssignments()))
  }, [])
  return (
    <div className="switch-row">
      <span>
        <b>Plan</b>
        <small>{planText(bindings, camera, unused)}</small>
      </span>
      {isOwner && (
        <a className="btn btn-sm btn-outline" href="/account/products/choose">
          Explore plans
        </a>
      )}
    </div>
  )
}

function planText(bindings: LicenseAssignmentsState, { mac, user_role }: Device, unused: number): string {
  if (bindings.state === 'loading') return 'Loading…'
  if (bindings.state === 'failed') return bindings.failure.text
  const binding = bindings.bindings.get(mac)
  if (!binding) return 'We couldn’t load the plan for this camera. Close the camera settings and try again shortly.'
  return formatCameraPlan(binding, user_role === OWNER_ROLE, unused)
}
