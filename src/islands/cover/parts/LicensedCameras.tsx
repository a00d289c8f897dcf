import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { assignedText, unassignedText } from '../../../domain/copy/licenses.ts'
import { $assignmentResults, unassignLicense } from '../../../stores/billing/license-cart.ts'
import type { LicensedCamera, ReadyLicenseManager } from '../../../stores/billing/license-manager.ts'
import { Button } from '../../../ui/Button.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { CameraThumbnail } from './CameraThumbnail.tsx'

interface LicensedCamerasProps {
  cover: ReadyLicenseManager
  left: (deviceId: string) => void
}

/**
 * Cameras that have a license of this plan and that this visit has not tried to cover. Unassigning a license requires a
 * confirmation that names what is lost.
 */
export function LicensedCameras({ cover, left }: LicensedCamerasProps) {
  const results = useStore($assignmentResults)
  const bound = cover.cameras.filter(({ device, isBound }) => isBound && !results.has(device.device_id))
  if (bound.length === 0) return null
  return (
    <section className="card cover-card" aria-labelledby="cover-bound">
      <h2 id="cover-bound">Cameras with a license</h2>
      <ul>
        {bound.map((camera) => (
          <LicensedCameraRow key={camera.device.device_id} cover={cover} camera={camera} left={left} />
        ))}
      </ul>
    </section>
  )
}

function LicensedCameraRow({ cover, camera, left }: LicensedCamerasProps & { camera: LicensedCamera }) {
  const { isBusy, run } = useAction()
  const [isAsking, setIsAsking] = useState(false)
  const { device } = camera
  const { device_id, nickname } = device
  async function unassign() {
    if (await run(() => unassignLicense(cover.plan.subscription_id, device_id))) left(device_id)
  }
  return (
    <li className="cover-result">
      <CameraThumbnail device={device} />
      <div className="cover-words">
        <p className="cover-name">
          <b>{nickname}</b>
        </p>
        <p className="text-small text-ink-2">{isAsking ? unassignedText(nickname) : assignedText(camera)}</p>
        {isAsking && (
          <p className="cover-ways">
            <Button kind="danger" size="sm" isBusy={isBusy} autoFocus onClick={() => void unassign()}>
              Unassign
            </Button>
            <Button kind="plain" size="sm" onClick={() => setIsAsking(false)}>
              Keep license
            </Button>
          </p>
        )}
      </div>
      {!isAsking && (
        <button
          type="button"
          className="text-action"
          aria-label={`Unassign: ${nickname}`}
          onClick={() => setIsAsking(true)}
        >
          Unassign
        </button>
      )}
    </li>
  )
}
