import { atom } from 'nanostores'
import { panZoom, type ViewPoint, WHOLE, type Zoom, scaleZoom } from '../../domain/live/zoom.ts'
import { $alone } from './live-layout.ts'

/** Zoom of the camera that is shown alone; each camera starts with its whole view. */
export const $zoom = atom<Zoom>(WHOLE)
$alone.listen(() => $zoom.set(WHOLE))

/** Zooms around a point of the view, by default its center. */
export const zoomPicture = (factor: number, at?: ViewPoint): void => $zoom.set(scaleZoom($zoom.get(), factor, at))
export const movePicture = (by: ViewPoint): void => $zoom.set(panZoom($zoom.get(), by))
