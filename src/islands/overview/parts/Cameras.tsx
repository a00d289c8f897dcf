import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import Plus from 'lucide-react/icons/plus'
import Video from 'lucide-react/icons/video'
import type { Binding } from '../../../../contract/billing/licenses.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import { formatDayCount } from '../../../domain/copy/counts.ts'
import { describeSharedPlan } from '../../../domain/copy/account-overview.ts'
import { $licenseAssignments, loadLicenseAssignments } from '../../../stores/billing/license-assignments.ts'
import { $devices, type Device } from '../../../stores/home/devices.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { NoCameraMessage } from '../../../ui/NoCamera.tsx'

interface CamerasProps {
  ownership: 'own' | 'shared'
  /** True if the plan has a more urgent next step than adding a camera. */
  isSecondary?: boolean
}

/**
 * List of the account's own cameras, or of the cameras shared with it. Shows for each own camera if a plan covers it,
 * and names the plan of each shared camera.
 */
export function Cameras({ ownership, isSecondary = false }: CamerasProps) {
  const devices = useStore($devices)
  const bindings = useStore($licenseAssignments)
  if (!('devices' in devices)) return null
  const cameras = devices.devices.filter(({ user_role }) => (user_role === OWNER_ROLE) === (ownership === 'own'))
  if (cameras.length === 0) return <NoCameras isSecondary={isSecondary} />
  const findBinding = (device: Device) =>
    bindings.state === 'ready' ? bindings.bindings.get(device.device_id) : undefined
  return (
    <>
      <ul
        className="plan-cameras"
        data-whose={ownership}
        aria-label={ownership === 'own' ? 'Your cameras' : 'Cameras shared with you'}
      >
        {cameras.map((device) => (
          <CoveredCamera
            key={device.device_id}
            device={device}
            binding={findBinding(device)}
            isOwn={ownership === 'own'}
          />
        ))}
      </ul>
      {ownership === 'own' && (
        <a className="text-action" href="/live?add">
          <Plus size={16} aria-hidden="true" />
          Add a camera
        </a>
      )}
      {bindings.state === 'failed' && (
        <LoadError
          text="We couldn’t check which plan covers your cameras. Nothing has changed on your account."
          onRetry={() => void loadLicenseAssignments(devices.devices.map(({ device_id }) => device_id))}
        />
      )}
    </>
  )
}

function CoveredCamera({ device, binding, isOwn }: { device: Device; binding: Binding | undefined; isOwn: boolean }) {
  const { device_id, nickname, thumbnail_url, covered } = device
  const isCovered = binding ? binding.plan !== null : covered
  const freeText = `Free, ${formatDayCount(binding?.keeps_days ?? 1)}`
  return (
    <li data-covered={isCovered}>
      {thumbnail_url === '' ? (
        <span className="plan-no-picture" />
      ) : (
        <img src={`/m/last/${device_id}`} width="128" height="80" alt="" loading="lazy" decoding="async" />
      )}
      <b>{nickname}</b>
      <span className="plan-word">
        {isCovered ? <Check size={16} aria-hidden="true" /> : <Video size={14} aria-hidden="true" />}
        {isOwn ? (isCovered ? 'Covered' : freeText) : describeSharedPlan(binding) || (isCovered ? 'Covered' : freeText)}
      </span>
    </li>
  )
}

function NoCameras({ isSecondary }: Required<Pick<CamerasProps, 'isSecondary'>>) {
  return (
    <div className="plan-no-camera">
      <NoCameraMessage as="h3" isSecondary={isSecondary}>
        Your account is ready. Adding your first camera takes about a minute.
      </NoCameraMessage>
    </div>
  )
}
