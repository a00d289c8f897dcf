import { formatCameraCount } from '../../../domain/copy/counts.ts'
import { useStore } from '@nanostores/react'
import Cctv from 'lucide-react/icons/cctv'
import Check from 'lucide-react/icons/check'
import KeyRound from 'lucide-react/icons/key-round'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { findCameraBrand } from '../../../../contract/cameras/camera-brands.ts'
import type { FoundCamera } from '../../../../contract/cameras/camera-setup.ts'
import { $cameraChecks } from '../../../stores/add-camera/camera-checks.ts'
import { $cameraDiscovery, requestCameraDiscovery } from '../../../stores/add-camera/discovered-cameras.ts'

export interface DiscoveredChoice {
  readonly host: string
  /** Name that the camera has; '' if none. */
  readonly name: string
  readonly brand: string
  readonly needsLogin: boolean
}
interface DiscoveredCamerasProps {
  onChoose: (choice: DiscoveredChoice) => void
  /** True if the form contains a username. */
  hasLogin: boolean
}

/**
 * Cameras found on the home's network. Choosing a camera fills in its host and starts the check, unless the camera needs
 * a login and the form has none.
 */
export function DiscoveredCameras({ onChoose, hasLogin }: DiscoveredCamerasProps) {
  const discovery = useStore($cameraDiscovery)
  const isLooking = discovery.state !== 'done'
  const count = discovery.state === 'done' ? discovery.cameras.length : 0
  return (
    <section className="add-found" aria-labelledby="add-found-title" aria-busy={isLooking}>
      <div className="add-found-head">
        <h3 id="add-found-title">Found on your network</h3>
        {count > 0 && <span className="text-small">{formatCameraCount(count)}</span>}
        <button
          type="button"
          className="text-action"
          disabled={isLooking}
          onClick={() => void requestCameraDiscovery()}
        >
          <RefreshCw size={16} aria-hidden="true" />
          Search again
        </button>
      </div>
      {count > 0 && discovery.state === 'done' && (
        <ul>
          {discovery.cameras.map((camera) => (
            <DiscoveredCameraRow key={camera.host} camera={camera} onChoose={onChoose} hasLogin={hasLogin} />
          ))}
        </ul>
      )}
      <p className="text-small" role="status">
        {discovery.state !== 'done'
          ? 'Your hub is looking for cameras…'
          : discovery.words || 'Camera not listed? It may be asleep, have ONVIF turned off, or be on another network.'}
      </p>
    </section>
  )
}

function DiscoveredCameraRow({ camera, onChoose, hasLogin }: DiscoveredCamerasProps & { camera: FoundCamera }) {
  const { host, asks_for_user, brand = '' } = camera
  const check = useStore($cameraChecks).find((entry) => entry.host === host)
  const isRejected = check?.steps.signed_in.state === 'failed'
  const name = camera.name === `Camera at ${host}` ? '' : camera.name
  const label = name || host
  const brandName = findCameraBrand(brand)?.name
  const facts = [...(name === '' ? [] : [host]), ...(brandName ? [brandName] : [])]
  return (
    <li data-chosen={check !== undefined}>
      <Cctv size={20} aria-hidden="true" />
      <span>
        <b>{label}</b>
        <small>{[...facts, ...(asks_for_user ? ['Login needed'] : [])].join(' · ')}</small>
      </span>
      {check?.state === 'good' ? (
        <span className="badge badge-success">
          <Check size={14} aria-hidden="true" />
          Video works
        </span>
      ) : isRejected ? (
        <span className="badge badge-error">
          <KeyRound size={14} aria-hidden="true" />
          Wrong login
        </span>
      ) : (
        <button
          type="button"
          className="btn btn-soft btn-sm"
          aria-label={asks_for_user && !hasLogin ? `Add login for ${label}` : `Check ${label}`}
          onClick={() => onChoose({ host, name, brand, needsLogin: asks_for_user })}
        >
          {asks_for_user && !hasLogin ? 'Add login' : 'Check'}
        </button>
      )}
    </li>
  )
}
