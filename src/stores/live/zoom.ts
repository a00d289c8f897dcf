import { atom } from 'nanostores'
import { panZoom, type Point, WHOLE, type Zoom, scaleZoom } from '../../domain/live/zoom.ts'
import { $alone } from './live-layout.ts'

/** How closely the camera that stands alone is looked at; each camera begins with its whole picture. */
export const $zoom = atom<Zoom>(WHOLE)
$alone.listen(() => $zoom.set(WHOLE))

/** Around a point of the view, else around its middle. */
export const zoomPicture = (factor: number, at?: Point): void => $zoom.set(scaleZoom($zoom.get(), factor, at))
export const movePicture = (by: Point): void => $zoom.set(panZoom($zoom.get(), by))
