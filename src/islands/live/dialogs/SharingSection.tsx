import { useStore } from '@nanostores/react'
import UserPlus from 'lucide-react/icons/user-plus'
import { useEffect, useState, type FormEvent } from 'react'
import { fullDayLabel } from '../../../domain/time/date-formats.ts'
import {
  $cameraShares,
  loadCameraShares,
  addCameraShare,
  removeCameraShare,
  type CameraShare,
} from '../../../stores/live/camera-shares.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { Field } from '../../../ui/Field.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'

export function SharingSection({ camera: { device_id, nickname } }: { camera: Device }) {
  const shares = useStore($cameraShares)
  useEffect(() => void loadCameraShares(), [])
  return (
    <div className="camera-section">
      <ShareForm deviceId={device_id} />
      <h3>Who else sees it</h3>
      {shares.state === 'loading' && <p className="text-small">Loading …</p>}
      {shares.state === 'failed' && <InlineError failure={shares.failure} />}
      {shares.state === 'ready' && (
        <ul className="share-list" aria-label={`Who else sees ${nickname}`}>
          {shares.shares
            .filter((share) => share.device_id === device_id)
            .map((share) => (
              <ShareItem key={share.email} share={share} />
            ))}
        </ul>
      )}
      {shares.state === 'ready' && !shares.shares.some((share) => share.device_id === device_id) && (
        <p className="text-small">Nobody but you.</p>
      )}
    </div>
  )
}

function ShareForm({ deviceId }: { deviceId: string }) {
  const [email, setEmail] = useState('')
  const { isBusy, failure, run } = useAction()
  async function send(event: FormEvent) {
    event.preventDefault()
    if (await run(() => addCameraShare(deviceId, email.trim()))) setEmail('')
  }
  return (
    <form className="share-form" onSubmit={(event) => void send(event)}>
      <Field
        label="Email of their account"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        hint={<ShareHint />}
        besideInput={
          <button type="submit" className="btn btn-primary" aria-disabled={isBusy}>
            <UserPlus size={18} aria-hidden="true" />
            {isBusy ? 'Sharing' : 'Share'}
          </button>
        }
      />
      <InlineError failure={failure} />
    </form>
  )
}

function ShareHint() {
  return (
    <>
      Role: can watch. They see this camera live and its events, and change nothing. An address that has no account yet
      sees it once it has one. Your{' '}
      <a className="link" href="/account/activity">
        activity
      </a>{' '}
      shows when they watch, and they are told so.
    </>
  )
}

function ShareItem({ share: { device_id, email, created_at } }: { share: CameraShare }) {
  const { isBusy, run } = useAction()
  return (
    <li>
      <span>
        <b>{email}</b>
        <small>Can watch · since {fullDayLabel(created_at)}</small>
      </span>
      <button
        type="button"
        className="btn btn-sm btn-danger"
        aria-label={`Stop sharing with ${email}`}
        aria-disabled={isBusy}
        onClick={() => void run(() => removeCameraShare(device_id, email))}
      >
        Stop sharing
      </button>
    </li>
  )
}
