/** Chunk boundary: parts of the page that load after the first frames. */
export { CameraListError } from './CameraListError.tsx'
export { DeferredCameraView } from './DeferredCameraView.tsx'
export { EmptyHome } from './EmptyHome.tsx'
export { PageBehaviors } from './PageBehaviors.tsx'
export { ServiceNotice } from './ServiceNotice.tsx'
export { TodayColumn } from './TodayColumn.tsx'
export { TodayTimeline } from './TodayTimeline.tsx'
