import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatCameraPlan } from '../../../domain/copy/camera-plan.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { onFeed } from '../../../stores/home/feed.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import {
  $bindings,
  $unusedSubs,
  loadBindings,
  type LicenseAssignmentsState,
} from '../../../stores/billing/license-assignments.ts'

const load = () => loadBindings($liveCameras.get().map(({ mac }) => mac))

/** Name of the plan that currently covers the camera, with a link to the plans for the owner. */
export function PlanRow({ camera }: { camera: Device }) {
  const isOwn = camera.user_role === OWNER
  const bindings = useStore($bindings)
  const unused = useStore($unusedSubs).reduce((sum, subscription) => sum + subscription.unused, 0)
  useEffect(() => {
    void load()
    // Also loads on `hello`: a change between the first response and the `hello` is in neither of them.
    return onFeed(({ type }) => void ((type === 'access' || type === 'hello') && load()))
  }, [])
  return (
    <div className="switch-row">
      <span>
        <b>Plan</b>
        <small>{planText(bindings, camera, unused)}</small>
      </span>
      {isOwn && (
        <a className="btn btn-sm btn-outline" href="/account/products/choose">
          Explore plans
        </a>
      )}
    </div>
  )
}

function planText(bindings: LicenseAssignmentsState, { mac, user_role }: Device, unused: number): string {
  if (bindings.state === 'loading') return 'Loading …'
  if (bindings.state === 'failed') return bindings.failure.text
  const binding = bindings.bindings.get(mac)
  if (!binding) return 'It is not known which plan covers this camera. Open this dialog again in a moment.'
  return formatCameraPlan(binding, user_role === OWNER, unused)
}
