import { formatCameraCount } from '../../../domain/copy/counts.ts'
import { useStore } from '@nanostores/react'
import Cctv from 'lucide-react/icons/cctv'
import Check from 'lucide-react/icons/check'
import KeyRound from 'lucide-react/icons/key-round'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import type { FoundCamera } from '../../../../contract/cameras/camera-setup.ts'
import { $cameraChecks } from '../../../stores/add-camera/camera-checks.ts'
import { $cameraDiscovery, requestCameraDiscovery } from '../../../stores/add-camera/discovered-cameras.ts'

type ChooseCamera = (address: string, name: string, asksForUser: boolean) => void

/**
 * Cameras found on the home's network. Choosing a camera fills in its address, or a default address if the camera has
 * not revealed its address. If the address is known and the camera needs no login, choosing also starts the check.
 */
export function DiscoveredCameras({ onChoose }: { onChoose: ChooseCamera }) {
  const discovery = useStore($cameraDiscovery)
  const isLooking = discovery.state !== 'done'
  const count = discovery.state === 'done' ? discovery.cameras.length : 0
  return (
    <section className="add-found" aria-labelledby="add-found-title" aria-busy={isLooking}>
      <div className="add-found-head">
        <h3 id="add-found-title">Found in your home</h3>
        {count > 0 && <span className="text-small">{formatCameraCount(count)}</span>}
        <button
          type="button"
          className="text-action"
          disabled={isLooking}
          onClick={() => void requestCameraDiscovery()}
        >
          <RefreshCw size={16} aria-hidden="true" />
          Look again
        </button>
      </div>
      {count > 0 && discovery.state === 'done' && (
        <ul>
          {discovery.cameras.map((camera) => (
            <DiscoveredCameraRow key={camera.host} camera={camera} onChoose={onChoose} />
          ))}
        </ul>
      )}
      <p className="text-small" role="status">
        {discovery.state !== 'done'
          ? 'Your box is looking for cameras.'
          : discovery.words || 'Not here? It may sleep, or be in another network: type its address above.'}
      </p>
    </section>
  )
}

function DiscoveredCameraRow({ camera, onChoose }: { camera: FoundCamera; onChoose: ChooseCamera }) {
  const { host, name, address, asks_for_user } = camera
  const check = useStore($cameraChecks).find((entry) => entry.host === host)
  const isRejected = check?.steps.signed_in.state === 'failed'
  const label = name === `Camera at ${host}` ? `Camera ${host}` : name
  return (
    <li data-chosen={check !== undefined}>
      <Cctv size={20} aria-hidden="true" />
      <span>
        <b>{label}</b>
        <small>{asks_for_user ? `${host} · asks for a user and a password` : host}</small>
      </span>
      {check?.state === 'good' ? (
        <span className="badge badge-success">
          <Check size={14} aria-hidden="true" />
          Picture is here
        </span>
      ) : isRejected ? (
        <span className="badge badge-error">
          <KeyRound size={14} aria-hidden="true" />
          Password
        </span>
      ) : (
        <button
          type="button"
          className="btn btn-soft btn-sm"
          aria-label={`Check ${label}`}
          onClick={() => onChoose(address ?? `rtsp://${host}:554/`, label, asks_for_user || address === null)}
        >
          Check
        </button>
      )}
    </li>
  )
}
