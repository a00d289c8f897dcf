/** Parts of the page that load after the first frames, in one chunk. */
export { DayStrip } from './TodayTimeline.tsx'
export { EmptyHome } from './EmptyHome.tsx'
export { Extras } from './PageBehaviors.tsx'
export { Failed } from './CameraListError.tsx'
export { LaterCamera } from './DeferredCameraView.tsx'
export { Today } from './TodayColumn.tsx'
