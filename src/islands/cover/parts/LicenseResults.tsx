import { useStore } from '@nanostores/react'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import { assignmentRefusalText, assignmentResultTitle, assignedSinceText } from '../../../domain/copy/licenses.ts'
import {
  $assignmentResults,
  type AssignmentResult,
  removeFromCart,
  undoAssignment,
} from '../../../stores/billing/license-cart.ts'
import type { LicensedCamera, ReadyLicenseManager } from '../../../stores/billing/license-manager.ts'
import { Button } from '../../../ui/Button.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { CameraThumbnail } from './CameraThumbnail.tsx'
import { TransferLicense } from './TransferLicense.tsx'

interface LicenseResultsProps {
  cover: ReadyLicenseManager
  onRetry: (deviceId: string) => void
  isBusy: boolean
  /** Called after a camera lost its license or left the selection. */
  left: (deviceId: string) => void
  onTransferred: () => void
}

/** Result for each camera that this visit has tried to cover; renders nothing before the first attempt. */
export function LicenseResults(props: LicenseResultsProps) {
  const { cover, left } = props
  const results = useStore($assignmentResults)
  const rows = cover.cameras.flatMap((camera) => {
    const result = results.get(camera.device.device_id)
    return result ? [{ camera, result }] : []
  })
  if (rows.length === 0) return null
  const covered = rows.filter(({ result }) => result.bound).length
  return (
    <section className="card cover-card" aria-labelledby="cover-results">
      <h2 id="cover-results" tabIndex={-1}>
        {assignmentResultTitle(covered, rows.length - covered)}
      </h2>
      <ul>
        {rows.map(({ camera, result }) =>
          result.bound ? (
            <CoveredResult key={camera.device.device_id} cover={cover} camera={camera} at={result.at} left={left} />
          ) : (
            <FailedResult key={camera.device.device_id} {...props} camera={camera} result={result} />
          ),
        )}
      </ul>
    </section>
  )
}

interface CoveredResultProps extends Pick<LicenseResultsProps, 'cover' | 'left'> {
  camera: LicensedCamera
  /** Time of the assignment, ms UTC. */
  at: number
}

function CoveredResult({ cover, camera: { device }, at, left }: CoveredResultProps) {
  const { isBusy, run } = useAction()
  const { device_id, nickname } = device
  async function undo() {
    await run(async () => {
      await undoAssignment(cover.plan.subscription_id, device_id, Date.now())
      return null
    })
    left(device_id)
  }
  return (
    <li className="cover-result">
      <CameraThumbnail device={device} />
      <div className="cover-words">
        <p className="cover-name">
          <b>{nickname}</b>
          <span className="badge badge-success">
            <CircleCheck size={14} aria-hidden="true" />
            Covered
          </span>
        </p>
        <p className="text-small text-ink-2">{assignedSinceText(at)}</p>
      </div>
      <button
        type="button"
        className="text-action"
        aria-label={`Undo: ${nickname}`}
        aria-disabled={isBusy || undefined}
        onClick={() => void undo()}
      >
        Undo
      </button>
    </li>
  )
}

interface FailedResultProps extends LicenseResultsProps {
  camera: LicensedCamera
  result: Extract<AssignmentResult, { bound: false }>
}

/**
 * Failure reason and remedies. Offers a retry only if a license is free and the attempt failed for one of two reasons:
 * no license was free, or another plan covered the camera and no longer does.
 */
function FailedResult({ cover, camera, result: { why }, onRetry, isBusy, left, onTransferred }: FailedResultProps) {
  const [now] = useState(Date.now)
  const { device, other } = camera
  const { device_id, nickname } = device
  const canRetry = why === 'no_licence' ? cover.free > 0 : why === 'bound' && other === null && cover.free > 0
  return (
    <li className="cover-result" data-failed tabIndex={-1} aria-label={`${nickname}, not covered`}>
      <CameraThumbnail device={device} />
      <div className="cover-words">
        <p className="cover-name">
          <b>{nickname}</b>
          <span className="badge badge-error">
            <CircleAlert size={14} aria-hidden="true" />
            Not covered
          </span>
        </p>
        <p className="cover-reason">{assignmentRefusalText(why, other, now)}</p>
        <p className="cover-ways">
          {canRetry && (
            <Button
              kind="soft"
              size="sm"
              isBusy={isBusy}
              aria-label={`Try again: ${nickname}`}
              onClick={() => onRetry(device_id)}
            >
              Try again
            </Button>
          )}
          {why === 'bound' && other && (
            <a className="text-action" href="/account/services">
              View plan
            </a>
          )}
          <button
            type="button"
            className="text-action"
            aria-label={`Remove: ${nickname}`}
            onClick={() => {
              removeFromCart(device_id)
              left(device_id)
            }}
          >
            Remove
          </button>
        </p>
        {why === 'no_licence' && cover.free === 0 && (
          <TransferLicense cover={cover} device={device} onTransferred={onTransferred} />
        )}
      </div>
    </li>
  )
}
