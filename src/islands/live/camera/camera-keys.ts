import type { Device } from '../../../stores/home/devices.ts'
import { saveSnapshot } from '../../../stores/live/save-snapshot.ts'
import { $tiles, getPicture, getTile } from '../../../stores/live/live-tiles.ts'
import { $zoom, movePicture, zoomPicture } from '../../../stores/live/zoom.ts'
import { WHOLE } from '../../../domain/live/zoom.ts'
import { float } from '../parts/TileControls.tsx'
import { isElsewhere } from '../parts/page-shortcuts.ts'

/** Zoom factor of one press of + or −. */
export const ZOOM_STEP = 1.5
/** Distance that one press of an arrow key moves the image, as a share of the view. */
const MOVE = 0.15
const MOVES: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: MOVE, y: 0 },
  ArrowRight: { x: -MOVE, y: 0 },
  ArrowUp: { x: 0, y: MOVE },
  ArrowDown: { x: 0, y: -MOVE },
}

/**
 * Handles the keyboard shortcuts of the open camera; src/islands/live/parts/page-shortcuts.ts handles those of the
 * page. Returns an unsubscribe function.
 */
export function watchCameraKeys(camera: Device): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return
    if (act(camera, event)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/** Returns true if the key was handled. */
function act(camera: Device, { key, shiftKey }: KeyboardEvent): boolean {
  const move = shiftKey ? MOVES[key] : undefined
  if (move) return (movePicture(move), true)
  if (key === '+' || key === '=') return (zoomPicture(ZOOM_STEP), true)
  if (key === '-' || key === '_') return (zoomPicture(1 / ZOOM_STEP), true)
  if (key === '0') return ($zoom.set(WHOLE), true)
  if (getTile($tiles.get(), camera.device_id).phase !== 'playing') return false
  if (key === 's') return (void saveSnapshot(camera), true)
  if (key === 'p' && document.pictureInPictureEnabled) return (void float(getPicture(camera.device_id).video), true)
  return false
}
