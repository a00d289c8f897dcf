/** Chunk boundary: the clip stage and the parts of an open visit. */
import { preloadPressedClips, syncOpenEvent } from '../../../stores/events/open-clip.ts'

export { ClipStage } from './ClipStage.tsx'
export { VisitPart } from './VisitPart.tsx'

// From now on, a click on an event requests its clip before the stage renders.
syncOpenEvent()
preloadPressedClips()
