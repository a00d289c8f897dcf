/** Chunk boundary: the clip stage and the parts of an open visit. */
import { durationLabel, eventTimeLabel } from '../../../domain/time/date-formats.ts'
import { preloadPressedClips, startOpenedClips, syncOpenEvent } from '../../../stores/events/open-clip.ts'

export { ClipStage } from './ClipStage.tsx'
export { VisitPart } from './VisitPart.tsx'

// From now on, a click on an event requests its clip before the stage renders.
syncOpenEvent()
preloadPressedClips()
startOpenedClips()
// The first call of each function creates its formatter, which takes several ms.
eventTimeLabel(0, null, 0)
durationLabel(0)
