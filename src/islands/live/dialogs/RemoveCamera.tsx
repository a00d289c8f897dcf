import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { closeLiveDialog } from '../../../stores/live/camera-dialog.ts'
import { removeOwnCamera } from '../../../stores/live/camera-settings.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Removes the camera from the account, after a confirmation. */
export function RemoveCamera({ camera }: { camera: Device }) {
  const { nickname } = camera
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, run } = useAction()
  if (!isAsking) {
    return (
      <button type="button" className="btn btn-sm btn-danger remove" onClick={() => setIsAsking(true)}>
        <Trash2 size={16} aria-hidden="true" />
        Remove camera
      </button>
    )
  }
  return (
    <div className="remove-question" role="group" aria-label="Remove camera">
      <p>Remove {nickname} for everyone? You can add the camera again later.</p>
      <span className="pair">
        <button type="button" className="btn btn-sm btn-outline" autoFocus onClick={() => setIsAsking(false)}>
          Keep camera
        </button>
        <button
          type="button"
          className="btn btn-sm btn-danger"
          aria-disabled={isBusy}
          onClick={() => void run(() => removeOwnCamera(camera)).then((isDone) => isDone && closeLiveDialog())}
        >
          {isBusy ? 'Removing…' : `Remove ${nickname}`}
        </button>
      </span>
    </div>
  )
}
