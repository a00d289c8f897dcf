/** Parts of the page that load after the first frames, in one chunk. */
export { TodayTimeline as DayStrip } from './TodayTimeline.tsx'
export { EmptyHome } from './EmptyHome.tsx'
export { PageBehaviors as Extras } from './PageBehaviors.tsx'
export { CameraListError as Failed } from './CameraListError.tsx'
export { DeferredCameraView as LaterCamera } from './DeferredCameraView.tsx'
export { TodayColumn as Today } from './TodayColumn.tsx'
