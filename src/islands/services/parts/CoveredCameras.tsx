import { useStore } from '@nanostores/react'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Binding } from '../../../../contract/billing/licenses.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { coveredText } from '../../../domain/copy/licenses.ts'
import { $licenseAssignments } from '../../../stores/billing/license-assignments.ts'
import { $devices, type Device } from '../../../stores/home/devices.ts'
import { CoveredSkeleton } from '../ServicesSkeleton.tsx'

interface CoveredCamerasProps {
  subscription: Subscription
  /** Current time by the plan's test clock, ms UTC. */
  now: number
}

/** Cameras that a subscription covers, or the error if the license assignments failed to load. */
export function CoveredCameras({ subscription: { subscription_id, sku, quantity }, now }: CoveredCamerasProps) {
  const bindings = useStore($licenseAssignments)
  const devices = useStore($devices)
  if (bindings.state === 'failed') return <p className="text-small text-ink-2">{bindings.failure.text}</p>
  if (!('devices' in devices)) return null
  if (bindings.state === 'loading') {
    const own = devices.devices.filter(({ user_role }) => user_role === OWNER_ROLE).length
    return <CoveredSkeleton count={getPlan(sku).per === 'camera' ? Math.min(own, quantity) : own} />
  }
  const covered = devices.devices.filter(
    ({ device_id }) => bindings.bindings.get(device_id)?.plan?.subscription_id === subscription_id,
  )
  if (covered.length === 0) return null
  return (
    <div>
      <CameraList covered={covered} bindings={bindings.bindings} now={now} />
      {getPlan(sku).per === 'camera' && (
        <a
          className="text-action covered-more"
          href={`/account/services/cover?plan=${encodeURIComponent(subscription_id)}`}
        >
          Change cameras
        </a>
      )}
    </div>
  )
}

interface CameraListProps {
  covered: readonly Device[]
  bindings: ReadonlyMap<string, Binding>
  now: number
}

function CameraList({ covered, bindings, now }: CameraListProps) {
  return (
    <ul className="covered" aria-label="Covered cameras">
      {covered.map(({ device_id, nickname, thumbnail_url }) => (
        <li key={device_id}>
          {thumbnail_url === '' ? (
            <span className="covered-none" />
          ) : (
            <img src={`/m/last/${device_id}`} width="72" height="41" alt="" loading="lazy" decoding="async" />
          )}
          <span className="row-text">
            <b>{nickname}</b>
            <small>{coveredText(bindings.get(device_id), now)}</small>
          </span>
        </li>
      ))}
    </ul>
  )
}
