import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatCoveringPlan } from '../../../domain/copy/licenses.ts'
import { formatDayCount } from '../../../domain/copy/counts.ts'
import { $bindCart, addToCart, removeFromCart } from '../../../stores/billing/license-cart.ts'
import type { LicensedCamera, ReadyLicenseManager } from '../../../stores/billing/license-manager.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { CameraThumbnail } from './CameraThumbnail.tsx'
import { TransferLicense } from './TransferLicense.tsx'

interface CameraPickerProps {
  cover: ReadyLicenseManager
  /** Cameras that have no license of this plan and that this visit has not tried to cover. */
  cameras: readonly LicensedCamera[]
  hasResults: boolean
  onTransferred: () => void
}

export function CameraPicker({ cover, cameras, hasResults, onTransferred }: CameraPickerProps) {
  const [now] = useState(Date.now)
  const cart = useStore($bindCart)
  if (cover.cameras.length === 0) return <NoCamera />
  if (cameras.length === 0) return hasResults ? null : <AllCovered />
  const isSelected = ({ device }: LicensedCamera) => cart.some(({ device_id }) => device_id === device.device_id)
  return (
    <fieldset className="card cover-card cover-picks" data-below={hasResults || undefined}>
      <legend className="sr-only">Cameras to cover</legend>
      <h2 aria-hidden="true">{hasResults ? 'Not in the basket' : 'Choose what to cover'}</h2>
      {cover.free === 0 && (
        <p className="hint-strip" data-tone="warning">
          <span>
            <b>All licences are used.</b> Take one from another camera, or{' '}
            <a className="link" href="/account/products/camera-ai">
              get more licences
            </a>
            .
          </span>
        </p>
      )}
      {cameras.map((camera) => (
        <div key={camera.device.device_id} className="cover-pick" data-device={camera.device.device_id}>
          <Choice
            type="checkbox"
            checked={isSelected(camera)}
            onChange={(on) => (on ? addToCart : removeFromCart)(camera.device.device_id)}
            mark={<CameraThumbnail device={camera.device} />}
            title={camera.device.nickname}
            note={cameraNote(camera, now)}
            end={cover.free > 0 && !isSelected(camera) && <small>Add it and 1 licence is used</small>}
          />
          {cover.free === 0 && camera.other === null && (
            <TransferLicense cover={cover} device={camera.device} onTransferred={onTransferred} />
          )}
        </div>
      ))}
    </fieldset>
  )
}

function cameraNote({ device, other, keepsDays }: LicensedCamera, now: number): string {
  if (other) return formatCoveringPlan(other, now)
  return device.covered ? `Covered by another plan, ${formatDayCount(keepsDays)}` : `Free, ${formatDayCount(keepsDays)}`
}

function AllCovered() {
  return (
    <section className="card cover-card">
      <h2>Every camera is covered</h2>
      <p className="text-ink-2">There is nothing to add. Licences that are free wait for the next camera.</p>
    </section>
  )
}

function NoCamera() {
  return (
    <section className="card cover-card">
      <h2>No camera of yours yet</h2>
      <p className="text-ink-2">
        The licences wait for the cameras that you add. A camera that somebody shares with you is covered by the plan of
        its owner.
      </p>
      <a className="btn btn-soft" href="/guides/cameras">
        How to add a camera
      </a>
    </section>
  )
}
