import { useStore } from '@nanostores/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Keyboard from 'lucide-react/icons/keyboard'
import Settings from 'lucide-react/icons/settings'
import type { RefObject } from 'react'
import { clock } from '../../../domain/time/clock-time.ts'
import { todayLabel } from '../../../domain/time/relative-time.ts'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $openDialog, openCamera } from '../../../stores/live/camera-dialog.ts'
import { leaveAlone } from '../../../stores/live/live-layout.ts'
import { findNeighbor, showNext } from '../../../stores/live/adjacent-cameras.ts'
import { $listed } from '../../../stores/live/live-page.ts'
import { useClockTick } from '../parts/use-now.ts'
import { stateWord } from '../parts/tile-labels.ts'

interface Props {
  camera: Device
  tile: TileState
  back: RefObject<HTMLButtonElement | null>
}

/** Back button, camera name, and the cameras before and after it. */
export function CameraHeader({ camera, tile, back }: Props) {
  const now = useClockTick(60_000)
  const state = stateWord(tile)
  return (
    <div className="one-bar">
      <button ref={back} type="button" className="btn btn-dark one-back" onClick={leaveAlone}>
        <ChevronLeft size={18} aria-hidden="true" />
        All cameras
      </button>
      <div className="one-heading">
        <h1>{camera.nickname}</h1>
        <p>
          {state.charAt(0).toUpperCase() + state.slice(1)}
          {now && ` · ${todayLabel(now)}, ${clock(now)}`}
        </p>
      </div>
      <Neighbors camera={camera} />
      <button
        type="button"
        className="icon-btn"
        aria-haspopup="dialog"
        aria-label="Camera settings and details"
        title="Camera settings and details"
        onClick={() => openCamera(camera.device_id)}
      >
        <Settings size={20} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="icon-btn one-keys"
        aria-haspopup="dialog"
        aria-label="Shortcuts"
        title="Shortcuts (?)"
        onClick={() => $openDialog.set({ kind: 'keys' })}
      >
        <Keyboard size={20} aria-hidden="true" />
      </button>
    </div>
  )
}

/** Previous and next camera; null if there is no other. */
export function Neighbors({ camera: { device_id } }: { camera: Device }) {
  const cameras = useStore($listed)
  const at = cameras.findIndex((other) => other.device_id === device_id)
  if (cameras.length < 2) return null
  return (
    <nav className="one-neighbours" aria-label="Other cameras">
      <Neighbor camera={findNeighbor(cameras, device_id, -1)} by={-1} />
      {at >= 0 && (
        <span>
          {at + 1} of {cameras.length}
        </span>
      )}
      <Neighbor camera={findNeighbor(cameras, device_id, 1)} by={1} />
    </nav>
  )
}

function Neighbor({ camera, by }: { camera: Device | undefined; by: -1 | 1 }) {
  if (!camera) return null
  const { device_id, nickname } = camera
  const Icon = by < 0 ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      data-by={by}
      aria-label={`${by < 0 ? 'Previous' : 'Next'} camera: ${nickname}`}
      onClick={() => showNext(by)}
    >
      <Icon size={18} aria-hidden="true" />
      <img key={device_id} src={`/m/last/${device_id}`} width="50" height="28" alt="" decoding="async" />
      <b>{nickname}</b>
    </button>
  )
}
