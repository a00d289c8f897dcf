import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import { $cameraNames, $eventCameras } from '../../../stores/events/event-cameras.ts'

interface ChipsProps {
  readonly cameras: readonly CameraClips[]
  readonly left: ReadonlySet<string>
  readonly leaveOut: (cameras: ReadonlySet<string>) => void
}

/** One toggle per camera with a clip, and the names of the cameras without one. At least one camera stays selected. */
export function CameraChips({ cameras, left, leaveOut }: ChipsProps) {
  const names = useStore($cameraNames)
  const others = useStore($eventCameras).filter(
    ({ device_id }) => !cameras.some(({ deviceId }) => deviceId === device_id),
  )
  const toggle = (id: string) => {
    const next = new Set(left)
    if (!next.delete(id)) next.add(id)
    if (next.size < cameras.length) leaveOut(next)
  }
  return (
    <div className="same-time-chips">
      <div role="group" aria-label="Cameras shown">
        {cameras.map(({ deviceId }) => (
          <button
            key={deviceId}
            type="button"
            className="chip"
            aria-pressed={!left.has(deviceId)}
            onClick={() => toggle(deviceId)}
          >
            {!left.has(deviceId) && <Check size={16} aria-hidden />}
            {names.get(deviceId) ?? 'A camera'}
          </button>
        ))}
      </div>
      {others.length > 0 && (
        <details>
          <summary className="chip">
            {others.length} without a recording
            <ChevronDown size={16} aria-hidden />
          </summary>
          <ul>
            {others.map(({ device_id, nickname }) => (
              <li key={device_id}>{nickname}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
