import { useStore } from '@nanostores/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Keyboard from 'lucide-react/icons/keyboard'
import Settings from 'lucide-react/icons/settings'
import type { RefObject } from 'react'
import { formatClock } from '../../../domain/time/clock-time.ts'
import { todayLabel } from '../../../domain/time/relative-time.ts'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $openDialog, openCameraDialog } from '../../../stores/live/camera-dialog.ts'
import { closeSingleCamera } from '../../../stores/live/live-layout.ts'
import { findAdjacentCamera, showAdjacentCamera } from '../../../stores/live/adjacent-cameras.ts'
import { $listedCameras } from '../../../stores/live/live-page.ts'
import { useClockTick } from '../parts/use-now.ts'
import { getStateLabel } from '../parts/tile-labels.ts'

interface CameraHeaderProps {
  camera: Device
  tile: TileState
  backButton: RefObject<HTMLButtonElement | null>
}

/** Back button, camera name, and buttons for the neighboring cameras, the settings and the shortcuts. */
export function CameraHeader({ camera, tile, backButton }: CameraHeaderProps) {
  const now = useClockTick(60_000)
  const state = getStateLabel(tile)
  return (
    <div className="one-bar">
      <button ref={backButton} type="button" className="btn btn-dark one-back" onClick={closeSingleCamera}>
        <ChevronLeft size={18} aria-hidden="true" />
        All cameras
      </button>
      <div className="one-heading">
        <h1>{camera.nickname}</h1>
        <p>
          {state.charAt(0).toUpperCase() + state.slice(1)}
          {now && ` · ${todayLabel(now)}, ${formatClock(now)}`}
        </p>
      </div>
      <AdjacentCameraLinks camera={camera} />
      <button
        type="button"
        className="icon-btn"
        aria-haspopup="dialog"
        aria-label="Camera settings and details"
        title="Camera settings and details"
        onClick={() => openCameraDialog(camera.device_id)}
      >
        <Settings size={20} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="icon-btn one-keys"
        aria-haspopup="dialog"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        onClick={() => $openDialog.set({ kind: 'keys' })}
      >
        <Keyboard size={20} aria-hidden="true" />
      </button>
    </div>
  )
}

/** Buttons for the previous and next camera; null if the list has only one camera. */
export function AdjacentCameraLinks({ camera: { device_id } }: { camera: Device }) {
  const cameras = useStore($listedCameras)
  const position = cameras.findIndex((other) => other.device_id === device_id)
  if (cameras.length < 2) return null
  return (
    <nav className="one-neighbours" aria-label="Other cameras">
      <AdjacentCameraLink camera={findAdjacentCamera(cameras, device_id, -1)} direction={-1} />
      {position >= 0 && (
        <span>
          {position + 1} of {cameras.length}
        </span>
      )}
      <AdjacentCameraLink camera={findAdjacentCamera(cameras, device_id, 1)} direction={1} />
    </nav>
  )
}

function AdjacentCameraLink({ camera, direction }: { camera: Device | undefined; direction: -1 | 1 }) {
  if (!camera) return null
  const { device_id, nickname } = camera
  const Icon = direction < 0 ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      data-by={direction}
      aria-label={`${direction < 0 ? 'Previous' : 'Next'} camera: ${nickname}`}
      onClick={() => showAdjacentCamera(direction)}
    >
      <Icon size={18} aria-hidden="true" />
      <img key={device_id} src={`/m/last/${device_id}`} width="50" height="28" alt="" decoding="async" />
      <b>{nickname}</b>
    </button>
  )
}
