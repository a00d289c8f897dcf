import { useStore } from '@nanostores/react'
import UserPlus from 'lucide-react/icons/user-plus'
import { useEffect, useState, type FormEvent } from 'react'
import { formatAll } from '../../../domain/copy/lists.ts'
import { fullDayLabel } from '../../../domain/time/date-formats.ts'
import {
  $cameraInvitation,
  $cameraShares,
  $ownsSeveralCameras,
  loadCameraShares,
  addCameraShare,
  removeCameraShares,
  type CameraShare,
  type InvitationDelivery,
} from '../../../stores/live/camera-shares.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { Field } from '../../../ui/Field.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { InvitationLink } from './InvitationLink.tsx'

export function SharingSection({ camera: { device_id, nickname } }: { camera: Device }) {
  const shares = useStore($cameraShares)
  const invitation = useStore($cameraInvitation)
  useEffect(() => {
    void loadCameraShares()
    return () => $cameraInvitation.set(null)
  }, [])
  return (
    <div className="camera-section">
      <ShareForm deviceId={device_id} invites={shares.state === 'ready' ? shares.invites : null} />
      {invitation?.deviceId === device_id && <InvitationLink invitation={invitation} />}
      <h3>Shared with</h3>
      {shares.state === 'loading' && <p className="text-small">Loading…</p>}
      {shares.state === 'failed' && <InlineError failure={shares.failure} />}
      {shares.state === 'ready' && (
        <ul className="share-list" aria-label={`People who can watch ${nickname}`}>
          {shares.shares
            .filter((share) => share.device_id === device_id)
            .map((share) => (
              <ShareItem
                key={share.email}
                share={share}
                sharedIds={shares.shares.filter(({ email }) => email === share.email).map((other) => other.device_id)}
              />
            ))}
        </ul>
      )}
      {shares.state === 'ready' && !shares.shares.some((share) => share.device_id === device_id) && (
        <p className="text-small">No one yet.</p>
      )}
    </div>
  )
}

function ShareForm({ deviceId, invites }: { deviceId: string; invites: InvitationDelivery | null }) {
  const ownsSeveralCameras = useStore($ownsSeveralCameras)
  const [email, setEmail] = useState('')
  const [allCameras, setAllCameras] = useState(false)
  const { isBusy, failure, run } = useAction()
  async function send(event: FormEvent) {
    event.preventDefault()
    if (!(await run(() => addCameraShare(deviceId, email.trim(), { allCameras })))) return
    setEmail('')
    setAllCameras(false)
  }
  return (
    <form className="share-form" onSubmit={(event) => void send(event)}>
      <Field
        label="Viewer’s email"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        hint={<ShareHint invites={invites} />}
        besideInput={
          <button type="submit" className="btn btn-primary" aria-disabled={isBusy}>
            <UserPlus size={18} aria-hidden="true" />
            {isBusy ? 'Sharing…' : 'Share'}
          </button>
        }
      />
      {ownsSeveralCameras && <AllCamerasSwitch isOn={allCameras} onChange={setAllCameras} />}
      <InlineError failure={failure} />
    </form>
  )
}

function AllCamerasSwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="switch-row">
      <span>
        <b>Share all cameras in this home</b>
        <small>Cameras that you add later aren’t included.</small>
      </span>
      <input type="checkbox" role="switch" checked={isOn} onChange={() => onChange(!isOn)} />
    </label>
  )
}

/** Hints for an address without an account. */
const INVITATION_HINTS: Readonly<Record<InvitationDelivery, string>> = {
  email: 'If someone doesn’t have an account yet, we’ll email them an invitation.',
  link: 'If someone doesn’t have an account yet, you’ll get a link to send them.',
  none: 'If someone doesn’t have an account yet, ask your provider to create one. They’ll get access once the account is ready.',
}

function ShareHint({ invites }: { invites: InvitationDelivery | null }) {
  return (
    <>
      Viewers can watch live and see events, but can’t change anything. {invites && INVITATION_HINTS[invites]} To see
      when viewers watch, go to{' '}
      <a className="link" href="/account/activity">
        Activity
      </a>
      . We let viewers know that you can see their activity.
    </>
  )
}

interface ShareItemProps {
  readonly share: CameraShare
  readonly sharedIds: readonly string[]
}

/** `sharedIds`: all cameras that the owner shares with this person. */
function ShareItem({ share: { device_id, email, created_at }, sharedIds }: ShareItemProps) {
  const { isBusy, run } = useAction()
  return (
    <li>
      <span>
        <b>{email}</b>
        <small>Viewer since {fullDayLabel(created_at)}</small>
      </span>
      <button
        type="button"
        className="btn btn-sm btn-danger"
        aria-label={`Stop sharing with ${email}`}
        aria-disabled={isBusy}
        onClick={() => void run(() => removeCameraShares([device_id], email))}
      >
        Stop sharing
      </button>
      {sharedIds.length > 1 && (
        <button
          type="button"
          className="btn btn-sm btn-outline"
          aria-label={`Stop sharing ${formatAll(sharedIds.length, 'camera')} with ${email}`}
          aria-disabled={isBusy}
          onClick={() => void run(() => removeCameraShares(sharedIds, email))}
        >
          Stop sharing {formatAll(sharedIds.length, 'camera')}
        </button>
      )}
    </li>
  )
}
