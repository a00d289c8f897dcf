/** Chunk boundary: the clip stage, previews of clips, and the parts of an open visit. */
import { durationLabel, eventTimeLabel } from '../../../domain/time/date-formats.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { preloadShownClips, startOpenedClips, syncOpenEvent } from '../../../stores/events/open-clip.ts'
import { removeEarlyStage, showEarlyStage } from './early-stage.ts'

export { ClipStage } from './ClipStage.tsx'
export { HoverClip } from './HoverClip.tsx'
export { VisitPart } from './VisitPart.tsx'

// From now on, a click on an event requests its clip before the stage renders.
syncOpenEvent()
preloadShownClips()
startOpenedClips(showEarlyStage)
// For example, the user went back before the stage rendered.
$eventUrl.listen(({ open }) => open || removeEarlyStage())
// The first call of each function creates its formatter, which takes several ms.
eventTimeLabel(0, null, 0)
durationLabel(0)
