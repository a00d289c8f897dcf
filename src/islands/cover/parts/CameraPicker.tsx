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
      <legend className="sr-only">Cameras without a license</legend>
      <h2 aria-hidden="true">{hasResults ? 'Other cameras' : 'Choose cameras to cover'}</h2>
      {cover.free === 0 && (
        <p className="hint-strip" data-tone="warning">
          <span>
            <b>All licenses are in use.</b> Move one from another camera, or{' '}
            <a className="link" href="/account/products/camera-ai">
              get more licenses
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
            end={cover.free > 0 && !isSelected(camera) && <small>Uses 1 license</small>}
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
  return device.covered
    ? `Covered by another plan, clips kept for ${formatDayCount(keepsDays)}`
    : `Free plan, clips kept for ${formatDayCount(keepsDays)}`
}

function AllCovered() {
  return (
    <section className="card cover-card">
      <h2>Every camera is covered</h2>
      <p className="text-ink-2">You can assign unused licenses to cameras you add later.</p>
    </section>
  )
}

function NoCamera() {
  return (
    <section className="card cover-card">
      <h2>No cameras yet</h2>
      <p className="text-ink-2">
        Add a camera, then assign a license to it. Cameras shared with you are covered by their owner’s plan.
      </p>
      <a className="btn btn-soft" href="/guides/cameras">
        How to add a camera
      </a>
    </section>
  )
}
