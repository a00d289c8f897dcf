import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import { $cameraNames, $eventCameras } from '../../../stores/events/event-cameras.ts'

interface CameraChipsProps {
  readonly cameras: readonly CameraClips[]
  readonly hiddenCameras: ReadonlySet<string>
  readonly onHiddenChange: (cameras: ReadonlySet<string>) => void
}

/** One toggle per camera with a clip, and the names of the cameras without one. At least one camera stays selected. */
export function CameraChips({ cameras, hiddenCameras, onHiddenChange }: CameraChipsProps) {
  const names = useStore($cameraNames)
  const camerasWithoutClip = useStore($eventCameras).filter(
    ({ device_id }) => !cameras.some(({ deviceId }) => deviceId === device_id),
  )
  const toggle = (id: string) => {
    const next = new Set(hiddenCameras)
    if (!next.delete(id)) next.add(id)
    if (next.size < cameras.length) onHiddenChange(next)
  }
  return (
    <div className="same-time-chips">
      <div role="group" aria-label="Cameras shown">
        {cameras.map(({ deviceId }) => (
          <button
            key={deviceId}
            type="button"
            className="chip"
            aria-pressed={!hiddenCameras.has(deviceId)}
            onClick={() => toggle(deviceId)}
          >
            {!hiddenCameras.has(deviceId) && <Check size={16} aria-hidden />}
            {names.get(deviceId) ?? 'A camera'}
          </button>
        ))}
      </div>
      {camerasWithoutClip.length > 0 && (
        <details>
          <summary className="chip">
            {camerasWithoutClip.length} without a clip
            <ChevronDown size={16} aria-hidden />
          </summary>
          <ul>
            {camerasWithoutClip.map(({ device_id, nickname }) => (
              <li key={device_id}>{nickname}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
