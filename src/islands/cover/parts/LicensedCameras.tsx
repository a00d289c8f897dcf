import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { assignedText, unassignedText } from '../../../domain/copy/licenses.ts'
import { $bindResults, unassignLicense } from '../../../stores/billing/license-cart.ts'
import type { CoverCamera, ReadyCover } from '../../../stores/billing/license-manager.ts'
import { Button } from '../../../ui/Button.tsx'
import { useAct } from '../../../ui/use-action.ts'
import { CameraThumbnail } from './CameraThumbnail.tsx'

interface BoundProps {
  cover: ReadyCover
  left: (deviceId: string) => void
}

/** Cameras covered before this visit; each can be unassigned after a confirmation that names the loss. */
export function Bound({ cover, left }: BoundProps) {
  const results = useStore($bindResults)
  const bound = cover.cameras.filter(({ device, isBound }) => isBound && !results.has(device.device_id))
  if (bound.length === 0) return null
  return (
    <section className="card cover-card" aria-labelledby="cover-bound">
      <h2 id="cover-bound">Covered before</h2>
      <ul>
        {bound.map((camera) => (
          <Row key={camera.device.device_id} cover={cover} camera={camera} left={left} />
        ))}
      </ul>
    </section>
  )
}

function Row({ cover, camera, left }: BoundProps & { camera: CoverCamera }) {
  const { isBusy, run } = useAct()
  const [isAsking, ask] = useState(false)
  const { device } = camera
  const { device_id, nickname } = device
  async function free() {
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
            <Button kind="danger" size="sm" isBusy={isBusy} autoFocus onClick={() => void free()}>
              Free the licence
            </Button>
            <Button kind="plain" size="sm" onClick={() => ask(false)}>
              Keep it
            </Button>
          </p>
        )}
      </div>
      {!isAsking && (
        <button
          type="button"
          className="text-action"
          aria-label={`Free its licence: ${nickname}`}
          onClick={() => ask(true)}
        >
          Free its licence
        </button>
      )}
    </li>
  )
}
