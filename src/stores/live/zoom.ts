import { atom } from 'nanostores'
import { panZoom, type ViewPoint, NO_ZOOM, type Zoom, scaleZoom } from '../../domain/live/zoom.ts'
import { $singleCameraId } from './live-layout.ts'

/** Zoom of the camera that is shown alone. It resets when another camera is shown. */
export const $zoom = atom<Zoom>(NO_ZOOM)
$singleCameraId.listen(() => $zoom.set(NO_ZOOM))

/** Zooms around a point of the view, by default its center. */
export const zoomView = (factor: number, at?: ViewPoint): void => $zoom.set(scaleZoom($zoom.get(), factor, at))
export const panView = (offset: ViewPoint): void => $zoom.set(panZoom($zoom.get(), offset))
