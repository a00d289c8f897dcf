import type { Device } from '../../../stores/home/devices.ts'
import { saveCameraSnapshot } from '../../../stores/live/save-snapshot.ts'
import { $tiles, getLiveView, getTileState } from '../../../stores/live/live-tiles.ts'
import { $zoom, panView, zoomView } from '../../../stores/live/zoom.ts'
import { NO_ZOOM } from '../../../domain/live/zoom.ts'
import { togglePictureInPicture } from '../parts/TileControls.tsx'
import { shouldIgnoreKey } from '../parts/page-shortcuts.ts'

/** Factor by which one press of + zooms in, and one press of - zooms out. */
export const ZOOM_STEP = 1.5
/** Distance that Shift and an arrow key move the image, as a share of the view. */
const PAN_SHARE = 0.15
const PAN_OFFSET_BY_KEY: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: PAN_SHARE, y: 0 },
  ArrowRight: { x: -PAN_SHARE, y: 0 },
  ArrowUp: { x: 0, y: PAN_SHARE },
  ArrowDown: { x: 0, y: -PAN_SHARE },
}

/**
 * Handles the keyboard shortcuts of the open camera; page-shortcuts.ts handles those of the page. Returns an
 * unsubscribe function.
 */
export function watchCameraKeys(camera: Device): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || shouldIgnoreKey(event)) return
    if (handleKey(camera, event)) event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

function handleKey(camera: Device, { key, shiftKey }: KeyboardEvent): boolean {
  const move = shiftKey ? PAN_OFFSET_BY_KEY[key] : undefined
  if (move) return (panView(move), true)
  if (key === '+' || key === '=') return (zoomView(ZOOM_STEP), true)
  if (key === '-' || key === '_') return (zoomView(1 / ZOOM_STEP), true)
  if (key === '0') return ($zoom.set(NO_ZOOM), true)
  if (getTileState($tiles.get(), camera.device_id).phase !== 'playing') return false
  if (key === 's') return (void saveCameraSnapshot(camera), true)
  if (key === 'p' && document.pictureInPictureEnabled)
    return (void togglePictureInPicture(getLiveView(camera.device_id).video), true)
  return false
}
