/** Chunk boundary: the clip stage and the button that opens a group of events. */
import { syncOpenEvent } from '../../../stores/events/open-clip.ts'

export { ClipStage } from './ClipStage.tsx'
export { GroupToggle } from './GroupToggle.tsx'

// From now on, a click on an event requests its clip before the stage renders.
syncOpenEvent()
